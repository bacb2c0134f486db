//! The rows below an answer.

use oriel_core::{AnswerRow, AnswerRows, ByteSpan};
use oriel_engine::Library;

use crate::api::{RowView, RowsView, TextPlace};

/// Rows as they are kept, each with its document as it lies now.
pub(crate) fn rows(library: &Library, rows: &AnswerRows) -> RowsView {
    RowsView {
        columns: rows.columns.clone(),
        rows: rows.rows.iter().map(|one| row(library, one)).collect(),
        total: rows.total,
        query: rows.query.clone(),
    }
}

fn row(library: &Library, row: &AnswerRow) -> RowView {
    let place = row.place.as_ref();
    let document = place.and_then(|place| library.document_at(&place.path).ok());
    let at = place.filter(|place| place.start < place.end).map(|place| TextPlace {
        start: place.start,
        end: place.end,
        hits: Vec::new(),
        answer: Some(ByteSpan::new(place.start, place.end)),
        words: None,
        hash: None,
    });
    RowView {
        cells: row.cells.clone(),
        document: document.map(|document| document.id.0),
        location: place.map(|place| place.location.clone()).unwrap_or_default(),
        at,
    }
}
