//! Questions to review, with places that can be opened.

use std::path::PathBuf;

use oriel_api::AppError;
use oriel_engine::Library;
use oriel_eval::ReviewRow;

use crate::api::{FindingPlace, QuestionRow, TextPlace};
use crate::views::documents::{name_of, place_of};

/// A question to review. `roots` are the followed folders.
pub(crate) fn question_row(
    library: &Library,
    row: ReviewRow,
    roots: &[PathBuf],
) -> Result<QuestionRow, AppError> {
    let place = match row.place.as_ref().and_then(|(document, spans)| Some((document, spans, spans.first()?)))
    {
        Some((document, spans, first)) => Some(FindingPlace {
            document: document.id.0,
            name: name_of(&document.path),
            folder: place_of(&document.path, roots),
            location: row.location,
            text: row.sentence.unwrap_or_default(),
            at: TextPlace {
                start: first.start,
                end: first.end,
                hits: spans.clone(),
                answer: None,
                words: None,
                hash: library.hash_of(document.id)?,
            },
        }),
        None => None,
    };
    Ok(QuestionRow {
        id: row.id,
        question: row.question,
        decision: row.decision,
        file: row.file.as_deref().map(name_of),
        place,
    })
}
