//! Answers that are being written: how they are stopped, and the passages they are made from, which can be opened before
//! the first word.

use std::collections::HashMap;
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use oriel_core::{CancelToken, Passage};
use oriel_engine::PassageDocument;

use crate::app::lock;

/// What an answer is made from.
pub(crate) struct Basis {
    /// The question's place in its conversation, from 0.
    pub place: u32,
    pub passages: Vec<Passage>,
    /// The documents of the passages.
    pub sources: Vec<Option<PassageDocument>>,
}

struct UnderWay {
    cancel: CancelToken,
    basis: Option<Arc<Basis>>,
}

/// Those of a library, one a conversation.
#[derive(Default)]
pub(crate) struct Answering {
    all: Mutex<HashMap<String, UnderWay>>,
    /// One has ended.
    ended: Condvar,
}

impl Answering {
    /// Begins one; another in the same conversation is stopped.
    pub(crate) fn begin(&self, conversation: &str) -> CancelToken {
        let cancel = CancelToken::new();
        let begun = UnderWay { cancel: cancel.clone(), basis: None };
        if let Some(other) = lock(&self.all).insert(conversation.to_owned(), begun) {
            other.cancel.cancel();
        }
        cancel
    }

    /// Whether no other was begun after this one.
    pub(crate) fn is_last(&self, conversation: &str, cancel: &CancelToken) -> bool {
        lock(&self.all).get(conversation).is_some_and(|one| one.cancel.same_as(cancel))
    }

    /// Keeps what one is made from until it ends.
    pub(crate) fn rests_on(&self, conversation: &str, cancel: &CancelToken, basis: Basis) {
        if let Some(one) = lock(&self.all).get_mut(conversation).filter(|one| one.cancel.same_as(cancel)) {
            one.basis = Some(Arc::new(basis));
        }
    }

    /// What the one at a place of a conversation is made from.
    pub(crate) fn basis(&self, conversation: &str, place: u32) -> Option<Arc<Basis>> {
        let all = lock(&self.all);
        all.get(conversation)?.basis.as_ref().filter(|basis| basis.place == place).map(Arc::clone)
    }

    /// Ends one; another that was begun after it goes on.
    pub(crate) fn end(&self, conversation: &str, cancel: &CancelToken) {
        let mut all = lock(&self.all);
        if all.get(conversation).is_some_and(|one| one.cancel.same_as(cancel)) {
            all.remove(conversation);
            self.ended.notify_all();
        }
    }

    /// Stops the one in a conversation, if there is one.
    pub(crate) fn stop(&self, conversation: &str) {
        if let Some(one) = lock(&self.all).get(conversation) {
            one.cancel.cancel();
        }
    }

    /// Stops all.
    pub(crate) fn stop_all(&self) {
        lock(&self.all).values().for_each(|one| one.cancel.cancel());
    }

    /// Waits until what was written of those that were stopped is kept; `patience` at most.
    pub(crate) fn wait(&self, patience: Duration) {
        let waited = self.ended.wait_timeout_while(lock(&self.all), patience, |all| !all.is_empty());
        if waited.is_ok_and(|(_, waited)| waited.timed_out()) {
            tracing::warn!("an answer was not kept in time");
        }
    }

    /// Whether an answer is being written.
    pub(crate) fn is_any(&self) -> bool {
        !lock(&self.all).is_empty()
    }
}
