//! The part of a document that a search reads: some of its sentences and their text, with offsets in the whole
//! document.

use std::ops::Range;
use std::path::PathBuf;

use crate::{ByteSpan, DocumentId, Kind, Location, Ordinal, Outline, SentenceId};

/// One sentence of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SentenceRow {
    /// Its bytes in the document's text.
    pub span: ByteSpan,
    /// The page on which it begins, from 1; `None` in formats without pages.
    pub page: Option<u32>,
    /// The id of its text, shared by all sentences with the same text.
    pub id: SentenceId,
}

/// Sentences of a document with their text. All offsets are those of the whole document.
#[derive(Clone, Debug, PartialEq)]
pub struct Excerpt {
    pub document: DocumentId,
    /// Its absolute path.
    pub path: PathBuf,
    pub kind: Kind,
    /// BLAKE3 of the file that its text was read from.
    pub hash: Option<String>,
    /// When the file was last written, in nanoseconds since 1970; `None` if unknown.
    pub modified: Option<i64>,
    /// The text of the sentences, of the headings above them and of the header rows of their tables.
    pub text: PartialText,
    /// The headings above and among the sentences, and the header rows; it may contain more.
    pub outline: Outline,
    pub rows: SentenceRuns,
    /// The ordinals of the sentences between the page furniture; windows stay inside.
    pub body: Range<u32>,
}

impl Excerpt {
    /// The location of the byte at `start` on this page. The row is known only if the text above it is included.
    #[must_use]
    pub fn location(&self, page: Option<u32>, start: u32) -> Location {
        Location::new(self.kind, page, &self.outline, start, |span| self.text.of(span))
    }
}

/// Pieces of a document's text. The rest of the text is not loaded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartialText {
    /// The pieces, each with the offset of its first byte in the document's text; ascending, and they do not touch.
    pieces: Vec<(u32, String)>,
}

impl PartialText {
    /// The whole text as one piece.
    #[must_use]
    pub fn whole(text: String) -> Self {
        Self { pieces: vec![(0, text)] }
    }

    /// Joins pieces given in any order, each with the offset of its first byte. Bytes that two pieces share are kept
    /// once.
    #[must_use]
    pub fn of_pieces(mut pieces: Vec<(u32, String)>) -> Self {
        pieces.sort_by_key(|(start, _)| *start);
        let mut joined: Vec<(u32, String)> = Vec::with_capacity(pieces.len());
        for (start, text) in pieces {
            match joined.last_mut() {
                Some((first, before)) if start as usize <= *first as usize + before.len() => {
                    let known = *first as usize + before.len() - start as usize;
                    before.push_str(text.get(known..).unwrap_or_default());
                }
                _ => joined.push((start, text)),
            }
        }
        Self { pieces: joined }
    }

    /// The text up to the end of the last piece, with line breaks in place of the bytes that are missing.
    #[must_use]
    pub fn with_line_breaks(&self) -> String {
        let mut whole = String::new();
        for (start, text) in &self.pieces {
            whole.extend(std::iter::repeat_n('\n', (*start as usize).saturating_sub(whole.len())));
            whole.push_str(text);
        }
        whole
    }

    /// The text at `span`; `None` if not all of it is included, or if it is not on character boundaries.
    #[must_use]
    pub fn of(&self, span: ByteSpan) -> Option<&str> {
        let after = self.pieces.partition_point(|(start, _)| *start <= span.start);
        let (start, text) = self.pieces.get(after.checked_sub(1)?)?;
        text.get((span.start - start) as usize..span.end.checked_sub(*start)? as usize)
    }
}

/// Runs of consecutive sentences of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SentenceRuns {
    /// The runs, each with the ordinal of its first sentence; ascending, and they do not touch.
    runs: Vec<(u32, Vec<SentenceRow>)>,
}

impl SentenceRuns {
    /// All sentences of the document as one run.
    #[must_use]
    pub fn whole(rows: Vec<SentenceRow>) -> Self {
        Self { runs: vec![(0, rows)] }
    }

    /// Joins sentences given with their ordinals, in any order.
    #[must_use]
    pub fn of_rows(mut rows: Vec<(Ordinal, SentenceRow)>) -> Self {
        rows.sort_by_key(|(ordinal, _)| *ordinal);
        rows.dedup_by_key(|(ordinal, _)| *ordinal);
        let mut runs: Vec<(u32, Vec<SentenceRow>)> = Vec::new();
        for (ordinal, row) in rows {
            match runs.last_mut() {
                Some((first, run)) if *first as usize + run.len() == ordinal.0 as usize => run.push(row),
                _ => runs.push((ordinal.0, vec![row])),
            }
        }
        Self { runs }
    }

    /// The run that contains a sentence, with the ordinal of its first sentence.
    #[must_use]
    pub fn run(&self, ordinal: Ordinal) -> Option<(u32, &[SentenceRow])> {
        let after = self.runs.partition_point(|(first, _)| *first <= ordinal.0);
        let (first, rows) = self.runs.get(after.checked_sub(1)?)?;
        rows.get((ordinal.0 - first) as usize).map(|_| (*first, rows.as_slice()))
    }

    #[must_use]
    pub fn get(&self, ordinal: Ordinal) -> Option<&SentenceRow> {
        let (first, rows) = self.run(ordinal)?;
        rows.get((ordinal.0 - first) as usize)
    }

    /// The sentences with their ordinals, in reading order.
    pub fn iter(&self) -> impl Iterator<Item = (Ordinal, &SentenceRow)> {
        self.runs.iter().flat_map(|(first, rows)| (*first..).map(Ordinal).zip(rows))
    }

    /// The sentences `first..=last` as far as they are included, in reading order.
    pub fn between(&self, first: u32, last: u32) -> impl Iterator<Item = &SentenceRow> {
        let begin =
            self.runs.partition_point(|(start, rows)| (*start as usize + rows.len()) <= first as usize);
        self.runs[begin..].iter().take_while(move |(start, _)| *start <= last).flat_map(
            move |(start, rows)| {
                let begin = first.saturating_sub(*start) as usize;
                let end = rows.len().min((last - start) as usize + 1);
                &rows[begin.min(end)..end]
            },
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_that_touch_or_overlap_are_one_text() {
        let text = PartialText::of_pieces(vec![
            (10, "low. The".into()),
            (3, "Tide".into()),
            (15, "The sea".into()),
            (22, " rises.".into()),
            (15, "The".into()),
        ]);
        let of = |start, end| text.of(ByteSpan::new(start, end));
        assert_eq!(text.with_line_breaks(), "\n\n\nTide\n\n\nlow. The sea rises.");
        assert_eq!((of(3, 7), of(10, 29)), (Some("Tide"), Some("low. The sea rises.")));
        assert_eq!(of(15, 22), Some("The sea"));
        for (start, end) in [(0, 3), (2, 5), (5, 8), (7, 10), (28, 30), (30, 31), (12, 11)] {
            assert_eq!(of(start, end), None, "{start}..{end}");
        }
        let whole = PartialText::whole("Tidé".into());
        assert_eq!((whole.of(ByteSpan::new(0, 5)), whole.of(ByteSpan::new(0, 4))), (Some("Tidé"), None));
    }

    #[test]
    fn sentences_are_found_in_their_runs() {
        let row = |at| SentenceRow { span: ByteSpan::new(at, at + 1), page: None, id: SentenceId(at) };
        let rows = [7, 3, 4, 8, 3].map(|at| (Ordinal(at), row(at)));
        let runs = SentenceRuns::of_rows(rows.to_vec());
        let between = |first, last| runs.between(first, last).map(|row| row.id.0).collect::<Vec<_>>();
        assert_eq!(between(0, 9), [3, 4, 7, 8]);
        assert_eq!((between(4, 7), between(5, 6), between(4, 3)), (vec![4, 7], vec![], vec![]));
        assert_eq!(
            runs.iter().map(|(ordinal, row)| (ordinal.0, row.id.0)).collect::<Vec<_>>(),
            [(3, 3), (4, 4), (7, 7), (8, 8)]
        );
        assert_eq!(runs.get(Ordinal(4)), Some(&row(4)));
        assert!([0, 2, 5, 6, 9].iter().all(|&at| runs.get(Ordinal(at)).is_none()));
        assert_eq!(runs.run(Ordinal(8)), Some((7, &[row(7), row(8)][..])));
        assert_eq!(SentenceRuns::whole(Vec::new()).get(Ordinal(0)), None);
    }
}
