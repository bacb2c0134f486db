//! Cancellation as a value passed to each task, never a process-wide switch.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};

/// Cancels or pauses a long task. Clones share one state.
#[derive(Clone, Debug, Default)]
pub struct CancelToken(Arc<State>);

#[derive(Debug, Default)]
struct State {
    is_cancelled: AtomicBool,
    /// Cancelling this token cancels the task too.
    parent: Option<CancelToken>,
    /// Whether [`CancelToken::checkpoint`] waits.
    is_paused: Mutex<bool>,
    changed: Condvar,
}

/// The error of a task whose token was cancelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cancelled")]
pub struct Cancelled;

impl CancelToken {
    /// A token that is neither cancelled nor paused.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A token for a part of the task. It is cancelled with the task, and can be cancelled alone.
    #[must_use]
    pub fn child(&self) -> Self {
        Self(Arc::new(State { parent: Some(self.clone()), ..State::default() }))
    }

    /// Asks everyone who holds a clone to stop, including tasks that are paused.
    pub fn cancel(&self) {
        self.0.is_cancelled.store(true, Ordering::Release);
        self.resume();
    }

    /// Pauses the task at its next [`CancelToken::checkpoint`], until [`CancelToken::resume`].
    pub fn pause(&self) {
        self.set_paused(true);
    }

    /// Continues after [`CancelToken::pause`].
    pub fn resume(&self) {
        self.set_paused(false);
    }

    fn set_paused(&self, is_paused: bool) {
        *self.0.is_paused.lock().unwrap_or_else(PoisonError::into_inner) = is_paused;
        self.0.changed.notify_all();
    }

    /// Whether [`CancelToken::cancel`] was called on this token or on a parent.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.0.is_cancelled.load(Ordering::Acquire) || self.0.parent.as_ref().is_some_and(Self::is_cancelled)
    }

    /// Whether both are clones of one token.
    #[must_use]
    pub fn same_as(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// Fails after a cancellation; for use with `?`.
    ///
    /// # Errors
    /// [`Cancelled`] after [`CancelToken::cancel`].
    pub fn check(&self) -> Result<(), Cancelled> {
        if self.is_cancelled() { Err(Cancelled) } else { Ok(()) }
    }

    /// Like [`CancelToken::check`], and waits while the token is paused. Call it between two steps of a task, with no
    /// transaction open and no mutex held that another thread needs.
    ///
    /// # Errors
    /// [`CancelToken::cancel`] was called, before or during the wait.
    pub fn checkpoint(&self) -> Result<(), Cancelled> {
        let mut is_paused = self.0.is_paused.lock().unwrap_or_else(PoisonError::into_inner);
        while *is_paused && !self.is_cancelled() {
            is_paused = self.0.changed.wait(is_paused).unwrap_or_else(PoisonError::into_inner);
        }
        drop(is_paused);
        self.check()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::time::Duration;

    use super::*;

    /// Reaches `token`'s next checkpoint on another thread, and sends the result.
    fn checkpoint_of(token: &CancelToken) -> mpsc::Receiver<Result<(), Cancelled>> {
        let (said, heard) = mpsc::channel();
        let token = token.clone();
        std::thread::spawn(move || said.send(token.checkpoint()));
        heard
    }

    #[test]
    fn a_paused_task_waits_until_it_is_resumed() {
        let token = CancelToken::new();
        assert_eq!(token.checkpoint(), Ok(()), "it is not paused");
        token.pause();
        let heard = checkpoint_of(&token);
        assert!(heard.recv_timeout(Duration::from_millis(50)).is_err(), "it waits");
        assert_eq!(token.check(), Ok(()), "and is wanted");
        token.resume();
        assert_eq!(heard.recv(), Ok(Ok(())));
    }

    #[test]
    fn a_paused_task_ends_when_it_is_cancelled() {
        let token = CancelToken::new();
        token.pause();
        let heard = checkpoint_of(&token);
        token.cancel();
        assert_eq!(heard.recv(), Ok(Err(Cancelled)));
        token.pause();
        assert_eq!(token.checkpoint(), Err(Cancelled), "what was cancelled waits for nothing");
    }

    #[test]
    fn a_part_of_a_task_ends_with_it_and_alone() {
        let task = CancelToken::new();
        let (one, other) = (task.child(), task.child());
        one.cancel();
        assert!(one.is_cancelled() && !task.is_cancelled() && !other.is_cancelled());
        task.cancel();
        assert!(other.child().is_cancelled());
    }
}
