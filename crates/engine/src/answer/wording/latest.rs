//! Words for the newest and the oldest document that answers, and for the others.

use oriel_core::TimeOrder;
use oriel_text::dates::Period;

use super::pick;

/// " (price list 2026.md, 2026)"
pub(crate) fn source(name: &str, period: Period, is_german: bool) -> String {
    format!(" ({name}, {})", period.in_words(is_german))
}

/// The word before what other documents say.
pub(crate) fn others(order: Option<TimeOrder>, is_german: bool) -> &'static str {
    match order {
        Some(TimeOrder::First) => pick(is_german, "Later", "Später"),
        _ => pick(is_german, "Before", "Davor"),
    }
}
