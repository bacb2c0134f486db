//! Something that many use at once, and that one may take away from all of them as soon as nobody uses it.

use std::ops::Deref;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::app::lock;

/// A value that is there or not.
pub(crate) struct Held<T> {
    state: Mutex<State<T>>,
    freed: Condvar,
}

struct State<T> {
    value: Option<Arc<T>>,
    /// How many use what is there, or was there a moment ago.
    users: usize,
}

/// The use of a value; nobody can take it away before this is dropped.
pub(crate) struct Lease<'a, T> {
    // Dropped before the note: who is told that nobody uses the value must find it so.
    value: Arc<T>,
    _note: Note<'a, T>,
}

struct Note<'a, T>(&'a Held<T>);

/// A value is still being used.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct InUse;

impl<T> Held<T> {
    /// Nothing yet.
    pub(crate) fn empty() -> Self {
        Self { state: Mutex::new(State { value: None, users: 0 }), freed: Condvar::new() }
    }

    /// Puts a value there.
    pub(crate) fn put(&self, value: T) {
        lock(&self.state).value = Some(Arc::new(value));
    }

    /// The value for use, where it is there.
    pub(crate) fn lease(&self) -> Option<Lease<'_, T>> {
        let mut state = lock(&self.state);
        let value = Arc::clone(state.value.as_ref()?);
        state.users += 1;
        Some(Lease { value, _note: Note(self) })
    }

    /// Takes the value away, where it is there. Nobody gets it from now on, and those who use it are waited for.
    ///
    /// # Errors
    /// Where somebody uses it for longer than `patience`; it is there as before then.
    pub(crate) fn take(&self, patience: Duration) -> Result<Option<T>, InUse> {
        let until = Instant::now() + patience;
        let mut state = lock(&self.state);
        let Some(value) = state.value.take() else { return Ok(None) };
        while state.users > 0 {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                state.value = Some(value);
                return Err(InUse);
            }
            state = self.freed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
        }
        Arc::try_unwrap(value).map(Some).map_err(|value| {
            state.value = Some(value);
            InUse
        })
    }
}

impl<T> Deref for Lease<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T> Drop for Note<'_, T> {
    fn drop(&mut self) {
        lock(&self.0.state).users -= 1;
        self.0.freed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: Duration = Duration::from_secs(20);

    #[test]
    fn it_is_taken_when_the_last_has_let_go_and_nobody_gets_it_meanwhile() {
        let held = Held::empty();
        assert!(held.lease().is_none());
        assert_eq!(held.take(Duration::ZERO), Ok(None));
        held.put(String::from("one"));
        let lease = held.lease().unwrap();
        assert_eq!(*lease, "one");
        std::thread::scope(|scope| {
            let taking = scope.spawn(|| held.take(LONG));
            // Whoever takes it is there as soon as nobody else gets it.
            while held.lease().is_some() {
                std::thread::yield_now();
            }
            drop(lease);
            assert_eq!(taking.join().unwrap(), Ok(Some("one".into())));
        });
        assert!(held.lease().is_none());
        held.put("two".into());
        assert_eq!(*held.lease().unwrap(), "two");
    }

    #[test]
    fn what_is_used_for_too_long_stays() {
        let held = Held::empty();
        held.put(1);
        let lease = held.lease().unwrap();
        assert_eq!(held.take(Duration::from_millis(10)), Err(InUse));
        assert_eq!(*held.lease().unwrap(), 1, "it is there as before");
        drop(lease);
        assert_eq!(held.take(LONG), Ok(Some(1)));
    }
}
