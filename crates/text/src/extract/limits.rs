//! Limits of reading, and the failures that every reader knows.

use oriel_core::notice::Damage;
use oriel_core::{Failure, FailureCode, INSTALL_TESSERACT, Kind, Notice};
use serde::{Deserialize, Serialize};

/// Limits on what an extractor may produce from one file.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Limits {
    /// Maximum bytes of text; a longer text is a failure, not a cut.
    pub text_bytes: usize,
    /// Maximum bytes of all parts that are unpacked to read the file.
    pub unpacked_bytes: u64,
    /// Maximum bytes of all members together, with their texts.
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
    Failure::new(FailureCode::Broken, Notice::Damaged { kind: called(kind), what })
}

/// What messages call a file of this kind. The kind of all archives has the name of one format.
pub(crate) fn called(kind: Kind) -> String {
    if kind == Kind::Archive { "archive".to_owned() } else { kind.name().to_owned() }
}
