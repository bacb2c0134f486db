//! Cancellation as a value that is handed down, never a process-wide switch.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};

/// Says to a long task that it is no longer wanted, or that it is to wait. Clones share one state.
#[derive(Clone, Debug, Default)]
pub struct CancelToken(Arc<State>);

#[derive(Debug, Default)]
struct State {
    is_cancelled: AtomicBool,
    /// Whether who comes to [`CancelToken::pass`] is to wait.
    is_held: Mutex<bool>,
    changed: Condvar,
}

/// What a task returns that saw its token cancelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cancelled")]
pub struct Cancelled;

impl CancelToken {
    /// A token nobody has cancelled yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks everyone who holds a clone to stop, also those who wait.
    pub fn cancel(&self) {
        self.0.is_cancelled.store(true, Ordering::Release);
        self.go_on();
    }

    /// Has the task wait at its next [`CancelToken::pass`], until [`CancelToken::go_on`].
    pub fn hold(&self) {
        self.set_held(true);
    }

    /// Ends a [`CancelToken::hold`].
    pub fn go_on(&self) {
        self.set_held(false);
    }

    fn set_held(&self, is_held: bool) {
        *self.0.is_held.lock().unwrap_or_else(PoisonError::into_inner) = is_held;
        self.0.changed.notify_all();
    }

    /// Whether someone asked to stop.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.0.is_cancelled.load(Ordering::Acquire)
    }

    /// Whether both are clones of one token.
    #[must_use]
    pub fn same_as(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// `Err` once someone asked to stop, to be used with `?`.
    ///
    /// # Errors
    /// [`Cancelled`] after [`CancelToken::cancel`].
    pub fn check(&self) -> Result<(), Cancelled> {
        if self.is_cancelled() { Err(Cancelled) } else { Ok(()) }
    }

    /// The same between two steps of a task that can wait there: it has no transaction open and holds no mutex that anyone
    /// else waits for.
    ///
    /// # Errors
    /// [`Cancelled`] after [`CancelToken::cancel`], at once while it waits.
    pub fn pass(&self) -> Result<(), Cancelled> {
        let mut is_held = self.0.is_held.lock().unwrap_or_else(PoisonError::into_inner);
        while *is_held && !self.is_cancelled() {
            is_held = self.0.changed.wait(is_held).unwrap_or_else(PoisonError::into_inner);
        }
        drop(is_held);
        self.check()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::time::Duration;

    use super::*;

    /// Comes to `token`'s next step on a thread of its own, and says how it went on.
    fn passing(token: &CancelToken) -> mpsc::Receiver<Result<(), Cancelled>> {
        let (said, heard) = mpsc::channel();
        let token = token.clone();
        std::thread::spawn(move || said.send(token.pass()));
        heard
    }

    #[test]
    fn who_is_held_waits_until_told_to_go_on() {
        let token = CancelToken::new();
        assert_eq!(token.pass(), Ok(()), "nobody holds it");
        token.hold();
        let heard = passing(&token);
        assert!(heard.recv_timeout(Duration::from_millis(50)).is_err(), "it waits");
        assert_eq!(token.check(), Ok(()), "and is wanted");
        token.go_on();
        assert_eq!(heard.recv(), Ok(Ok(())));
    }

    #[test]
    fn who_is_held_hears_that_it_is_not_wanted_any_more() {
        let token = CancelToken::new();
        token.hold();
        let heard = passing(&token);
        token.cancel();
        assert_eq!(heard.recv(), Ok(Err(Cancelled)));
        token.hold();
        assert_eq!(token.pass(), Err(Cancelled), "what was cancelled waits for nothing");
    }
}
