//! Limits on the time and memory that reading one file may take.

use std::time::Duration;

use oriel_text::Limits;

/// Limits for reading one file.
#[derive(Clone, Copy, Debug)]
pub struct ExtractorLimits {
    /// Time from the first byte sent to the last byte received.
    pub time: Duration,
    /// Largest file in bytes; larger ones are not read.
    pub file_bytes: u64,
    /// Limits on the text and on what is unpacked.
    pub text: Limits,
}

impl Default for ExtractorLimits {
    fn default() -> Self {
        Self { time: Duration::from_secs(60), file_bytes: 512 << 20, text: Limits::default() }
    }
}
