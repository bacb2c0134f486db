//! A table over documents as the app window shows it.

use oriel_core::{Location, Table, TableCell, TableQuote};
use oriel_engine::PassageDocument;

use crate::documents::{DocumentRef, Resolver};
use crate::payload::payload;
use crate::text::TextPlace;

payload! {
    /// The table that a question asks for.
    pub struct ProposedTable {
        /// What the columns are about, in the words of the question.
        pub columns: Vec<String>,
        /// A question for each column.
        pub questions: Vec<String>,
        /// How many documents there are for it.
        pub documents: usize,
        /// The name of the folder that the question limits it to.
        pub folder: Option<String>,
    }

    /// One row a document, one column a question.
    pub struct TableView {
        /// The question of each column.
        pub questions: Vec<String>,
        pub rows: Vec<TableRowView>,
    }

    /// A document of a table.
    pub struct TableRowView {
        #[serde(flatten)]
        pub document: DocumentRef,
        /// One cell for each question; `None` if it was not read yet.
        pub cells: Vec<Option<CellView>>,
    }

    /// What a document answers to a question.
    pub struct CellView {
        /// The quotes that answer, best first: none if the document does not answer, several if its places disagree.
        pub quotes: Vec<QuoteView>,
        /// Whether the best quote is too uncertain to rely on.
        pub unsure: bool,
    }

    /// A quote with its place.
    pub struct QuoteView {
        /// The words that answer.
        pub words: String,
        pub sentence: String,
        #[serde(flatten)]
        pub location: Location,
        pub at: TextPlace,
    }
}

impl Resolver<'_> {
    /// A table as it is kept.
    pub(crate) fn table(&self, table: &Table) -> TableView {
        let rows = table.rows.iter().map(|row| {
            let quotes = row.cells.iter().flatten().flat_map(|cell| &cell.quotes);
            let sentences: Vec<&str> = quotes.map(|quote| quote.sentence.as_str()).collect();
            let at_path = self.library.document_at(&row.path).ok();
            let source =
                at_path.zip(row.hash.clone()).map(|(now, hash)| PassageDocument { id: now.id, hash });
            let now = self.relocated(&row.path, source.as_ref(), &sentences);
            // What was read from another version of the file is to be read again.
            let hash_now = now.as_ref().and_then(|now| self.library.hash_of(now.id).ok().flatten());
            let is_current = now.is_none() || hash_now == row.hash;
            let shown = |one: &TableCell| CellView::new(one, row.hash.as_deref());
            TableRowView {
                document: self.document(&row.path, now.as_ref()),
                cells: row.cells.iter().map(|one| one.as_ref().filter(|_| is_current).map(shown)).collect(),
            }
        });
        TableView { questions: table.questions.clone(), rows: rows.collect() }
    }
}

impl CellView {
    /// A cell that was read from a file with this BLAKE3.
    pub(crate) fn new(cell: &TableCell, hash: Option<&str>) -> Self {
        let quote = |quote: &TableQuote| QuoteView {
            words: quote.words.clone(),
            sentence: quote.sentence.clone(),
            location: quote.location.clone(),
            at: TextPlace {
                words: Some(quote.at),
                ..TextPlace::sentence(quote.start, quote.end, hash.map(str::to_owned))
            },
        };
        Self { quotes: cell.quotes.iter().map(quote).collect(), unsure: cell.is_unsure }
    }
}
