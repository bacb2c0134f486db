//! A table over documents.

use std::path::PathBuf;

use oriel_core::{ByteSpan, Table, TableCell, TableQuote};
use oriel_engine::{Library, PassageDocument};

use crate::api::{CellView, QuoteView, TableRowView, TableView, TextPlace};
use crate::views::documents::{name_of, place_of, relocated};

/// A table as it is kept. `roots` are the followed folders.
pub(crate) fn table(library: &Library, table: &Table, roots: &[PathBuf]) -> TableView {
    let rows = table.rows.iter().map(|row| {
        let quotes = row.cells.iter().flatten().flat_map(|cell| &cell.quotes);
        let sentences: Vec<&str> = quotes.map(|quote| quote.sentence.as_str()).collect();
        let at_path = library.document_at(&row.path).ok();
        let source = at_path.zip(row.hash.clone()).map(|(now, hash)| PassageDocument { id: now.id, hash });
        let now = relocated(library, &row.path, source.as_ref(), &sentences);
        let path = now.as_ref().map_or(&row.path, |now| &now.path);
        // What was read from another version of the file is to be read again.
        let hash_now = now.as_ref().and_then(|now| library.hash_of(now.id).ok().flatten());
        let is_current = now.is_none() || hash_now == row.hash;
        let shown = |one: &TableCell| cell(one, row.hash.as_deref());
        TableRowView {
            document: now.as_ref().map(|now| now.id.0),
            name: name_of(path),
            place: place_of(path, roots),
            cells: row.cells.iter().map(|one| one.as_ref().filter(|_| is_current).map(shown)).collect(),
        }
    });
    TableView { questions: table.questions.clone(), rows: rows.collect() }
}

/// A cell that was read from a file with this BLAKE3.
pub(crate) fn cell(cell: &TableCell, hash: Option<&str>) -> CellView {
    let quote = |quote: &TableQuote| QuoteView {
        words: quote.words.clone(),
        sentence: quote.sentence.clone(),
        location: quote.location.clone(),
        at: TextPlace {
            start: quote.start,
            end: quote.end,
            hits: Vec::new(),
            answer: Some(ByteSpan::new(quote.start, quote.end)),
            words: Some(quote.at),
            hash: hash.map(str::to_owned),
        },
    };
    CellView { quotes: cell.quotes.iter().map(quote).collect(), unsure: cell.is_unsure }
}
