//! The buffer between readers and the transactions that write their documents.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use parking_lot::{Condvar, Mutex};

use crate::error::EngineError;

/// A transaction contains about this many documents …
const BATCH_DOCUMENTS: usize = 256;
/// … and about this many bytes of text. Readers that are further ahead wait.
const BATCH_BYTES: usize = 8 << 20;

/// Documents that are read and not taken yet: at most one batch, and one more document of each reader.
pub(super) struct ReadBuffer<T> {
    state: Mutex<State<T>>,
    changed: Condvar,
}

struct State<T> {
    results: VecDeque<Result<T, EngineError>>,
    /// The bytes of their texts.
    bytes: usize,
    /// The number of active readers.
    readers: usize,
    /// Whether nothing is taken any more.
    is_closed: bool,
}

impl<T> State<T> {
    fn is_full(&self) -> bool {
        self.results.len() >= BATCH_DOCUMENTS || self.bytes >= BATCH_BYTES
    }
}

/// A reader's slot in the buffer. The reader counts as active until this is dropped.
pub(super) struct Seat<'a, T>(&'a ReadBuffer<T>);

impl<T> ReadBuffer<T> {
    /// A buffer for this many readers, each of which has to [take a slot](Self::sit_down).
    pub(super) fn new(readers: usize) -> Self {
        let state = State { results: VecDeque::new(), bytes: 0, readers, is_closed: false };
        Self { state: Mutex::new(state), changed: Condvar::new() }
    }

    pub(super) fn sit_down(&self) -> Seat<'_, T> {
        Seat(self)
    }

    /// Waits for the next batch; empty if all readers have ended. Waits up to `wait` after the first document for the
    /// batch to fill. If a reader failed, the error comes with the documents that the others have ready.
    pub(super) fn take(&self, wait: Duration) -> (Vec<T>, Result<(), EngineError>) {
        let mut state = self.state.lock();
        while state.results.is_empty() && state.readers > 0 {
            self.changed.wait(&mut state);
        }
        let until = Instant::now() + wait;
        while !state.is_full() && state.readers > 0 && state.results.iter().all(Result::is_ok) {
            if self.changed.wait_until(&mut state, until).timed_out() {
                break;
            }
        }
        let results = std::mem::take(&mut state.results);
        state.bytes = 0;
        drop(state);
        self.changed.notify_all();
        let (mut batch, mut end) = (Vec::new(), Ok(()));
        for result in results {
            match result {
                Ok(read) => batch.push(read),
                Err(error) => end = end.and(Err(error)),
            }
        }
        (batch, end)
    }

    /// Closes the buffer, so that readers end.
    pub(super) fn close(&self) {
        self.state.lock().is_closed = true;
        self.changed.notify_all();
    }
}

impl<T> Seat<'_, T> {
    /// Adds a document with this many bytes of text as soon as there is space; `false` if the buffer is closed.
    pub(super) fn put(&self, result: Result<T, EngineError>, bytes: usize) -> bool {
        let Self(buffer) = self;
        let mut state = buffer.state.lock();
        while state.is_full() && !state.is_closed {
            buffer.changed.wait(&mut state);
        }
        if state.is_closed {
            return false;
        }
        state.bytes += bytes;
        state.results.push_back(result);
        drop(state);
        buffer.changed.notify_all();
        true
    }
}

impl<T> Drop for Seat<'_, T> {
    fn drop(&mut self) {
        self.0.state.lock().readers -= 1;
        self.0.changed.notify_all();
    }
}
