//! Lists every document that mentions what a question names: exhaustive and exact, by words alone.
//!
//! A search returns the best passages; this returns all documents, with counts. It merges the postings of all words in
//! one pass, and reads texts only for the documents on the requested page.
//!
//! A sentence mentions the words if it contains all content words, in any form with the same term. If no sentence in
//! the scope does, documents are ranked by the number of words that one of their sentences contains, ties by the rarest
//! word. Only those best sentences of a document count.

use std::cmp::Reverse;
use std::collections::HashSet;
use std::iter::Peekable;

use oriel_core::{ByteSpan, CancelToken, DocumentId, Filter, Location, Ordinal};
use oriel_store::{Posting, StoreError, View};
use oriel_text::terms;
use roaring::RoaringBitmap;
use serde::Serialize;

use crate::error::EngineError;
use crate::library::Library;
use crate::library::document_row::DocumentRow;
use crate::library::filter::searchable_documents;
use crate::question::words::content_words;
use crate::search::mention_spans;

/// Maximum number of distinct terms that are looked up: those of a sentence are the bits of one integer.
const MAX_TERMS: usize = 64;
/// Documents between two checks for cancellation.
const DOCUMENTS_BETWEEN_CHECKS: usize = 256;

/// A page of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MentionPage {
    /// Documents to skip.
    pub from: usize,
    /// Maximum number of documents.
    pub documents: usize,
    /// Maximum number of sentences of each.
    pub sentences: usize,
}

/// Every document that mentions some words, and a page of them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mentions {
    /// The words that were looked up, in the order of the question.
    pub words: Vec<MentionWord>,
    /// Whether some sentence contains all words. Otherwise the documents are those that come closest, best first.
    pub is_whole: bool,
    /// Documents that were searched: all indexed documents in the scope.
    pub searched: usize,
    pub documents: usize,
    /// The number of their sentences that mention the words.
    pub sentences: u64,
    /// The page: most words first, then most sentences, then oldest in the library.
    pub rows: Vec<MentioningDocument>,
}

/// A word that was looked up.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export_to = "types.ts"))]
pub struct MentionWord {
    /// The word as written; for a part of a compound, its term.
    pub word: String,
    /// The number of sentences in the scope that contain it.
    pub sentences: u64,
}

/// A document that mentions the words.
#[derive(Clone, Debug, PartialEq)]
pub struct MentioningDocument {
    pub row: DocumentRow,
    /// The number of words that each of the sentences below contains.
    pub words: usize,
    /// The number of its sentences that contain that many words.
    pub sentences: usize,
    /// The requested ones of these sentences, in reading order.
    pub shown: Vec<Mention>,
}

/// A sentence that mentions the words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mention {
    /// Its bytes in the document's text.
    pub span: ByteSpan,
    /// The text of the sentence.
    pub text: String,
    pub location: Location,
    /// The words in it, in the document's bytes, ascending.
    pub words: Vec<ByteSpan>,
}

impl Library {
    /// Every document in the scope of `filter` that mentions the words of `text`, from one version of the store. Takes
    /// about as long as a search by words, plus reading the texts of the page.
    ///
    /// # Errors
    /// After a cancellation, if the filter names a path without documents, or if the store is damaged.
    pub fn mentions(
        &self,
        text: &str,
        filter: &Filter,
        page: MentionPage,
        cancel: &CancelToken,
    ) -> Result<Mentions, EngineError> {
        self.own_index()?.read(|view| {
            let query = MentionQuery::new(&view, text)?;
            let among = searchable_documents(filter, &view)?;
            let searched = match &among {
                Some(among) => usize::try_from(among.len()).unwrap_or(usize::MAX),
                None => self.catalogue_of(&view)?.overview.documents,
            };
            let Tallied { mut tallies, counts } = tally(&view, &query, among.as_ref(), cancel)?;
            let is_whole =
                !query.terms.is_empty() && tallies.iter().any(|one| one.holds() == query.terms.len());
            if is_whole {
                tallies.retain(|one| one.holds() == query.terms.len());
            }
            tallies.sort_unstable_by_key(|one| {
                (Reverse(one.holds()), Reverse(one.best), Reverse(one.sentences), one.document)
            });
            let mut rows = Vec::new();
            for one in tallies.iter().skip(page.from).take(page.documents) {
                cancel.check()?;
                rows.extend(read(&view, &query, one.document, 0, page.sentences)?);
            }
            Ok(Mentions {
                words: query.counted(&counts),
                is_whole,
                searched,
                documents: tallies.len(),
                sentences: tallies.iter().map(|one| u64::from(one.sentences)).sum(),
                rows,
            })
        })
    }

    /// The sentences of one document that [`Library::mentions`] counts, without the first `skip`, at most `limit`;
    /// `None` if it mentions none of the words.
    ///
    /// # Errors
    /// If the store is damaged.
    pub fn mentions_in(
        &self,
        text: &str,
        document: DocumentId,
        skip: usize,
        limit: usize,
    ) -> Result<Option<MentioningDocument>, EngineError> {
        self.own_index()?.read(|view| read(&view, &MentionQuery::new(&view, text)?, document, skip, limit))
    }
}

/// The distinct words of a question that [`Library::mentions`] looks up, as written.
#[must_use]
pub fn named_words(question: &str) -> Vec<String> {
    let mut seen: Vec<String> = Vec::new();
    let mut named = Vec::new();
    for word in content_words(question) {
        let new: Vec<String> = terms(word).into_iter().filter(|term| !seen.contains(term)).collect();
        if !new.is_empty() {
            named.push(word.to_owned());
            seen.extend(new);
        }
    }
    named
}

/// The words of a question that a text contains, and those that it lacks.
#[must_use]
pub fn words_in(question: &str, text: &str) -> (Vec<String>, Vec<String>) {
    let held: HashSet<String> = terms(text).into_iter().collect();
    named_words(question).into_iter().partition(|word| terms(word).iter().all(|term| held.contains(term)))
}

/// The words to look up.
struct MentionQuery {
    /// In the order of the question: the word to display, and its term.
    words: Vec<(String, String)>,
    /// Indices into `words`, the most frequent word in the library first, so that the rarest has the highest bit.
    terms: Vec<usize>,
}

impl MentionQuery {
    fn new(view: &View<'_>, text: &str) -> Result<Self, StoreError> {
        let mut words: Vec<(String, String)> = Vec::new();
        for word in content_words(text) {
            let parts = terms(word);
            let is_one = parts.len() == 1;
            for term in parts {
                if words.len() < MAX_TERMS && !words.iter().any(|(_, other)| *other == term) {
                    words.push((if is_one { word.to_owned() } else { term.clone() }, term));
                }
            }
        }
        let mut by_frequency = Vec::with_capacity(words.len());
        for (at, (_, term)) in words.iter().enumerate() {
            by_frequency.push((Reverse(view.frequency(term)?), at));
        }
        by_frequency.sort_unstable();
        Ok(Self { words, terms: by_frequency.into_iter().map(|(_, at)| at).collect() })
    }

    fn term(&self, bit: usize) -> &str {
        &self.words[self.terms[bit]].1
    }

    /// The words with the number of sentences that contain each; `counts` is by bit.
    fn counted(&self, counts: &[u64]) -> Vec<MentionWord> {
        let mut counted: Vec<MentionWord> =
            self.words.iter().map(|(word, _)| MentionWord { word: word.clone(), sentences: 0 }).collect();
        for (&at, &sentences) in self.terms.iter().zip(counts) {
            counted[at].sentences = sentences;
        }
        counted
    }

    fn has(&self, term: &str) -> bool {
        self.words.iter().any(|(_, other)| other == term)
    }
}

/// How well a document mentions the words.
#[derive(Clone, Copy, Debug)]
struct Tally {
    document: DocumentId,
    /// The words of its best sentence, one bit each; the rarest has the highest.
    best: u64,
    /// The number of its sentences that contain that many words.
    sentences: u32,
}

impl Tally {
    /// The number of words in its best sentence.
    fn holds(&self) -> usize {
        self.best.count_ones() as usize
    }
}

struct Tallied {
    /// Every document that contains a word, by id.
    tallies: Vec<Tally>,
    /// For each bit, the number of sentences that contain its word.
    counts: Vec<u64>,
}

/// Merges the postings of all words, document by document.
fn tally(
    view: &View<'_>,
    query: &MentionQuery,
    among: Option<&RoaringBitmap>,
    cancel: &CancelToken,
) -> Result<Tallied, EngineError> {
    let mut all = Vec::with_capacity(query.terms.len());
    for bit in 0..query.terms.len() {
        all.push(view.postings(query.term(bit))?.peekable());
    }
    let mut tallied = Tallied { tallies: Vec::new(), counts: vec![0; all.len()] };
    let mut held: Vec<(Ordinal, u64)> = Vec::new();
    for step in 0_usize.. {
        if step.is_multiple_of(DOCUMENTS_BETWEEN_CHECKS) {
            cancel.check()?;
        }
        let Some(document) = nearest(&mut all)? else { break };
        held.clear();
        for (bit, postings) in all.iter_mut().enumerate() {
            let Some(posting) =
                postings.next_if(|one| one.as_ref().is_ok_and(|one| one.document == document))
            else {
                continue;
            };
            if among.is_none_or(|among| among.contains(document.0)) {
                let before = held.len();
                hold(posting?, bit, &mut held)?;
                tallied.counts[bit] += (held.len() - before) as u64;
            }
        }
        if !held.is_empty() {
            tallied.tallies.push(best_of(document, &mut held));
        }
    }
    Ok(tallied)
}

/// The next document in any of the lists.
fn nearest<'t>(
    all: &mut [Peekable<impl Iterator<Item = Result<Posting<'t>, StoreError>>>],
) -> Result<Option<DocumentId>, StoreError> {
    let mut nearest: Option<DocumentId> = None;
    for postings in all {
        if let Some(broken) = postings.next_if(Result::is_err) {
            broken?;
        }
        if let Some(Ok(posting)) = postings.peek() {
            nearest = Some(nearest.map_or(posting.document, |nearest| nearest.min(posting.document)));
        }
    }
    Ok(nearest)
}

/// Adds the sentences of a posting under its word's bit.
fn hold(posting: Posting<'_>, bit: usize, held: &mut Vec<(Ordinal, u64)>) -> Result<(), StoreError> {
    for ordinal in posting.ordinals() {
        held.push((ordinal?, 1 << bit));
    }
    Ok(())
}

/// The sentences of a document that contain all of these terms, in reading order; none if there are no terms.
pub(crate) fn holding(
    view: &View<'_>,
    terms: &[String],
    document: DocumentId,
) -> Result<Vec<Ordinal>, EngineError> {
    let mut held = Vec::new();
    for (bit, term) in terms.iter().take(MAX_TERMS).enumerate() {
        let Some(posting) = view.posting(term, document)? else { return Ok(Vec::new()) };
        hold(posting, bit, &mut held)?;
    }
    by_sentence(&mut held);
    let all = terms.len().min(MAX_TERMS);
    held.retain(|(_, words)| words.count_ones() as usize == all);
    Ok(held.into_iter().map(|(ordinal, _)| ordinal).collect())
}

/// Merges the entries of each sentence into one, in reading order.
fn by_sentence(held: &mut Vec<(Ordinal, u64)>) {
    // The stable sort is fast on runs that are already sorted, as the sentences of each word are.
    held.sort();
    held.dedup_by(|next, kept| {
        let is_same = next.0 == kept.0;
        kept.1 |= if is_same { next.1 } else { 0 };
        is_same
    });
}

fn best_of(document: DocumentId, held: &mut Vec<(Ordinal, u64)>) -> Tally {
    by_sentence(held);
    let mut tally = Tally { document, best: 0, sentences: 0 };
    for &(_, words) in held.iter() {
        let (here, most) = (words.count_ones(), tally.best.count_ones());
        if here > most {
            (tally.best, tally.sentences) = (words, 1);
        } else if here == most {
            (tally.best, tally.sentences) = (tally.best.max(words), tally.sentences + 1);
        }
    }
    tally
}

/// A document with its best sentences.
fn read(
    view: &View<'_>,
    query: &MentionQuery,
    document: DocumentId,
    skip: usize,
    limit: usize,
) -> Result<Option<MentioningDocument>, EngineError> {
    let mut held = Vec::new();
    for bit in 0..query.terms.len() {
        if let Some(posting) = view.posting(query.term(bit), document)? {
            hold(posting, bit, &mut held)?;
        }
    }
    if held.is_empty() {
        return Ok(None);
    }
    let tally = best_of(document, &mut held);
    let damaged = || StoreError::Corrupt(format!("document {} has postings and no text", document.0));
    let (record, text) = view.document(document)?.zip(view.text(document)?).ok_or_else(damaged)?;
    let (table, outline) = (view.table(document)?, view.outline(document)?);
    let counting = held.iter().filter(|(_, words)| words.count_ones() as usize == tally.holds());
    let mut shown = Vec::new();
    for &(ordinal, _) in counting.skip(skip).take(limit) {
        let row = table.get(ordinal).ok_or_else(damaged)?;
        let sentence = row.span.of(&text).ok_or_else(damaged)?;
        let words = mention_spans::of(sentence, row.span.start, &|term| query.has(term));
        let location = Location::new(record.kind, row.page, &outline, row.span.start, |span| span.of(&text));
        shown.push(Mention { span: row.span, text: sentence.to_owned(), location, words });
    }
    Ok(Some(MentioningDocument {
        row: DocumentRow::new(document, record),
        words: tally.holds(),
        sentences: tally.sentences as usize,
        shown,
    }))
}

#[cfg(test)]
mod tests;
