//! Postings and BM25 (Robertson and Zaragoza, "The Probabilistic Relevance Framework", 2009), with sentences as the
//! scored units.

use std::collections::{BTreeMap, HashMap, HashSet};

use oriel_core::{DocumentId, Ordinal};
use roaring::RoaringBitmap;

use crate::view::unpack;
use crate::{Edit, StoreError, View, keys};

/// Saturation of a term's frequency.
const K1: f32 = 1.2;
/// Weight of a sentence's length.
const B: f32 = 0.75;
/// A term in more than this share of all sentences is ignored if the query has rarer ones.
const FREQUENT_TERM_SHARE: f64 = 0.1;
/// With fewer sentences than this no term is ignored.
const MIN_SENTENCES_TO_IGNORE_TERMS: u64 = 2_000;

/// A sentence found by words of the query.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SparseHit {
    /// Its document.
    pub document: DocumentId,
    /// Its ordinal in the document.
    pub ordinal: Ordinal,
    /// BM25; higher is better.
    pub score: f32,
}

/// The sentences of one document that hold a term.
#[derive(Clone, Copy, Debug)]
pub struct Posting<'t> {
    /// The document.
    pub document: DocumentId,
    block: &'t [u8],
}

impl<'t> Posting<'t> {
    /// Their ordinals in the document, ascending.
    pub fn ordinals(self) -> impl Iterator<Item = Result<Ordinal, StoreError>> + 't {
        let (mut block, mut ordinal) = (self.block, 0);
        std::iter::from_fn(move || {
            if block.is_empty() {
                return None;
            }
            let mut next = || {
                ordinal += keys::take_varint(&mut block)?;
                // The term's frequency in the sentence, and the sentence's number of terms.
                keys::take_varint(&mut block)?;
                keys::take_varint(&mut block)?;
                Ok(Ordinal(ordinal))
            };
            Some(next())
        })
    }
}

impl<'t> View<'t> {
    /// The documents whose sentences hold a term, by id.
    ///
    /// # Errors
    /// If the store is damaged.
    pub fn postings(
        &self,
        term: &str,
    ) -> Result<impl Iterator<Item = Result<Posting<'t>, StoreError>> + 't, StoreError> {
        let entries = self.databases.postings.prefix_iter(self.txn, &keys::term_prefix(term))?;
        Ok(entries.map(|entry| {
            let (key, block) = entry?;
            Ok(Posting { document: keys::posting_document(key)?, block })
        }))
    }

    /// A term's postings in one document; `None` if no sentence of it holds the term.
    ///
    /// # Errors
    /// If the store is damaged.
    pub fn posting(&self, term: &str, document: DocumentId) -> Result<Option<Posting<'t>>, StoreError> {
        let block = self.databases.postings.get(self.txn, &keys::posting(term, document))?;
        Ok(block.map(|block| Posting { document, block }))
    }
}

impl View<'_> {
    /// The `limit` best sentences by BM25, best first; ties in the order of documents and sentences. `among` limits the
    /// search to these documents; how rare a word is counts among them alone.
    ///
    /// # Errors
    /// If the store is damaged.
    pub fn search_sparse(
        &self,
        query: &[String],
        among: Option<&RoaringBitmap>,
        limit: usize,
    ) -> Result<Vec<SparseHit>, StoreError> {
        let totals = self.totals()?;
        if totals.sentences == 0 || limit == 0 {
            return Ok(Vec::new());
        }
        let sentences = match among {
            Some(among) => self.sentences_among(among)?,
            None => totals.sentences,
        };
        let count = sentences as f64;
        let mean_length = (totals.terms as f64 / totals.sentences as f64).max(1.0) as f32;
        let mut scores: HashMap<(u32, u32), f32> = HashMap::new();
        for (term, frequency) in self.telling_terms(query, sentences, among)? {
            let frequency = f64::from(frequency);
            let weight = (1.0 + (count - frequency + 0.5) / (frequency + 0.5)).ln() as f32;
            let entries = self.databases.postings.prefix_iter(self.txn, &keys::term_prefix(&term))?;
            for entry in entries {
                let (key, mut block) = entry?;
                let document = keys::posting_document(key)?.0;
                if among.is_some_and(|among| !among.contains(document)) {
                    continue;
                }
                let mut ordinal = 0;
                while !block.is_empty() {
                    ordinal += keys::take_varint(&mut block)?;
                    let frequency = keys::take_varint(&mut block)? as f32;
                    let length = keys::take_varint(&mut block)? as f32;
                    let norm = K1 * (1.0 - B + B * length / mean_length);
                    let score = weight * frequency * (K1 + 1.0) / (frequency + norm);
                    *scores.entry((document, ordinal)).or_default() += score;
                }
            }
        }
        let mut hits: Vec<SparseHit> = scores
            .into_iter()
            .map(|((document, ordinal), score)| SparseHit {
                document: DocumentId(document),
                ordinal: Ordinal(ordinal),
                score,
            })
            .collect();
        let better = |a: &SparseHit, b: &SparseHit| {
            b.score.total_cmp(&a.score).then((a.document, a.ordinal).cmp(&(b.document, b.ordinal)))
        };
        if hits.len() > limit {
            hits.select_nth_unstable_by(limit, better);
            hits.truncate(limit);
        }
        hits.sort_unstable_by(better);
        Ok(hits)
    }

    /// How many sentences hold `term`.
    ///
    /// # Errors
    /// If the store is damaged.
    pub fn frequency(&self, term: &str) -> Result<u32, StoreError> {
        Ok(self
            .databases
            .frequencies
            .get(self.txn, term.as_bytes())?
            .map(keys::read_id)
            .transpose()?
            .unwrap_or(0))
    }

    /// The terms that are in too many sentences to tell any apart.
    ///
    /// # Errors
    /// If the store is damaged.
    pub fn frequent_terms(&self) -> Result<Vec<String>, StoreError> {
        let sentences = self.totals()?.sentences;
        let mut common = Vec::new();
        for entry in self.databases.frequencies.iter(self.txn)? {
            let (term, frequency) = entry?;
            if is_frequent(keys::read_id(frequency)?, sentences) {
                let term = String::from_utf8(term.to_vec());
                common.push(term.map_err(|_| StoreError::Corrupt("a term is not UTF-8".into()))?);
            }
        }
        Ok(common)
    }

    /// How many sentences these documents have.
    fn sentences_among(&self, documents: &RoaringBitmap) -> Result<u64, StoreError> {
        let length = |document| Ok(self.table(DocumentId(document))?.len() as u64);
        documents.iter().map(length).sum()
    }

    /// How many sentences of these documents hold `term`.
    fn frequency_among(&self, term: &str, documents: &RoaringBitmap) -> Result<u32, StoreError> {
        let mut frequency = 0_u32;
        for posting in self.postings(term)? {
            let Posting { document, block } = posting?;
            if documents.contains(document.0) {
                frequency = frequency.saturating_add(measure(block)?.0);
            }
        }
        Ok(frequency)
    }

    /// The distinct terms of the query that occur, without very frequent ones.
    fn telling_terms(
        &self,
        query: &[String],
        sentences: u64,
        among: Option<&RoaringBitmap>,
    ) -> Result<Vec<(String, u32)>, StoreError> {
        let mut terms = BTreeMap::new();
        for term in query {
            let frequency = match among {
                Some(documents) => self.frequency_among(term, documents)?,
                None => self.frequency(term)?,
            };
            if frequency > 0 {
                terms.insert(term.clone(), frequency);
            }
        }
        if terms.values().any(|&frequency| !is_frequent(frequency, sentences)) {
            terms.retain(|_, &mut frequency| !is_frequent(frequency, sentences));
        }
        Ok(terms.into_iter().collect())
    }

    /// Whether a document's postings are those of its terms, and the frequencies at least as many.
    ///
    /// # Errors
    /// If the store is damaged.
    pub fn check_postings(&self, document: DocumentId, terms: &DocumentTerms) -> Result<bool, StoreError> {
        if self.terms_of(document)?.len() != terms.ends.len() {
            return Ok(false);
        }
        for (term, block, count) in terms.iter() {
            let stored = self.databases.postings.get(self.txn, &keys::posting(term, document))?;
            if stored != Some(block) || self.frequency(term)? < count {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn terms_of(&self, document: DocumentId) -> Result<Vec<String>, StoreError> {
        let Some(packed) = self.databases.terms.get(self.txn, &keys::id(document.0))? else {
            return Ok(Vec::new());
        };
        Ok(unpack(packed)?.split_terminator('\0').map(str::to_owned).collect())
    }
}

/// Whether a term in so many of all sentences tells none apart.
fn is_frequent(frequency: u32, sentences: u64) -> bool {
    sentences > MIN_SENTENCES_TO_IGNORE_TERMS && f64::from(frequency) > FREQUENT_TERM_SHARE * sentences as f64
}

/// The terms of a document's sentences, ready to be written.
#[derive(Clone, Debug, Default)]
pub struct DocumentTerms {
    /// The distinct terms in order, each with a NUL behind it.
    names: String,
    /// For each term where its postings end in `blocks`, and how many sentences hold it.
    ends: Vec<(usize, u32)>,
    blocks: Vec<u8>,
    /// How many terms the sentences have, those that are repeated too.
    length: i64,
}

impl DocumentTerms {
    /// Of the terms of each sentence, in order.
    #[must_use]
    pub fn of(sentences: &[Vec<String>]) -> Self {
        let mut gathered: HashMap<&str, Vec<(u32, u32, u32)>> = HashMap::new();
        let mut terms = Self::default();
        for (ordinal, sentence) in (0u32..).zip(sentences) {
            let length = u32::try_from(sentence.len()).unwrap_or(u32::MAX);
            for term in sentence.iter().filter(|term| is_storable(term)) {
                terms.length += 1;
                let entries = gathered.entry(term.as_str()).or_default();
                match entries.last_mut() {
                    Some(last) if last.0 == ordinal => last.1 += 1,
                    _ => entries.push((ordinal, 1, length)),
                }
            }
        }
        let mut gathered: Vec<_> = gathered.into_iter().collect();
        gathered.sort_unstable_by_key(|(term, _)| *term);
        for (term, entries) in gathered {
            terms.names.push_str(term);
            terms.names.push('\0');
            let mut before = 0;
            for &(ordinal, frequency, length) in &entries {
                keys::push_varint(&mut terms.blocks, ordinal - before);
                keys::push_varint(&mut terms.blocks, frequency);
                keys::push_varint(&mut terms.blocks, length);
                before = ordinal;
            }
            terms.ends.push((terms.blocks.len(), u32::try_from(entries.len()).unwrap_or(u32::MAX)));
        }
        terms
    }

    /// Each distinct term with its postings, and how many sentences hold it.
    fn iter(&self) -> impl Iterator<Item = (&str, &[u8], u32)> {
        let starts = std::iter::once(0).chain(self.ends.iter().map(|(end, _)| *end));
        let blocks = starts.zip(&self.ends).map(|(start, (end, count))| (&self.blocks[start..*end], *count));
        self.names.split_terminator('\0').zip(blocks).map(|(term, (block, count))| (term, block, count))
    }
}

/// The postings that an edit has not written yet.
///
/// Documents have many terms in common. Written at once and in the order of their keys, the postings of a transaction touch
/// each page of the database once, and the frequency of a term is raised once.
#[derive(Default)]
pub(crate) struct PendingPostings {
    /// Postings by key; `None` deletes them.
    blocks: Vec<(Vec<u8>, Option<Vec<u8>>)>,
    /// By how much the frequencies of terms change.
    frequencies: HashMap<String, i64>,
    /// The documents of the postings.
    documents: HashSet<DocumentId>,
}

/// If more are pending than this, they are written before the next document's: they take some hundred bytes of memory each.
const MAX_PENDING: usize = 1 << 20;

impl PendingPostings {
    fn change(&mut self, term: &str, by: i64) {
        match self.frequencies.get_mut(term) {
            Some(sum) => *sum += by,
            None => _ = self.frequencies.insert(term.to_owned(), by),
        }
    }
}

/// Writes what is pending.
pub(crate) fn flush(edit: &mut Edit<'_>) -> Result<(), StoreError> {
    let PendingPostings { mut blocks, frequencies, .. } = std::mem::take(&mut edit.postings);
    let databases = edit.databases;
    blocks.sort_unstable_by(|(a, _), (b, _)| a.cmp(b));
    for (key, block) in blocks {
        match block {
            Some(block) => databases.postings.put(edit.txn(), &key, &block)?,
            None => _ = databases.postings.delete(edit.txn(), &key)?,
        }
    }
    let mut frequencies: Vec<_> = frequencies.into_iter().collect();
    frequencies.sort_unstable();
    for (term, by) in frequencies.into_iter().filter(|(_, by)| *by != 0) {
        match edit.view().frequency(&term)?.saturating_add_signed(saturated(by)) {
            0 => _ = databases.frequencies.delete(edit.txn(), term.as_bytes())?,
            sum => databases.frequencies.put(edit.txn(), term.as_bytes(), &keys::id(sum))?,
        }
    }
    Ok(())
}

fn saturated(number: i64) -> i32 {
    i32::try_from(number).unwrap_or(if number < 0 { i32::MIN } else { i32::MAX })
}

/// Replaces the document's postings by those of `new`. Returns how many terms its sentences had before, and how many now.
/// Writes only what changed, and that with the transaction: until then a view of the edit has the postings of before.
pub(crate) fn replace(
    edit: &mut Edit<'_>,
    document: DocumentId,
    new: &DocumentTerms,
) -> Result<(i64, i64), StoreError> {
    if edit.postings.documents.contains(&document) || edit.postings.blocks.len() > MAX_PENDING {
        flush(edit)?;
    }
    let databases = edit.databases;
    let mut old_length = 0i64;
    let mut same = HashSet::new();
    let old = edit.view().terms_of(document)?;
    let by_term: HashMap<&str, &[u8]> = if old.is_empty() {
        HashMap::new()
    } else {
        new.iter().map(|(term, block, _)| (term, block)).collect()
    };
    for term in &old {
        let key = keys::posting(term, document);
        let new = by_term.get(term.as_str());
        let (count, length, is_same) = {
            let block = databases.postings.get(edit.txn(), &key)?.unwrap_or_default();
            let (count, length) = measure(block)?;
            (count, length, new.is_some_and(|new| *new == block))
        };
        old_length += length;
        if is_same {
            same.insert(term.as_str());
            continue;
        }
        edit.postings.change(term, -i64::from(count));
        if new.is_none() {
            edit.postings.blocks.push((key, None));
        }
    }
    for (term, block, count) in new.iter().filter(|(term, ..)| !same.contains(term)) {
        edit.postings.change(term, i64::from(count));
        edit.postings.blocks.push((keys::posting(term, document), Some(block.to_vec())));
    }
    edit.postings.documents.insert(document);
    let key = keys::id(document.0);
    if new.names.is_empty() {
        databases.terms.delete(edit.txn(), &key)?;
    } else {
        let packed = lz4_flex::block::compress_prepend_size(new.names.as_bytes());
        databases.terms.put(edit.txn(), &key, &packed)?;
    }
    Ok((old_length, new.length))
}

/// Terms that LMDB can hold as keys. The tokeniser produces no others; a defect there must not stop indexing.
fn is_storable(term: &str) -> bool {
    (1..=400).contains(&term.len()) && !term.contains('\0')
}

/// How many sentences a block of postings holds, and the sum of its frequencies.
fn measure(mut block: &[u8]) -> Result<(u32, i64), StoreError> {
    let (mut count, mut sum) = (0, 0);
    while !block.is_empty() {
        keys::take_varint(&mut block)?;
        sum += i64::from(keys::take_varint(&mut block)?);
        keys::take_varint(&mut block)?;
        count += 1;
    }
    Ok((count, sum))
}
