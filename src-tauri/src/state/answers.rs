//! Answers in progress. They can be stopped, and the passages they are made from can be opened before the first word.

use std::collections::HashMap;
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use oriel_core::{CancelToken, Passage};
use oriel_engine::PassageDocument;

use crate::lock::lock;

/// What an answer is made from.
pub(crate) struct AnswerBasis {
    /// The question's place in its conversation, from 0.
    pub place: u32,
    pub passages: Vec<Passage>,
    /// The documents of the passages.
    pub sources: Vec<Option<PassageDocument>>,
}

struct InProgress {
    cancel: CancelToken,
    basis: Option<Arc<AnswerBasis>>,
}

/// The answers in progress of a library, one per conversation.
#[derive(Default)]
pub(crate) struct Answers {
    all: Mutex<HashMap<String, InProgress>>,
    /// Notified when one ends.
    ended: Condvar,
}

impl Answers {
    /// Begins an answer and stops another in the same conversation.
    pub(crate) fn begin(&self, conversation: &str) -> CancelToken {
        let cancel = CancelToken::new();
        let begun = InProgress { cancel: cancel.clone(), basis: None };
        if let Some(other) = lock(&self.all).insert(conversation.to_owned(), begun) {
            other.cancel.cancel();
        }
        cancel
    }

    /// Whether no other answer was begun after this one.
    pub(crate) fn is_last(&self, conversation: &str, cancel: &CancelToken) -> bool {
        lock(&self.all).get(conversation).is_some_and(|one| one.cancel.same_as(cancel))
    }

    /// Sets what an answer is made from, until it ends.
    pub(crate) fn set_basis(&self, conversation: &str, cancel: &CancelToken, basis: AnswerBasis) {
        if let Some(one) = lock(&self.all).get_mut(conversation).filter(|one| one.cancel.same_as(cancel)) {
            one.basis = Some(Arc::new(basis));
        }
    }

    /// What the answer at a place of a conversation is made from.
    pub(crate) fn basis(&self, conversation: &str, place: u32) -> Option<Arc<AnswerBasis>> {
        let all = lock(&self.all);
        all.get(conversation)?.basis.as_ref().filter(|basis| basis.place == place).map(Arc::clone)
    }

    /// Ends an answer. Another that was begun after it continues.
    pub(crate) fn end(&self, conversation: &str, cancel: &CancelToken) {
        let mut all = lock(&self.all);
        if all.get(conversation).is_some_and(|one| one.cancel.same_as(cancel)) {
            all.remove(conversation);
            self.ended.notify_all();
        }
    }

    /// Stops the answer in a conversation, if there is one.
    pub(crate) fn stop(&self, conversation: &str) {
        if let Some(one) = lock(&self.all).get(conversation) {
            one.cancel.cancel();
        }
    }

    /// Stops all answers.
    pub(crate) fn stop_all(&self) {
        lock(&self.all).values().for_each(|one| one.cancel.cancel());
    }

    /// Waits until stopped answers are kept, at most `timeout`.
    pub(crate) fn wait(&self, timeout: Duration) {
        let waited = self.ended.wait_timeout_while(lock(&self.all), timeout, |all| !all.is_empty());
        if waited.is_ok_and(|(_, waited)| waited.timed_out()) {
            tracing::warn!("an answer was not kept in time");
        }
    }

    /// Whether an answer is being written.
    pub(crate) fn is_any(&self) -> bool {
        !lock(&self.all).is_empty()
    }
}
