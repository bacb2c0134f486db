//! The search that Oriel is compared with: documents cut into chunks without regard to sentences, one vector each, the nearest
//! ones by cosine. No words, no windows, no reranker. Everything is in memory and gone afterwards.

use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use oriel_api::AppError;
use oriel_core::{ByteSpan, CancelToken, Embedder, ModelError, TextKind, Timings};
use oriel_engine::{EngineError, Library};

use crate::metrics::{DEPTH, Retrieved};

/// Chunks that are embedded between two looks at the token.
const BATCH: usize = 64;

/// How documents are cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cut {
    /// Every so many tokens of the embedder.
    Tokens(usize),
    /// Every so many characters, each beginning `overlap` before the end of the one before it.
    Characters { size: usize, overlap: usize },
    /// At paragraphs, else lines, sentences, words, characters, into pieces of at most `size` characters. A piece begins with
    /// as many whole parts of the one before it as fit into `overlap`. As LangChain's RecursiveCharacterTextSplitter does, with
    /// the ends of sentences besides.
    Recursive { size: usize, overlap: usize },
}

/// The chunks of a library with their vectors.
pub(super) struct NaiveIndex {
    embedder: Arc<dyn Embedder>,
    pieces: Vec<Piece>,
    paths: Vec<PathBuf>,
    /// Unit vectors, one after the other.
    vectors: Vec<f32>,
}

struct Piece {
    document: usize,
    span: ByteSpan,
    characters: usize,
}

impl NaiveIndex {
    /// Cuts and embeds every document of a library. `progress` gets chunks done and in all.
    pub(super) fn new(
        library: &Library,
        embedder: Arc<dyn Embedder>,
        cut: Cut,
        progress: &mut dyn FnMut(usize, usize),
        cancel: &CancelToken,
    ) -> Result<Self, AppError> {
        let mut rows = library.documents("", usize::MAX)?;
        rows.retain(|row| row.sentences > 0);
        rows.sort_by(|a, b| a.path.cmp(&b.path));
        let mut pieces = Vec::new();
        let mut texts = Vec::new();
        for (document, row) in rows.iter().enumerate() {
            cancel.check().map_err(EngineError::from)?;
            let text = library.text_of(row.id)?.text;
            for range in cut.apply(&text, &*embedder)? {
                let span = ByteSpan::new(range.start as u32, range.end as u32);
                let text = text[range].to_owned();
                pieces.push(Piece { document, span, characters: text.chars().count() });
                texts.push(text);
            }
        }
        let mut vectors = Vec::with_capacity(texts.len() * embedder.dimensions());
        for (batch, done) in texts.chunks(BATCH).zip((0..).step_by(BATCH)) {
            progress(done, texts.len());
            vectors.extend(embedder.embed(batch, TextKind::Passage, cancel)?.into_iter().flatten());
        }
        progress(texts.len(), texts.len());
        Ok(Self { embedder, pieces, paths: rows.into_iter().map(|row| row.path).collect(), vectors })
    }

    /// The nearest chunks, best first, the best cosine similarity, and how long it took.
    pub(super) fn search(
        &self,
        question: &str,
        cancel: &CancelToken,
    ) -> Result<(Vec<Retrieved>, Option<f32>, Timings), AppError> {
        let begun = Instant::now();
        let query = self.embedder.embed(&[question.to_owned()], TextKind::Query, cancel)?.concat();
        let embed_ms = begun.elapsed().as_secs_f64() * 1000.0;
        let similarities = self.vectors.chunks_exact(self.embedder.dimensions());
        let similarity = |vector: &[f32]| vector.iter().zip(&query).map(|(a, b)| a * b).sum::<f32>();
        let mut ranked: Vec<(f32, &Piece)> = similarities.map(similarity).zip(&self.pieces).collect();
        ranked.sort_by(|a, b| b.0.total_cmp(&a.0));
        ranked.truncate(DEPTH);
        let total_ms = begun.elapsed().as_secs_f64() * 1000.0;
        let timings = Timings { embed_ms, dense_ms: total_ms - embed_ms, total_ms, ..Timings::default() };
        let best = ranked.first().map(|(similarity, _)| *similarity);
        let found = ranked.into_iter().map(|(_, piece)| Retrieved {
            path: self.paths[piece.document].clone(),
            span: piece.span,
            characters: piece.characters,
        });
        Ok((found.collect(), best, timings))
    }
}

impl Cut {
    /// The byte ranges of the chunks of a text, in order. None is only white space.
    fn apply(self, text: &str, embedder: &dyn Embedder) -> Result<Vec<Range<usize>>, ModelError> {
        let mut ranges = match self {
            Self::Tokens(size) => {
                let tokens = embedder.token_spans(text)?;
                let ends = |tokens: &[Range<usize>]| Some(tokens.first()?.start..tokens.last()?.end);
                tokens.chunks(size).filter_map(ends).collect()
            }
            Self::Characters { size, overlap } => by_characters(text, size, overlap),
            Self::Recursive { size, overlap } => recursive(text, size, overlap),
        };
        ranges.retain(|range| !text[range.clone()].trim().is_empty());
        Ok(ranges)
    }
}

fn by_characters(text: &str, size: usize, overlap: usize) -> Vec<Range<usize>> {
    let mut starts: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
    let count = starts.len();
    starts.push(text.len());
    let mut ranges = Vec::new();
    let mut from = 0;
    while from < count {
        let to = (from + size).min(count);
        ranges.push(starts[from]..starts[to]);
        if to == count {
            break;
        }
        from = to - overlap;
    }
    ranges
}

/// Where a text may be cut, the coarsest first: each returns the end of a part within it.
const SEPARATORS: [&[&str]; 4] = [&["\n\n"], &["\n"], &[". ", "! ", "? ", "。", "！", "？"], &[" "]];

fn recursive(text: &str, size: usize, overlap: usize) -> Vec<Range<usize>> {
    let mut parts = Vec::new();
    divide(text, 0..text.len(), size, &SEPARATORS, &mut parts);
    let length = |range: Range<usize>| text[range].chars().count();
    let mut ranges: Vec<Range<usize>> = Vec::new();
    let mut first = 0;
    for at in 0..parts.len() {
        if at > first && length(parts[first].start..parts[at].end) > size {
            ranges.push(parts[first].start..parts[at - 1].end);
            // As much of the end as fits into the overlap, and with the next part into a piece.
            let fits = |from: &usize| {
                length(parts[*from].start..parts[at - 1].end) <= overlap
                    && length(parts[*from].start..parts[at].end) <= size
            };
            first = (first + 1..at).find(fits).unwrap_or(at);
        }
    }
    ranges.extend(parts.get(first).map(|part| part.start..text.len()));
    ranges
}

/// Divides a range until no part is longer than `size`. Together the parts are the range.
fn divide(
    text: &str,
    range: Range<usize>,
    size: usize,
    separators: &[&[&str]],
    into: &mut Vec<Range<usize>>,
) {
    if text[range.clone()].chars().count() <= size {
        into.push(range);
        return;
    }
    let Some((coarsest, finer)) = separators.split_first() else {
        into.extend(
            by_characters(&text[range.clone()], size, 0)
                .into_iter()
                .map(|part| range.start + part.start..range.start + part.end),
        );
        return;
    };
    let within = &text[range.clone()];
    let mut ends: Vec<usize> = coarsest
        .iter()
        .flat_map(|separator| {
            within.match_indices(separator).map(|(at, found)| range.start + at + found.len())
        })
        .chain([range.end])
        .collect();
    ends.sort_unstable();
    ends.dedup();
    let mut from = range.start;
    for end in ends {
        divide(text, from..end, size, finer, into);
        from = end;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(text: &str, ranges: Vec<Range<usize>>) -> Vec<&str> {
        ranges.into_iter().map(|range| &text[range]).collect()
    }

    #[test]
    fn characters_are_cut_with_their_overlap() {
        let text = "äbcdefghij";
        assert_eq!(pieces(text, by_characters(text, 4, 1)), ["äbcd", "defg", "ghij"]);
        assert_eq!(pieces(text, by_characters(text, 20, 5)), [text]);
        assert!(by_characters("", 4, 1).is_empty());
    }

    #[test]
    fn paragraphs_stay_whole_where_they_fit() {
        let text = "One two.\n\nThree four five six seven. Eight nine.\n\nTen.";
        assert_eq!(
            pieces(text, recursive(text, 30, 0)),
            ["One two.\n\n", "Three four five six seven. ", "Eight nine.\n\nTen."]
        );
    }

    #[test]
    fn the_overlap_is_made_of_whole_parts() {
        let text = "aaaa bbbb cccc dddd";
        assert_eq!(pieces(text, recursive(text, 10, 5)), ["aaaa bbbb ", "bbbb cccc ", "cccc dddd"]);
        assert_eq!(pieces(text, recursive(text, 10, 0)), ["aaaa bbbb ", "cccc dddd"]);
    }

    #[test]
    fn no_piece_is_too_long_and_nothing_is_lost() {
        let text = "x".repeat(95) + " " + &"wörter ".repeat(40) + "\n\n" + &"y".repeat(31);
        for (size, overlap) in [(30, 0), (30, 10), (100, 20)] {
            let ranges = recursive(&text, size, overlap);
            assert!(ranges.iter().all(|range| text[range.clone()].chars().count() <= size), "{size}");
            assert!(ranges.windows(2).all(|two| two[1].start <= two[0].end && two[0].end < two[1].end));
            assert_eq!((ranges[0].start, ranges.last().unwrap().end), (0, text.len()));
        }
    }
}
