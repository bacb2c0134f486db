//! Answers in progress. They can be stopped, and the passages they are made from can be opened before the first word.

use std::collections::HashMap;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::Duration;

use oriel_core::{CancelToken, Passage};
use oriel_engine::{ConversationId, PassageDocument};

use crate::lock::lock;

/// What an answer is made from.
pub struct AnswerBasis {
    /// The question's place in its conversation, from 0.
    pub place: usize,
    /// The passages, best first.
    pub passages: Vec<Passage>,
    /// The documents of the passages, in their order.
    pub documents: Vec<Option<PassageDocument>>,
}

struct InProgress {
    cancel: CancelToken,
    basis: Option<Arc<AnswerBasis>>,
}

/// The answers in progress of a library, one per conversation.
#[derive(Default)]
pub struct Answers {
    all: Mutex<HashMap<ConversationId, InProgress>>,
    /// Notified when one ends.
    ended: Condvar,
}

impl Answers {
    /// Begins an answer and stops another in the same conversation.
    pub(crate) fn begin(&self, conversation: &ConversationId) -> CancelToken {
        let cancel = CancelToken::new();
        let begun = InProgress { cancel: cancel.clone(), basis: None };
        if let Some(other) = self.lock().insert(conversation.clone(), begun) {
            other.cancel.cancel();
        }
        cancel
    }

    /// Whether no other answer was begun after this one.
    pub(crate) fn is_last(&self, conversation: &ConversationId, cancel: &CancelToken) -> bool {
        self.lock().get(conversation).is_some_and(|one| one.cancel.same_as(cancel))
    }

    /// Sets what an answer is made from, until it ends.
    pub(crate) fn set_basis(&self, conversation: &ConversationId, cancel: &CancelToken, basis: AnswerBasis) {
        if let Some(one) = self.lock().get_mut(conversation).filter(|one| one.cancel.same_as(cancel)) {
            one.basis = Some(Arc::new(basis));
        }
    }

    /// What the answer at a place of a conversation is made from.
    pub fn basis(&self, conversation: &ConversationId, place: usize) -> Option<Arc<AnswerBasis>> {
        let all = self.lock();
        all.get(conversation)?.basis.as_ref().filter(|basis| basis.place == place).map(Arc::clone)
    }

    /// Ends an answer. Another that was begun after it continues.
    pub(crate) fn end(&self, conversation: &ConversationId, cancel: &CancelToken) {
        let mut all = self.lock();
        if all.get(conversation).is_some_and(|one| one.cancel.same_as(cancel)) {
            all.remove(conversation);
            self.ended.notify_all();
        }
    }

    /// Stops the answer in a conversation, if there is one.
    pub fn stop(&self, conversation: &ConversationId) {
        if let Some(one) = self.lock().get(conversation) {
            one.cancel.cancel();
        }
    }

    /// Stops all answers.
    pub fn stop_all(&self) {
        self.lock().values().for_each(|one| one.cancel.cancel());
    }

    /// Waits until stopped answers are kept, at most `timeout`.
    pub fn wait(&self, timeout: Duration) {
        let waited = self.ended.wait_timeout_while(self.lock(), timeout, |all| !all.is_empty());
        if waited.is_ok_and(|(_, waited)| waited.timed_out()) {
            tracing::warn!("an answer was not kept in time");
        }
    }

    /// Whether an answer is being written.
    pub fn is_any(&self) -> bool {
        !self.lock().is_empty()
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<ConversationId, InProgress>> {
        lock(&self.all)
    }
}
