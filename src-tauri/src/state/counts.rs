//! The library's counts, looked up no more often than they are cheap.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use oriel_engine::{EngineError, Library, Overview};

use oriel_api::lock;

/// Counts that change by themselves are looked up this often at most.
const MIN_RECOUNT_INTERVAL: Duration = Duration::from_secs(1);
/// The pause after a count, as a multiple of how long the count took: counting takes a twentieth of the time at most.
const RECOUNT_PAUSE_FACTOR: u32 = 20;

/// The library's counts as they were last looked up.
#[derive(Default)]
pub(crate) struct Counts(Mutex<Option<Counted>>);

struct Counted {
    overview: Overview,
    /// When they are looked up again even if nothing is known to have happened.
    due: Instant,
}

impl Counts {
    /// Calls `read` with the counts. They are looked up if they are due, or with `recount`. If that fails without
    /// `recount`, the last counts stand.
    pub(crate) fn with<T>(
        &self,
        library: &Library,
        recount: bool,
        read: impl FnOnce(&Overview) -> T,
    ) -> Result<T, EngineError> {
        // Locked while counting, so that two who ask at once count once.
        let mut counts = lock(&self.0);
        let is_due = recount || counts.as_ref().is_none_or(|counted| Instant::now() >= counted.due);
        if is_due {
            match Counted::new(library) {
                Ok(counted) => *counts = Some(counted),
                Err(error) if recount || counts.is_none() => return Err(error),
                Err(error) => tracing::warn!("{error}"),
            }
        }
        let counted = counts.as_ref().expect("it was counted just now or before");
        Ok(read(&counted.overview))
    }
}

impl Counted {
    fn new(library: &Library) -> Result<Self, EngineError> {
        let begun = Instant::now();
        let overview = library.overview()?;
        let ended = Instant::now();
        Ok(Self { overview, due: ended + pause_after(ended - begun) })
    }
}

/// How long to wait after a count that took `took`.
fn pause_after(took: Duration) -> Duration {
    MIN_RECOUNT_INTERVAL.max(took * RECOUNT_PAUSE_FACTOR)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counting_takes_a_twentieth_of_the_time_at_most() {
        assert_eq!(pause_after(Duration::from_millis(3)), MIN_RECOUNT_INTERVAL);
        assert_eq!(pause_after(Duration::from_millis(400)), Duration::from_secs(8));
    }
}
