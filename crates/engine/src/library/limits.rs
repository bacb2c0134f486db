//! Limits on the time and memory that reading one file may take.

use std::time::Duration;

use oriel_text::Limits;

/// What one file may cost.
#[derive(Clone, Copy, Debug)]
pub struct ExtractorLimits {
    /// Time from the first byte sent to the last received.
    pub time: Duration,
    /// Bytes of a file; larger ones are not opened.
    pub file_bytes: u64,
    /// Bytes of text, and of what unpacks.
    pub text: Limits,
}

impl Default for ExtractorLimits {
    fn default() -> Self {
        Self { time: Duration::from_secs(60), file_bytes: 512 << 20, text: Limits::default() }
    }
}
