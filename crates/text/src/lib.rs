//! Extractors and segmenter: untrusted bytes become text, text becomes sentences.
//!
//! Everything here may be handed a hostile file. Functions return a [`Failure`] and never panic on input; what a
//! parser does all the same (hang, abort, eat memory) is caught by the process around it, see [`worker`].
//! This crate opens no file and knows no store, no model and no window.

mod extract;
mod plain;
mod segment;
mod terms;
mod visible;
pub mod worker;

use oriel_core::{Extracted, Failure, Kind};

pub use extract::{Limits, Mark, MarkRequest, PageText, RawText, extract, marks};
pub use plain::plain;
pub use segment::sentences;
pub use terms::terms;
pub use visible::{Piece, visible};

/// Bytes of a file to its text, pages and sentences.
///
/// # Errors
/// Why the file could not be read; the reason names the way out where there is one.
pub fn read(kind: Kind, bytes: &[u8], limits: &Limits) -> Result<Extracted, Failure> {
    let RawText { text, pages } = extract(kind, bytes, limits)?;
    let sentences = sentences(&text, kind, &pages);
    Ok(Extracted { text, pages, sentences })
}
