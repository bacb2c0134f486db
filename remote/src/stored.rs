//! Rows as every index stores them, and lists of found rows.

use std::collections::HashMap;
use std::path::{MAIN_SEPARATOR, Path};

use oriel_core::{ByteSpan, DocumentId, Heading, Ordinal};
use oriel_wire::index::{FoundRow, Row};
use serde::{Deserialize, Serialize};

/// The place of a sentence in its document; no search uses it, so it is stored as JSON.
#[derive(Serialize, Deserialize)]
pub(crate) struct Place {
    span: ByteSpan,
    page: Option<u32>,
    file_hash: Option<String>,
    headings: Vec<(Heading, String)>,
    header: Option<(ByteSpan, u32, String)>,
}

impl Place {
    /// The place of a row, as JSON.
    pub(crate) fn of(row: &Row) -> Option<String> {
        let Row { span, page, .. } = *row;
        let (file_hash, headings, header) = (row.file_hash.clone(), row.headings.clone(), row.header.clone());
        serde_json::to_string(&Self { span, page, file_hash, headings, header }).ok()
    }
}

/// A row in the types of the columns.
pub(crate) struct StoredRow<'a> {
    pub(crate) position: (DocumentId, Ordinal),
    pub(crate) generation: i64,
    pub(crate) dated: i64,
    pub(crate) kind: &'a str,
    pub(crate) path: &'a str,
    /// Empty if there is none.
    pub(crate) sender: &'a str,
    pub(crate) hash: &'a str,
    pub(crate) text: &'a str,
    pub(crate) place: &'a str,
    /// Separated by spaces.
    pub(crate) terms: &'a str,
}

impl StoredRow<'_> {
    /// The row; `None` if it was not written by Oriel.
    pub(crate) fn read(&self) -> Option<Row> {
        let (document, ordinal) = self.position;
        let Place { span, page, file_hash, headings, header } = serde_json::from_str(self.place).ok()?;
        Some(Row {
            document,
            ordinal,
            generation: self.generation.cast_unsigned(),
            path: self.path.into(),
            kind: self.kind.parse().ok()?,
            dated: self.dated,
            sender: Some(self.sender.to_owned()).filter(|sender| !sender.is_empty()),
            file_hash,
            hash: self.hash.to_owned(),
            span,
            page,
            text: self.text.to_owned(),
            headings,
            header,
            terms: self.terms.split(' ').filter(|term| !term.is_empty()).map(str::to_owned).collect(),
        })
    }
}

/// Document and ordinal as one number, so that the rows of a document are consecutive.
pub(crate) fn row_id(document: DocumentId, ordinal: Ordinal) -> i64 {
    i64::from(document.0) << 32 | i64::from(ordinal.0)
}

/// The inverse of [`row_id`].
pub(crate) fn of_row_id(id: i64) -> (DocumentId, Ordinal) {
    let id = id.cast_unsigned();
    (DocumentId((id >> 32) as u32), Ordinal(id as u32))
}

/// The length of each of `count` vectors; `None` if they are empty or have different lengths.
pub(crate) fn dimensions(count: usize, vectors: &[f32]) -> Option<usize> {
    let dimensions = vectors.len().checked_div(count)?;
    (dimensions > 0 && dimensions * count == vectors.len()).then_some(dimensions)
}

/// A folder's own path, and the bounds of the text range that contains every path inside it. In a range comparison no
/// character has a special meaning.
pub(crate) fn folder_range(path: &Path) -> [String; 3] {
    let path = path.to_string_lossy();
    let folder = path.trim_end_matches(MAIN_SEPARATOR);
    // The character after the separator ends the range of paths that begin with the folder.
    let after = char::from(u8::try_from(MAIN_SEPARATOR).unwrap_or(b'/') + 1);
    [folder.to_owned(), format!("{folder}{MAIN_SEPARATOR}"), format!("{folder}{after}")]
}

/// Cuts found rows to `depth`, with at most `most` rows of each sentence. They were requested `limit` at a time; also
/// returns whether to request more, because too few are left and there may be more.
pub(crate) fn cut(
    lists: Vec<Vec<(FoundRow, String)>>,
    limit: usize,
    depth: usize,
    most: usize,
) -> (Vec<Vec<FoundRow>>, bool) {
    let mut is_short = false;
    let cut = |list: Vec<(FoundRow, String)>| {
        let is_full = list.len() >= limit;
        let mut kept = without_repeats(list, most);
        is_short |= is_full && kept.len() < depth;
        kept.truncate(depth);
        kept
    };
    (lists.into_iter().map(cut).collect(), is_short)
}

/// The rows in order, with at most `most` rows of each sentence.
fn without_repeats(list: Vec<(FoundRow, String)>, most: usize) -> Vec<FoundRow> {
    let mut taken: HashMap<String, usize> = HashMap::new();
    let mut keeps = |hash: String| {
        let count = taken.entry(hash).or_default();
        *count += 1;
        *count <= most
    };
    list.into_iter().filter_map(|(row, hash)| keeps(hash).then_some(row)).collect()
}
