//! Whether the computer runs on battery.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use starship_battery::{Manager, State};

use crate::lock::lock;

/// The system is asked this often at most: some laptops take tens of milliseconds to answer.
pub(super) const POWER_INTERVAL: Duration = Duration::from_secs(5);

/// Asks whether the computer runs on battery, and remembers the answer for a few seconds.
pub(super) struct Power {
    ask: fn() -> bool,
    answer: Mutex<Option<(Instant, bool)>>,
}

impl Power {
    pub fn new(ask: fn() -> bool) -> Self {
        Self { ask, answer: Mutex::new(None) }
    }

    pub fn is_on_battery(&self) -> bool {
        let mut answer = lock(&self.answer);
        match *answer {
            Some((at, is_on_battery)) if at.elapsed() < POWER_INTERVAL => is_on_battery,
            _ => {
                let is_on_battery = (self.ask)();
                *answer = Some((Instant::now(), is_on_battery));
                is_on_battery
            }
        }
    }
}

/// Whether a battery of this computer is discharging. A computer that does not say so runs on mains power.
pub fn is_on_battery() -> bool {
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
