//! Locks that survive a panic.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Locks a mutex, poisoned or not. Holders never leave a value half changed, so a panic elsewhere need not spread.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
