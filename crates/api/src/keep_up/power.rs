//! Whether the computer runs on battery.
//!
//! While the battery discharges, long work waits: vectors if more than 1,000 sentences lack one, and text recognition.
//! The run ends, and the next follows within ten seconds of mains power. Documents are read, and what the user changed
//! or asked about gets vectors, up to 1,000 sentences a run. The command line never waits.

use std::time::{Duration, Instant};

use parking_lot::Mutex;
use starship_battery::{Manager, State};

/// Asks whether the computer runs on battery, and remembers the answer for a while: some laptops take tens of milliseconds.
#[derive(Debug)]
pub struct Power {
    ask: fn() -> bool,
    pub(super) interval: Duration,
    saving: Mutex<Saving>,
}

#[derive(Debug, Default)]
struct Saving {
    /// Whether long work waits on battery …
    is_on: bool,
    /// … unless the user resumed it since the computer was last on mains power.
    is_overridden: bool,
    answer: Option<(Instant, bool)>,
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
        Self { ask, interval, saving: Mutex::default() }
    }

    /// Whether long work waits from now on while the computer runs on battery.
    pub(super) fn save(&self, saves: bool) {
        self.saving.lock().is_on = saves;
    }

    /// What waits goes on, until the computer was on mains power.
    pub(super) fn resume(&self) {
        let mut saving = self.saving.lock();
        saving.is_overridden = self.is_on_battery(&mut saving.answer);
    }

    /// Whether long work waits.
    pub(super) fn defers(&self) -> bool {
        let mut saving = self.saving.lock();
        if !saving.is_on {
            return false;
        }
        let is_on_battery = self.is_on_battery(&mut saving.answer);
        saving.is_overridden &= is_on_battery;
        is_on_battery && !saving.is_overridden
    }

    fn is_on_battery(&self, answer: &mut Option<(Instant, bool)>) -> bool {
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

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::*;

    #[test]
    fn what_is_resumed_on_battery_goes_on_until_the_computer_was_on_mains_power() {
        static ON_BATTERY: AtomicBool = AtomicBool::new(true);
        let power = Power::new(|| ON_BATTERY.load(Ordering::Relaxed), Duration::ZERO);
        let defers = |is_on_battery| {
            ON_BATTERY.store(is_on_battery, Ordering::Relaxed);
            power.defers()
        };
        assert!(!defers(true), "nobody wants to save power");
        power.save(true);
        assert!(!defers(false) && defers(true));
        power.resume();
        assert!(!defers(true), "the user resumed it");
        assert!(!defers(false) && defers(true), "and has it wait the next time");
        power.save(false);
        assert!(!defers(true), "it is switched off");
    }
}
