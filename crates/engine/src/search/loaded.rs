//! The documents that hold the candidates, read once for a search: their text and sentences.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::ops::{Range, RangeInclusive};
use std::path::PathBuf;

use oriel_core::{
    AnsweringSentence, ByteSpan, CitedPlace, DocumentId, Heading, Hit, Kind, Ordinal, Outline, Passage,
    SentenceId,
};
use oriel_store::{SentenceRow, StoreError, View};
use oriel_text::{plain, source_of};

use crate::error::EngineError;
use crate::library::sentences::{context, in_context};
use crate::search::rerank::Part;
use crate::search::window::{Candidate, MergedWindow};

/// A document with its text and sentences.
pub(crate) struct LoadedDocument {
    /// Its absolute path.
    pub path: PathBuf,
    /// Its format.
    pub kind: Kind,
    /// BLAKE3 of the file that its text was read from.
    pub hash: Option<String>,
    /// Its text.
    pub text: String,
    /// Its headings and tables.
    pub outline: Outline,
    /// Its sentences, in reading order.
    pub rows: Vec<SentenceRow>,
}

/// The documents of all candidates.
pub(crate) type LoadedDocuments = HashMap<DocumentId, LoadedDocument>;

/// A sentence of a passage, as it is in the document.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PassageSentence {
    /// Its bytes in the document's text.
    pub span: ByteSpan,
    /// Exactly that slice.
    pub text: String,
    /// The document's format, which decides how its text is turned into plain text.
    pub kind: Kind,
    /// The headings above it and the header of its table, as models read them.
    pub context: String,
}

impl PassageSentence {
    /// Its position, as the target of a citation of passage `n`.
    pub(crate) fn cited(&self, n: usize) -> CitedPlace {
        CitedPlace { n, start: self.span.start, end: self.span.end }
    }
}

/// The sentences that the window of one may include, by their ordinals: those of its document, or those of its slide or sheet.
/// `None` if there is no such sentence.
pub(crate) fn unit(rows: &[SentenceRow], kind: Kind, ordinal: Ordinal) -> Option<RangeInclusive<u32>> {
    let page = rows.get(ordinal.0 as usize)?.page;
    let unit = match kind.has_separate_pages() {
        true => rows.partition_point(|row| row.page < page)..rows.partition_point(|row| row.page <= page),
        false => 0..rows.len(),
    };
    Some(u32::try_from(unit.start).ok()?..=u32::try_from(unit.end - 1).ok()?)
}

/// Loads the documents of the candidates.
pub(crate) fn load_documents(
    view: &View<'_>,
    candidates: &[Candidate],
) -> Result<LoadedDocuments, EngineError> {
    let mut documents = LoadedDocuments::new();
    for candidate in candidates {
        if let Entry::Vacant(place) = documents.entry(candidate.document) {
            place.insert(LoadedDocument::read(view, candidate.document)?);
        }
    }
    Ok(documents)
}

impl LoadedDocument {
    /// Loads a document that has sentences.
    pub(crate) fn read(view: &View<'_>, document: DocumentId) -> Result<Self, EngineError> {
        let (record, text) = (view.document(document)?, view.text(document)?);
        let damaged = || StoreError::Corrupt(format!("document {} has sentences and no text", document.0));
        let (record, text) = record.zip(text).ok_or_else(damaged)?;
        let rows = view.table(document)?.rows().collect();
        let outline = view.outline(document)?;
        let hash = record.text_hash();
        Ok(Self { path: record.path, kind: record.kind, hash, text, outline, rows })
    }

    /// The sentences around one that its window may include, by their ordinals.
    pub(crate) fn unit(&self, ordinal: Ordinal) -> Option<RangeInclusive<u32>> {
        unit(&self.rows, self.kind, ordinal)
    }

    /// The sentences `first..=last` as the models read them.
    pub(crate) fn plain(&self, first: u32, last: u32) -> String {
        let mut text = String::new();
        for row in self.between(first, last) {
            if !text.is_empty() {
                text.push(' ');
            }
            text.push_str(&plain(row.span.of(&self.text).unwrap_or_default(), self.kind));
        }
        text
    }

    /// The sentences `first..=last` as the reranker reads them: below the headings of the first, and in a table below its header.
    pub(crate) fn in_context(&self, first: u32, last: u32) -> String {
        in_context(&self.context(first), &self.plain(first, last))
    }

    /// The headings above a sentence and the header of its table, as models read them.
    fn context(&self, ordinal: u32) -> String {
        let Some(row) = self.rows.get(ordinal as usize) else { return String::new() };
        let start = row.span.start;
        context(&self.text, self.kind, self.outline.walk().path(start), self.outline.header_at(start))
    }

    /// The sentence among `first..=last` that holds these bytes of their [`Self::in_context`] text, and the words in it that they
    /// were made from, if these are found.
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
            let sentence = row.span.of(&self.text)?;
            let read = plain(sentence, self.kind);
            from += usize::from(from > 0);
            if words.start < from + read.len() {
                let part = words.start.checked_sub(from)?..read.len().min(words.end - from);
                let byte = |at: usize| row.span.start + u32::try_from(at).unwrap_or(u32::MAX);
                let words = source_of(sentence, self.kind, &read, part)
                    .map(|words| ByteSpan::new(byte(words.start), byte(words.end)));
                return Some((row.span, words));
            }
            from += read.len();
        }
        None
    }

    /// From the first byte of `first` to the last of `last`.
    pub(crate) fn span(&self, first: u32, last: u32) -> Option<ByteSpan> {
        Some(self.rows.get(first as usize)?.span.hull(self.rows.get(last as usize)?.span))
    }

    /// The page on which the sentence begins.
    pub(crate) fn page(&self, ordinal: u32) -> Option<u32> {
        self.rows.get(ordinal as usize)?.page
    }

    /// The pages on which the passage's sentences begin; none in formats without pages.
    pub(crate) fn pages(&self, merged: &MergedWindow) -> Vec<(DocumentId, u32)> {
        self.between(merged.first, merged.last).filter_map(|row| Some((merged.document, row.page?))).collect()
    }

    /// The ids of the passage's sentences. Sentences with the same text share an id.
    pub(crate) fn ids(&self, merged: &MergedWindow) -> Vec<SentenceId> {
        self.between(merged.first, merged.last).map(|row| row.id).collect()
    }

    /// The passage's sentences, in reading order.
    pub(crate) fn sentences(&self, merged: &MergedWindow) -> Vec<PassageSentence> {
        let mut walk = self.outline.walk();
        let sentence = |row: &SentenceRow| PassageSentence {
            span: row.span,
            text: row.span.of(&self.text).unwrap_or_default().to_owned(),
            kind: self.kind,
            context: context(
                &self.text,
                self.kind,
                walk.path(row.span.start),
                self.outline.header_at(row.span.start),
            ),
        };
        self.between(merged.first, merged.last).map(sentence).collect()
    }

    /// The passage as it is shown, with its number, its score and the sentence that answers.
    pub(crate) fn passage(
        &self,
        n: usize,
        merged: &MergedWindow,
        score: f32,
        answer: Option<AnsweringSentence>,
    ) -> Option<Passage> {
        let span = self.span(merged.first, merged.last)?;
        let hits = merged.hits.iter().filter_map(|hit| {
            let span = self.rows.get(hit.ordinal.0 as usize)?.span;
            let text = span.of(&self.text)?.to_owned();
            Some(Hit { start: span.start, end: span.end, text, score: hit.score })
        });
        Some(Passage {
            n,
            path: self.path.clone(),
            headings: self.headings(span.start),
            page: self.page(merged.first),
            start: span.start,
            end: span.end,
            text: span.of(&self.text)?.to_owned(),
            score,
            hits: hits.collect(),
            answer,
        })
    }

    /// The hit of a part; if that is a heading, the sentence after it where the part has one.
    pub(crate) fn below_heading(&self, part: Part) -> Option<ByteSpan> {
        let hit = self.rows.get(part.hit.0 as usize)?.span;
        let headings = &self.outline.headings;
        let is_heading = headings.binary_search_by_key(&hit.start, |heading| heading.span.start).is_ok();
        let below = is_heading && part.hit.0 < part.last;
        if below { Some(self.rows.get(part.hit.0 as usize + 1)?.span) } else { Some(hit) }
    }

    /// The headings above the byte at `offset`, from the outermost to the innermost.
    fn headings(&self, offset: u32) -> Vec<String> {
        let heading = |heading: &Heading| plain(heading.span.of(&self.text).unwrap_or_default(), self.kind);
        self.outline.walk().path(offset).iter().map(heading).collect()
    }

    fn between(&self, first: u32, last: u32) -> impl Iterator<Item = &SentenceRow> {
        self.rows.iter().take((last as usize).saturating_add(1)).skip(first as usize)
    }
}
