//! A slot for a value that many use at once. It can be taken out as soon as nobody uses it.

use std::ops::Deref;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use oriel_api::lock;

/// A slot that holds a value or is empty.
pub(crate) struct Slot<T> {
    state: Mutex<State<T>>,
    freed: Condvar,
}

struct State<T> {
    value: Option<Arc<T>>,
    /// How many use the value, also while it is being taken.
    users: usize,
}

/// The use of a value. Nobody can take the value before this is dropped.
pub(crate) struct Lease<'a, T> {
    // Dropped before the user is counted out: whoever waits for that must find the value unused.
    value: Arc<T>,
    _user: User<'a, T>,
}

struct User<'a, T>(&'a Slot<T>);

/// The value is still in use.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct InUse;

impl<T> Slot<T> {
    /// An empty slot.
    pub(crate) fn empty() -> Self {
        Self { state: Mutex::new(State { value: None, users: 0 }), freed: Condvar::new() }
    }

    pub(crate) fn put(&self, value: T) {
        lock(&self.state).value = Some(Arc::new(value));
    }

    /// The value for use, if there is one.
    pub(crate) fn lease(&self) -> Option<Lease<'_, T>> {
        let mut state = lock(&self.state);
        let value = Arc::clone(state.value.as_ref()?);
        state.users += 1;
        Some(Lease { value, _user: User(self) })
    }

    /// Takes the value out, if there is one. Nobody can lease it from now on; existing leases are waited for.
    ///
    /// # Errors
    /// If somebody uses the value for longer than `timeout`. It stays in the slot then.
    pub(crate) fn take(&self, timeout: Duration) -> Result<Option<T>, InUse> {
        let until = Instant::now() + timeout;
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

impl<T> Drop for User<'_, T> {
    fn drop(&mut self) {
        lock(&self.0.state).users -= 1;
        self.0.freed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TIMEOUT: Duration = Duration::from_secs(20);

    #[test]
    fn it_is_taken_after_the_last_lease_and_nobody_gets_one_meanwhile() {
        let slot = Slot::empty();
        assert!(slot.lease().is_none());
        assert_eq!(slot.take(Duration::ZERO), Ok(None));
        slot.put(String::from("one"));
        let lease = slot.lease().unwrap();
        assert_eq!(*lease, "one");
        std::thread::scope(|scope| {
            let taking = scope.spawn(|| slot.take(TIMEOUT));
            // The taker has begun once nobody gets a lease any more.
            while slot.lease().is_some() {
                std::thread::yield_now();
            }
            drop(lease);
            assert_eq!(taking.join().unwrap(), Ok(Some("one".into())));
        });
        assert!(slot.lease().is_none());
        slot.put("two".into());
        assert_eq!(*slot.lease().unwrap(), "two");
    }

    #[test]
    fn a_value_that_is_used_for_too_long_stays() {
        let slot = Slot::empty();
        slot.put(1);
        let lease = slot.lease().unwrap();
        assert_eq!(slot.take(Duration::from_millis(10)), Err(InUse));
        assert_eq!(*slot.lease().unwrap(), 1, "it is there as before");
        drop(lease);
        assert_eq!(slot.take(TIMEOUT), Ok(Some(1)));
    }
}
