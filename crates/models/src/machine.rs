//! The resources of this computer for models (memory, processors, graphics card), and whether a model fits.

use serde::Serialize;
use sysinfo::{MemoryRefreshKind, RefreshKind, System};

use crate::generate::card_free;
use crate::{Entry, LlamaSettings, Role};

/// Bytes of a generator's working buffers besides weights and context; a safe estimate.
const GENERATOR_WORK: u64 = 350 << 20;
/// Bytes of a Candle model's working buffers.
const ENCODER_WORK: u64 = 64 << 20;

/// Memory, processors and graphics card of this computer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Machine {
    /// Bytes of memory; 0 if unknown.
    pub memory_total: u64,
    /// Bytes of memory available now.
    pub memory_free: u64,
    /// Free bytes of the usable graphics card; `None` without one.
    pub card_free: Option<u64>,
    /// Processor threads.
    pub threads: usize,
}

impl Machine {
    /// Measures this computer.
    #[must_use]
    pub fn now() -> Self {
        let memory = MemoryRefreshKind::nothing().with_ram();
        let system = System::new_with_specifics(RefreshKind::nothing().with_memory(memory));
        Self {
            memory_total: system.total_memory(),
            memory_free: system.available_memory(),
            card_free: card_free(),
            threads: crate::backend::threads(None),
        }
    }

    /// The memory in bytes that a model could use if another one releases `released`: on the card if more is free
    /// there, otherwise in main memory. 0 if unknown.
    pub(crate) fn free_for_models(&self, released: u64) -> u64 {
        let memory = if self.memory_total == 0 { 0 } else { self.memory_free + released };
        memory.max(self.card_free.map_or(0, |free| free + released))
    }
}

/// Whether a model fits into free memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export_to = "types.ts"))]
#[serde(rename_all = "kebab-case")]
pub enum Fit {
    /// It needs at most three quarters of the free memory.
    Fits,
    /// It needs more than three quarters of the free memory.
    Tight,
    /// It needs more than the free memory.
    TooLarge,
    /// The free memory is unknown.
    Unknown,
}

impl Fit {
    /// Whether `needed` bytes fit into `free` ones; 0 free bytes means unknown.
    #[must_use]
    pub fn of(needed: u64, free: u64) -> Self {
        match free {
            0 => Self::Unknown,
            free if needed > free => Self::TooLarge,
            free if needed > free / 4 * 3 => Self::Tight,
            _ => Self::Fits,
        }
    }
}

/// The memory of a model in use, in bytes: its weights in the format for computing, the keys and values of the context
/// in use, and working buffers.
pub(crate) fn memory_needed(entry: &Entry) -> u64 {
    let weights = entry.weights().map_or(0, |file| file.size);
    if entry.role == Role::Generator {
        let context = entry.context_length.min(LlamaSettings::default().context_length) as u64;
        // If the file does not tell, the value for models of a billion parameters.
        return weights + entry.kv_bytes.unwrap_or(64 << 10) * context + GENERATOR_WORK;
    }
    // Candle computes in 32 bits, so weights in smaller formats grow.
    entry.parameters.map_or(weights, |parameters| weights.max(4 * parameters)) + ENCODER_WORK
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_quarters_of_what_is_free_are_the_line() {
        let fits = [Fit::of(75, 100), Fit::of(76, 100), Fit::of(100, 100), Fit::of(101, 100), Fit::of(1, 0)];
        assert_eq!(fits, [Fit::Fits, Fit::Tight, Fit::Tight, Fit::TooLarge, Fit::Unknown]);
    }

    #[test]
    fn this_machine_has_memory_and_processors() {
        let machine = Machine::now();
        assert!(machine.memory_total >= machine.memory_free && machine.memory_free > 0);
        assert!(machine.threads > 0);
    }
}
