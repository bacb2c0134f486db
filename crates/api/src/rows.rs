//! Rows below an answer: those that a sum was computed from, or one a document.

use oriel_core::{AnswerRow, AnswerRows, Location};

use crate::documents::Resolver;
use crate::payload::payload;
use crate::text::TextPlace;

payload! {
    /// Rows below an answer.
    pub struct RowsView {
        /// The heads of the columns.
        pub columns: Vec<String>,
        /// The first rows.
        pub rows: Vec<RowView>,
        /// How many there are.
        pub total: usize,
        /// The query that computed the answer, in SQL.
        pub query: Option<String>,
    }

    /// A row below an answer.
    pub struct RowView {
        /// A text for each column.
        pub cells: Vec<String>,
        /// `None` if no document has it, or it left the library.
        pub document: Option<u32>,
        #[serde(flatten)]
        pub location: Location,
        /// `None` if the document as a whole is meant.
        pub at: Option<TextPlace>,
    }
}

impl Resolver<'_> {
    /// Rows as they are kept.
    pub(crate) fn answer_rows(&self, rows: &AnswerRows) -> RowsView {
        RowsView {
            columns: rows.columns.clone(),
            rows: rows.rows.iter().map(|one| self.answer_row(one)).collect(),
            total: rows.total,
            query: rows.query.clone(),
        }
    }

    fn answer_row(&self, row: &AnswerRow) -> RowView {
        let place = row.place.as_ref();
        let document = place.and_then(|place| self.library.document_at(&place.path).ok());
        let at = place.filter(|place| place.start < place.end);
        RowView {
            cells: row.cells.clone(),
            document: document.map(|document| document.id.0),
            location: place.map(|place| place.location.clone()).unwrap_or_default(),
            at: at.map(|place| TextPlace::sentence(place.start, place.end, None)),
        }
    }
}
