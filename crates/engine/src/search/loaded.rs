//! The documents that contain the candidates, read once for a search: the sentences around these, and their text.
//!
//! The store's transaction ends before a model reads anything, because models take long and a reader keeps LMDB from
//! reusing pages.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::ops::{Range, RangeInclusive};

use oriel_core::{
    AlsoIn, AnsweringSentence, ByteSpan, CancelToken, Candidate, CitedPlace, DocumentId, Excerpt, Heading,
    Hit, Kind, Location, Ordinal, Passage, SentenceRange, SentenceRow,
};
use oriel_text::{plain, source_of};

use crate::error::EngineError;
use crate::library::sentences::{context, in_context};
use crate::library::source::AnyRetriever;
use crate::search::rerank::{Part, Wording};
use crate::search::window::{MergedWindow, Window};

/// The parts of a document that a search reads.
pub(crate) struct LoadedDocument {
    pub excerpt: Excerpt,
}

/// The documents of all candidates.
pub(crate) type LoadedDocuments = HashMap<DocumentId, LoadedDocument>;

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PassageSentence {
    /// Its bytes in the document's text.
    pub span: ByteSpan,
    /// The text of the sentence.
    pub text: String,
    /// The document's format, which decides how its text is turned into plain text.
    pub kind: Kind,
    /// The headings above it and the header of its table, as the models read them.
    pub context: String,
    /// Whether it is only a heading.
    pub is_heading: bool,
}

impl PassageSentence {
    /// Its text below its headings.
    pub(crate) fn in_context(&self) -> String {
        in_context(&self.context, &self.text)
    }

    /// Its position, as the target of a citation of passage `n`.
    pub(crate) fn cited(&self, n: usize) -> CitedPlace {
        CitedPlace { n, start: self.span.start, end: self.span.end }
    }
}

/// The ordinals of the sentences that the window of a sentence may include: those of its document, or of its slide or
/// sheet. `None` if the sentence does not exist.
pub(crate) fn unit(rows: &[SentenceRow], kind: Kind, ordinal: Ordinal) -> Option<RangeInclusive<u32>> {
    let page = rows.get(ordinal.0 as usize)?.page;
    let unit = match kind.has_separate_pages() {
        true => rows.partition_point(|row| row.page < page)..rows.partition_point(|row| row.page <= page),
        false => 0..rows.len(),
    };
    Some(u32::try_from(unit.start).ok()?..=u32::try_from(unit.end - 1).ok()?)
}

/// Loads the documents of the candidates, with the sentences of their windows.
pub(crate) fn load_documents(
    retriever: &AnyRetriever<'_>,
    candidates: &[Candidate],
    window: Window,
    cancel: &CancelToken,
) -> Result<LoadedDocuments, EngineError> {
    let excerpts = retriever.excerpts(&ranges(candidates, window), cancel)?;
    Ok(excerpts.into_iter().map(|excerpt| (excerpt.document, LoadedDocument { excerpt })).collect())
}

/// The sentences of the candidates' windows. Windows of one document that overlap or touch are one range.
pub(crate) fn ranges(candidates: &[Candidate], window: Window) -> Vec<SentenceRange> {
    let range = |one: &Candidate| SentenceRange {
        document: one.document,
        first: one.ordinal.0.saturating_sub(window.before),
        last: one.ordinal.0.saturating_add(window.after),
    };
    let mut ranges: Vec<SentenceRange> = candidates.iter().map(range).collect();
    ranges.sort_unstable();
    ranges.dedup_by(|next, kept| {
        let is_one = next.document == kept.document && next.first <= kept.last.saturating_add(1);
        if is_one {
            kept.last = kept.last.max(next.last);
        }
        is_one
    });
    ranges
}

impl LoadedDocument {
    /// The ordinals of the sentences that the window of a sentence may include, as far as they were read.
    pub(crate) fn unit(&self, ordinal: Ordinal) -> Option<RangeInclusive<u32>> {
        let (first, rows) = self.excerpt.rows.run(ordinal)?;
        let unit = unit(rows, self.excerpt.kind, Ordinal(ordinal.0 - first))?;
        let body = &self.excerpt.body;
        if !body.contains(&ordinal.0) {
            return Some(first + unit.start()..=first + unit.end());
        }
        Some((first + unit.start()).max(body.start)..=(first + unit.end()).min(body.end - 1))
    }

    /// The document's text at `span`; empty if it was not read.
    fn text(&self, span: ByteSpan) -> &str {
        self.excerpt.text.of(span).unwrap_or_default()
    }

    /// The sentences `first..=last` as the models read them.
    pub(crate) fn plain(&self, first: u32, last: u32) -> String {
        let mut text = String::new();
        for row in self.between(first, last) {
            if !text.is_empty() {
                text.push(' ');
            }
            text.push_str(&plain(self.text(row.span), self.excerpt.kind));
        }
        text
    }

    /// The sentences `first..=last` as the reranker reads them: below the headings of the first, and in a table below
    /// its header.
    pub(crate) fn in_context(&self, first: u32, last: u32) -> String {
        in_context(&self.context(first), &self.plain(first, last))
    }

    /// The headings above a sentence and the header of its table, as the models read them.
    fn context(&self, ordinal: u32) -> String {
        let Some(row) = self.excerpt.rows.get(Ordinal(ordinal)) else { return String::new() };
        let Excerpt { kind, text, outline, .. } = &self.excerpt;
        let start = row.span.start;
        context(|span| text.of(span), *kind, outline.walk().path(start), outline.header_at(start))
    }

    /// The sentence among `first..=last` at these bytes of their [`Self::in_context`] text, and the source of the words
    /// there, if found.
    pub(crate) fn sentence_with(
        &self,
        first: u32,
        last: u32,
        words: &Range<usize>,
    ) -> Option<(ByteSpan, Option<ByteSpan>)> {
        let above = in_context(&self.context(first), "").len();
        let words = words.start.checked_sub(above)?..words.end.checked_sub(above)?;
        let mut from = 0;
        for row in self.between(first, last) {
            let sentence = self.excerpt.text.of(row.span)?;
            let read = plain(sentence, self.excerpt.kind);
            from += usize::from(from > 0);
            if words.start < from + read.len() {
                let part = words.start.checked_sub(from)?..read.len().min(words.end - from);
                let byte = |at: usize| row.span.start + u32::try_from(at).unwrap_or(u32::MAX);
                let words = source_of(sentence, self.excerpt.kind, &read, part)
                    .map(|words| ByteSpan::new(byte(words.start), byte(words.end)));
                return Some((row.span, words));
            }
            from += read.len();
        }
        None
    }

    /// From the first byte of `first` to the last of `last`.
    pub(crate) fn span(&self, first: u32, last: u32) -> Option<ByteSpan> {
        let rows = &self.excerpt.rows;
        Some(rows.get(Ordinal(first))?.span.hull(rows.get(Ordinal(last))?.span))
    }

    pub(crate) fn location(&self, ordinal: Ordinal) -> Option<Location> {
        let row = self.excerpt.rows.get(ordinal)?;
        Some(self.excerpt.location(row.page, row.span.start))
    }

    /// The location of the passage: the page on which it begins; in a sheet the row of the answer, or of the first hit.
    pub(crate) fn location_of(&self, merged: &MergedWindow, answer: Option<u32>) -> Location {
        let first_hit = || Some(self.excerpt.rows.get(merged.hits.first()?.ordinal)?.span.start);
        let start = answer.or_else(first_hit).unwrap_or_default();
        self.excerpt.location(self.page(merged.first), start)
    }

    /// The page on which the sentence begins.
    fn page(&self, ordinal: u32) -> Option<u32> {
        self.excerpt.rows.get(Ordinal(ordinal))?.page
    }

    /// The pages on which the passage's sentences begin; none in formats without pages.
    pub(crate) fn pages(&self, merged: &MergedWindow) -> Vec<(DocumentId, u32)> {
        self.between(merged.first, merged.last).filter_map(|row| Some((merged.document, row.page?))).collect()
    }

    /// The words of the passage.
    pub(crate) fn wording(&self, merged: &MergedWindow) -> Wording {
        let ids = self.between(merged.first, merged.last).map(|row| row.id).collect();
        Wording::new(ids, &self.plain(merged.first, merged.last))
    }

    /// The passage's sentences, in reading order.
    pub(crate) fn sentences(&self, merged: &MergedWindow) -> Vec<PassageSentence> {
        let Excerpt { kind, text, outline, .. } = &self.excerpt;
        let mut walk = outline.walk();
        let sentence = |row: &SentenceRow| {
            let (path, header) = (walk.path(row.span.start), outline.header_at(row.span.start));
            PassageSentence {
                span: row.span,
                text: self.text(row.span).to_owned(),
                kind: *kind,
                context: context(|span| text.of(span), *kind, path, header),
                is_heading: self.is_heading(row.span),
            }
        };
        self.between(merged.first, merged.last).map(sentence).collect()
    }

    /// The passage as shown, with its number, its score and the sentence that answers.
    pub(crate) fn passage(
        &self,
        n: usize,
        merged: &MergedWindow,
        score: f32,
        answer: Option<AnsweringSentence>,
    ) -> Option<Passage> {
        let span = self.span(merged.first, merged.last)?;
        let hits = merged.hits.iter().filter_map(|hit| {
            let span = self.excerpt.rows.get(hit.ordinal)?.span;
            let text = self.excerpt.text.of(span)?.to_owned();
            Some(Hit { start: span.start, end: span.end, text, score: hit.score })
        });
        Some(Passage {
            n,
            path: self.excerpt.path.clone(),
            headings: self.headings(span.start),
            location: self.location_of(merged, answer.map(|answer| answer.start)),
            start: span.start,
            end: span.end,
            text: self.excerpt.text.of(span)?.to_owned(),
            score,
            hits: hits.collect(),
            answer,
            also: Vec::new(),
        })
    }

    /// Which of several documents with the same text is shown first: the newer file, otherwise the one with the shorter
    /// path.
    pub(crate) fn standing(&self) -> (Reverse<Option<i64>>, usize) {
        (Reverse(self.excerpt.modified), self.excerpt.path.components().count())
    }

    /// The location of the passage, for another one with nearly the same text.
    pub(crate) fn also_in(&self, merged: &MergedWindow) -> Option<AlsoIn> {
        let ByteSpan { start, end } = self.span(merged.first, merged.last)?;
        let Excerpt { path, hash, .. } = &self.excerpt;
        let hits =
            merged.hits.iter().filter_map(|hit| Some(self.excerpt.rows.get(hit.ordinal)?.span)).collect();
        Some(AlsoIn {
            path: path.clone(),
            location: self.location_of(merged, None),
            start,
            end,
            hits,
            hash: hash.clone(),
        })
    }

    /// The hit of a part; if that is a heading, the sentence after it if the part has one.
    pub(crate) fn below_heading(&self, part: Part) -> Option<ByteSpan> {
        let hit = self.excerpt.rows.get(part.hit)?.span;
        let below = self.is_heading(hit) && part.hit.0 < part.last;
        if below { Some(self.excerpt.rows.get(Ordinal(part.hit.0 + 1))?.span) } else { Some(hit) }
    }

    /// Whether a sentence is only a heading.
    pub(crate) fn is_heading(&self, sentence: ByteSpan) -> bool {
        let headings = &self.excerpt.outline.headings;
        let at = headings.binary_search_by_key(&sentence.start, |heading| heading.span.start);
        // Bold words at the beginning of a sentence are a heading that is only a part of it.
        at.is_ok_and(|at| {
            let rest = ByteSpan::new(headings[at].span.end, sentence.end.max(headings[at].span.end));
            !self.text(rest).contains(char::is_alphanumeric)
        })
    }

    /// The headings above the byte at `offset`, outermost first.
    fn headings(&self, offset: u32) -> Vec<String> {
        let heading = |heading: &Heading| plain(self.text(heading.span), self.excerpt.kind);
        self.excerpt.outline.walk().path(offset).iter().map(heading).collect()
    }

    fn between(&self, first: u32, last: u32) -> impl Iterator<Item = &SentenceRow> {
        self.excerpt.rows.between(first, last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::conformance::{Corpus, Frugal};
    use crate::search::window::widen;

    #[test]
    fn windows_that_touch_are_read_as_one() {
        let at = |(document, ordinal)| Candidate {
            document: DocumentId(document),
            ordinal: Ordinal(ordinal),
            score: 0.0,
        };
        let candidates = [(1, 20), (0, 9), (1, 3), (0, 4), (1, 1), (1, 26), (0, 0)].map(at);
        let read = ranges(&candidates, Window { before: 2, after: 2 });
        let read: Vec<_> = read.iter().map(|one| (one.document.0, one.first, one.last)).collect();
        assert_eq!(read, [(0, 0, 11), (1, 0, 5), (1, 18, 22), (1, 24, 28)]);
    }

    #[test]
    fn a_part_of_a_document_gives_the_passages_of_the_whole() {
        let corpus = Corpus::new();
        let compare = |retriever: &AnyRetriever<'_>| {
            for (step, before, after) in [(1, 0, 0), (2, 1, 1), (3, 2, 2), (4, 0, 3), (7, 9, 9)] {
                let (window, cancel) = (Window { before, after }, CancelToken::new());
                let candidates: Vec<Candidate> = corpus.candidates().step_by(step).collect();
                let whole = load_documents(retriever, &candidates, window, &cancel)?;
                let part = load_documents(&Frugal(retriever), &candidates, window, &cancel)?;
                for merge in [true, false] {
                    let widened = |documents: &LoadedDocuments| {
                        widen(&candidates, window, merge, |document, at| documents[&document].unit(at))
                    };
                    assert_eq!(widened(&whole), widened(&part));
                    for one in widened(&whole) {
                        let read = |documents: &LoadedDocuments| {
                            let document = &documents[&one.document];
                            let mut passage = document.passage(1, &one, 0.5, None).unwrap();
                            // Rows are counted in the text of the whole document.
                            passage.location.row = None;
                            let context = document.in_context(one.first, one.last);
                            (passage, context, document.sentences(&one))
                        };
                        assert_eq!(read(&whole), read(&part));
                    }
                }
            }
            Ok(())
        };
        corpus.library().read_index(compare).unwrap();
    }
}
