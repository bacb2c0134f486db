//! Limits of reading, and the failures that every reader knows.

use oriel_core::notice::Damage;
use oriel_core::{Failure, FailureCode, INSTALL_TESSERACT, Kind, Notice};
use serde::{Deserialize, Serialize};

/// Limits for the extraction of one file.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Limits {
    /// Maximum bytes of text; a longer text is a failure and is not cut.
    pub text_bytes: usize,
    /// Maximum bytes of all parts that are unpacked to read the file.
    pub unpacked_bytes: u64,
    /// Maximum bytes of all members together, including their texts.
    pub member_bytes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { text_bytes: 256 << 20, unpacked_bytes: 1 << 30, member_bytes: 256 << 20 }
    }
}

pub(crate) fn too_large() -> Failure {
    Failure::new(FailureCode::TooLarge, Notice::TextTooLong)
}

pub(crate) fn needs_ocr() -> Failure {
    Failure::new(FailureCode::NeedsOcr, Notice::NeedsOcr { install: INSTALL_TESSERACT.to_owned() })
}

pub(crate) fn damaged(kind: Kind, what: Damage) -> Failure {
    Failure::new(FailureCode::Broken, Notice::Damaged { kind: kind_name(kind), what })
}

/// The name of a kind in messages. The kind for all archives is named after one format.
pub(crate) fn kind_name(kind: Kind) -> String {
    if kind == Kind::Archive { "archive".to_owned() } else { kind.name().to_owned() }
}
