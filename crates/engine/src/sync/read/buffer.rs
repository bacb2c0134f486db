//! Documents between the readers and their transaction.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::{Batch, ReadResult};
use crate::error::EngineError;

/// A transaction holds about this many documents …
const BATCH_DOCUMENTS: usize = 256;
/// … and about this many bytes of text. Readers that are further ahead wait.
const BATCH_BYTES: usize = 8 << 20;

/// What the readers have read and nobody has taken yet: one batch at most, and one document more of each reader.
#[derive(Default)]
pub(super) struct ReadBuffer {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    results: VecDeque<ReadResult>,
    /// Bytes of their texts.
    bytes: usize,
    /// Readers at work.
    readers: usize,
    /// Whether nobody takes any more.
    is_closed: bool,
}

impl State {
    fn is_full(&self) -> bool {
        self.results.len() >= BATCH_DOCUMENTS || self.bytes >= BATCH_BYTES
    }
}

/// A reader's place at a buffer. It is counted as at work until this is dropped.
pub(super) struct Seat<'a>(&'a ReadBuffer);

impl ReadBuffer {
    /// A buffer for this many readers, each of which has to [take a seat](Self::sit_down).
    pub(super) fn new(readers: usize) -> Self {
        Self { state: Mutex::new(State { readers, ..State::default() }), changed: Condvar::new() }
    }

    pub(super) fn sit_down(&self) -> Seat<'_> {
        Seat(self)
    }

    /// Waits for the next batch; none if all readers have ended. A batch that is not full is waited for up to `wait` from its
    /// first document on. If a reader failed, the error comes with what the others have ready.
    pub(super) fn take(&self, wait: Duration) -> (Batch, Result<(), EngineError>) {
        let mut state = self.lock();
        while state.results.is_empty() && state.readers > 0 {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        let until = Instant::now() + wait;
        while !state.is_full() && state.readers > 0 && state.results.iter().all(Result::is_ok) {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            state = self.changed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
        }
        let results = std::mem::take(&mut state.results);
        state.bytes = 0;
        drop(state);
        self.changed.notify_all();
        let (mut batch, mut end) = (Batch::new(), Ok(()));
        for result in results {
            match result {
                Ok(read) => batch.push(read),
                Err(error) => end = end.and(Err(error)),
            }
        }
        (batch, end)
    }

    /// Lets the readers end: nothing is taken any more.
    pub(super) fn close(&self) {
        self.lock().is_closed = true;
        self.changed.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Seat<'_> {
    /// Hands a result over as soon as there is room; `false` if nothing is taken any more.
    pub(super) fn put(&self, result: ReadResult) -> bool {
        let Self(buffer) = self;
        let mut state = buffer.lock();
        while state.is_full() && !state.is_closed {
            state = buffer.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        if state.is_closed {
            return false;
        }
        state.bytes += result.as_ref().map_or(0, |(document, _)| document.text_bytes());
        state.results.push_back(result);
        drop(state);
        buffer.changed.notify_all();
        true
    }
}

impl Drop for Seat<'_> {
    fn drop(&mut self) {
        self.0.lock().readers -= 1;
        self.0.changed.notify_all();
    }
}
