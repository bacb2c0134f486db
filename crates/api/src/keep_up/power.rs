//! Whether the computer runs on battery.
//!
//! While the battery discharges, long work waits: vectors if more than 1,000 sentences lack one, and text recognition.
//! The run ends, and the next follows within ten seconds of mains power. Documents are read, and what the user changed
//! or asked about gets vectors, up to 1,000 sentences a run. The command line never waits.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use starship_battery::{Manager, State};

use crate::lock::lock;

/// Asks whether the computer runs on battery, and remembers the answer for a while: some laptops take tens of milliseconds.
#[derive(Debug)]
pub struct Power {
    ask: fn() -> bool,
    pub(super) interval: Duration,
    answer: Mutex<Option<(Instant, bool)>>,
}

impl Default for Power {
    fn default() -> Self {
        Self::new(is_on_battery, Duration::from_secs(5))
    }
}

impl Power {
    /// Asks this function, at this interval at most.
    #[must_use]
    pub fn new(ask: fn() -> bool, interval: Duration) -> Self {
        Self { ask, interval, answer: Mutex::new(None) }
    }

    pub(super) fn is_on_battery(&self) -> bool {
        let mut answer = lock(&self.answer);
        match *answer {
            Some((at, is_on_battery)) if at.elapsed() < self.interval => is_on_battery,
            _ => {
                let is_on_battery = (self.ask)();
                *answer = Some((Instant::now(), is_on_battery));
                is_on_battery
            }
        }
    }
}

/// Whether a battery of this computer is discharging. A computer that does not say so runs on mains power.
fn is_on_battery() -> bool {
    let discharges = || {
        let mut batteries = Manager::new()?.batteries()?;
        Ok::<_, starship_battery::Error>(
            batteries.any(|battery| battery.is_ok_and(|battery| battery.state() == State::Discharging)),
        )
    };
    discharges().unwrap_or_else(|error| {
        tracing::debug!(%error, "the power source is not known");
        false
    })
}
