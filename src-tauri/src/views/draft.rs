//! What the documents say about a sentence of a draft.

use std::path::PathBuf;

use oriel_api::Searcher;
use oriel_core::ByteSpan;
use oriel_engine::{Verification, VerifiedPlace, visible};

use crate::api::{Finding, FindingPlace, TextPlace};
use crate::views::documents::{kind_of, name_of, place_of};

/// The finding with its places, which can be opened. `roots` are the followed folders.
pub(crate) fn finding(searcher: &Searcher, found: Verification, roots: &[PathBuf]) -> Finding {
    let place = |place: VerifiedPlace| {
        // It may have left the library since.
        let document = searcher.document_at(&place.path)?;
        Some(FindingPlace {
            document: document.id.0,
            name: name_of(&place.path),
            folder: place_of(&place.path, roots),
            location: place.location.clone(),
            text: shown(&place),
            at: TextPlace {
                start: place.passage.start,
                end: place.passage.end,
                hits: vec![ByteSpan::new(place.start, place.end)],
                answer: None,
                words: None,
                hash: Some(document.hash),
            },
        })
    };
    Finding {
        verdict: found.verdict,
        reason: found.reason,
        difference: found.difference,
        places: found.places.into_iter().filter_map(place).collect(),
        closest: found.closest.and_then(place),
    }
}

/// The sentence without markup.
fn shown(place: &VerifiedPlace) -> String {
    if !kind_of(&place.path).is_markdown() {
        return place.text.clone();
    }
    let whole = ByteSpan::new(0, place.end - place.start);
    visible(&place.text, whole).into_iter().map(|piece| piece.text).collect()
}
