//! Postings: which sentences contain a term. Blocks hold the postings of several documents, so that a term has few
//! entries in a large library and a search reads them in order.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use heed::RoPrefix;
use heed::types::Bytes;
use oriel_core::{DocumentId, Ordinal};

use crate::view::unpack;
use crate::{Edit, StoreError, View, keys};

/// Maximum bytes in a block with more than one document. A longer block is divided into blocks of [`FILLED_BLOCK`]
/// bytes, which leaves room for documents that change.
const MAX_BLOCK: usize = 600;
pub(crate) const FILLED_BLOCK: usize = 450;
/// Maximum bytes of the two varints before a document's sentences.
const DOCUMENT_HEADER: usize = 10;

/// The sentences of one document that contain a term.
#[derive(Clone, Copy, Debug)]
pub struct Posting<'t> {
    pub document: DocumentId,
    pub(crate) sentences: Sentences<'t>,
}

impl<'t> Posting<'t> {
    /// The ordinals of the sentences in the document, ascending.
    pub fn ordinals(self) -> impl Iterator<Item = Result<Ordinal, StoreError>> + 't {
        self.sentences.map(|sentence| Ok(Ordinal(sentence?.ordinal)))
    }
}

/// A sentence that contains a term.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Occurrence {
    pub ordinal: u32,
    /// How often the sentence contains the term.
    pub frequency: u32,
    /// The number of terms in the sentence.
    pub length: u32,
}

/// The sentences of a document that contain a term, in order. A sentence is two or three varints: twice the difference
/// to the previous ordinal, plus 1 if the term occurs several times; the number of occurrences in that case; the number
/// of terms in the sentence.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sentences<'t> {
    bytes: &'t [u8],
    before: u32,
}

impl Sentences<'_> {
    fn take(&mut self) -> Result<Occurrence, StoreError> {
        let step = keys::take_varint(&mut self.bytes)?;
        let frequency = if step & 1 == 0 { 1 } else { keys::take_varint(&mut self.bytes)? };
        let length = keys::take_varint(&mut self.bytes)?;
        self.before = self.before.saturating_add(step >> 1);
        Ok(Occurrence { ordinal: self.before, frequency, length })
    }
}

impl Iterator for Sentences<'_> {
    type Item = Result<Occurrence, StoreError>;

    fn next(&mut self) -> Option<Self::Item> {
        (!self.bytes.is_empty()).then(|| self.take())
    }
}

/// Appends a sentence to the sentences of a document. `before` is the ordinal of the previous one, 0 for the first.
pub(crate) fn push_sentence(bytes: &mut Vec<u8>, before: u32, sentence: Occurrence) {
    let Occurrence { ordinal, frequency, length } = sentence;
    let repeated = u32::from(frequency != 1);
    keys::push_varint(bytes, (ordinal - before) << 1 | repeated);
    if repeated == 1 {
        keys::push_varint(bytes, frequency);
    }
    keys::push_varint(bytes, length);
}

/// The documents of a block, by id. A document is stored as the difference to the previous id (for the first, to the id
/// in the key), the length of its sentences in bytes, and the sentences.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Block<'t> {
    bytes: &'t [u8],
    before: u32,
}

impl<'t> Block<'t> {
    fn of((key, bytes): (&[u8], &'t [u8])) -> Result<Self, StoreError> {
        Ok(Self { bytes, before: keys::posting_document(key)?.0 })
    }

    /// The id of its first document. Call it before iterating.
    pub fn first(&self) -> u32 {
        self.before
    }

    fn take(&mut self) -> Result<Posting<'t>, StoreError> {
        let step = keys::take_varint(&mut self.bytes)?;
        let length = keys::take_varint(&mut self.bytes)? as usize;
        let cut = || StoreError::Corrupt("a block of postings that is cut off".into());
        let (bytes, rest) = self.bytes.split_at_checked(length).ok_or_else(cut)?;
        (self.bytes, self.before) = (rest, self.before.saturating_add(step));
        Ok(Posting { document: DocumentId(self.before), sentences: Sentences { bytes, before: 0 } })
    }
}

impl<'t> Iterator for Block<'t> {
    type Item = Result<Posting<'t>, StoreError>;

    fn next(&mut self) -> Option<Self::Item> {
        (!self.bytes.is_empty()).then(|| self.take())
    }
}

/// The blocks of a term, by document.
pub(crate) struct Blocks<'t> {
    entries: RoPrefix<'t, Bytes, Bytes>,
}

impl<'t> Iterator for Blocks<'t> {
    type Item = Result<Block<'t>, StoreError>;

    fn next(&mut self) -> Option<Self::Item> {
        Some(self.entries.next()?.map_err(StoreError::from).and_then(Block::of))
    }
}

impl<'t> View<'t> {
    pub(crate) fn blocks(&self, term: &str) -> Result<Blocks<'t>, StoreError> {
        let entries = self.databases.postings.prefix_iter(self.txn, &keys::term_prefix(term))?;
        Ok(Blocks { entries })
    }

    /// The documents whose sentences contain a term, by id.
    pub fn postings(
        &self,
        term: &str,
    ) -> Result<impl Iterator<Item = Result<Posting<'t>, StoreError>> + 't, StoreError> {
        let mut blocks = self.blocks(term)?;
        let mut block = Block::default();
        Ok(std::iter::from_fn(move || {
            loop {
                if let Some(posting) = block.next() {
                    return Some(posting);
                }
                match blocks.next()? {
                    Ok(next) => block = next,
                    Err(error) => return Some(Err(error)),
                }
            }
        }))
    }

    /// A term's postings in one document; `None` if no sentence of the document contains the term.
    pub fn posting(&self, term: &str, document: DocumentId) -> Result<Option<Posting<'t>>, StoreError> {
        let key = keys::posting(term, document);
        let found = self.databases.postings.get_lower_than_or_equal_to(self.txn, &key)?;
        let Some(entry) = found.filter(|(found, _)| found.starts_with(&keys::term_prefix(term))) else {
            return Ok(None);
        };
        for posting in Block::of(entry)? {
            let posting = posting?;
            if posting.document >= document {
                return Ok((posting.document == document).then_some(posting));
            }
        }
        Ok(None)
    }

    /// The number of terms, each counted once for each document. In a damaged block, counting ends where it cannot be
    /// read.
    pub(crate) fn count_postings(&self) -> Result<u64, StoreError> {
        let mut count = 0;
        for entry in self.databases.postings.iter(self.txn)? {
            count += Block::of(entry?).into_iter().flatten().map_while(Result::ok).count() as u64;
        }
        Ok(count)
    }
}

impl View<'_> {
    /// The number of sentences that contain `term`.
    pub fn frequency(&self, term: &str) -> Result<u32, StoreError> {
        let stored = self.databases.frequencies.get(self.txn, term.as_bytes())?;
        Ok(stored.map(keys::read_id).transpose()?.unwrap_or(0))
    }

    /// Whether a document's postings match its terms, and the stored frequencies are at least as high.
    pub fn check_postings(&self, document: DocumentId, terms: &DocumentTerms) -> Result<bool, StoreError> {
        if self.terms_of(document)?.len() != terms.ends.len() {
            return Ok(false);
        }
        for (term, block, count) in terms.iter() {
            let stored = match self.posting(term, document) {
                Err(StoreError::Corrupt(_)) => None,
                stored => stored?.map(|posting| posting.sentences.bytes),
            };
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

/// The terms of a document's sentences, ready to be stored.
#[derive(Clone, Debug, Default)]
pub struct DocumentTerms {
    /// The distinct terms in order, each followed by a NUL.
    names: String,
    /// For each term, where its sentences end in `sentences`, and their number.
    ends: Vec<(usize, u32)>,
    sentences: Vec<u8>,
    /// The number of terms in all sentences, including repeated ones.
    length: i64,
}

impl DocumentTerms {
    /// Collects the terms of sentences, given in order.
    #[must_use]
    pub fn of(sentences: &[Vec<String>]) -> Self {
        let mut gathered: HashMap<&str, Vec<Occurrence>> = HashMap::new();
        let mut terms = Self::default();
        for (ordinal, sentence) in (0u32..).zip(sentences) {
            let length = u32::try_from(sentence.len()).unwrap_or(u32::MAX);
            for term in sentence.iter().filter(|term| is_storable(term)) {
                terms.length += 1;
                let entries = gathered.entry(term.as_str()).or_default();
                match entries.last_mut() {
                    Some(last) if last.ordinal == ordinal => last.frequency += 1,
                    _ => entries.push(Occurrence { ordinal, frequency: 1, length }),
                }
            }
        }
        let mut gathered: Vec<_> = gathered.into_iter().collect();
        gathered.sort_unstable_by_key(|(term, _)| *term);
        for (term, entries) in gathered {
            terms.names.push_str(term);
            terms.names.push('\0');
            let mut before = 0;
            for &entry in &entries {
                push_sentence(&mut terms.sentences, before, entry);
                before = entry.ordinal;
            }
            terms.ends.push((terms.sentences.len(), u32::try_from(entries.len()).unwrap_or(u32::MAX)));
        }
        terms
    }

    /// Each distinct term with its sentences and their number.
    fn iter(&self) -> impl Iterator<Item = (&str, &[u8], u32)> {
        let starts = std::iter::once(0).chain(self.ends.iter().map(|(end, _)| *end));
        let all = starts.zip(&self.ends).map(|(start, (end, count))| (&self.sentences[start..*end], *count));
        self.names.split_terminator('\0').zip(all).map(|(term, (sentences, count))| (term, sentences, count))
    }
}

/// Postings that an edit has not written yet.
///
/// Documents have many terms in common. Written together and in the order of their keys, the postings of a transaction
/// touch each block once, and each term's frequency is updated once.
#[derive(Default)]
pub(crate) struct PendingPostings {
    terms: HashMap<String, PendingTerm>,
    /// The sentences of all changes, one after the other.
    sentences: Vec<u8>,
    /// The documents with pending changes.
    documents: HashSet<DocumentId>,
    /// The number of changes.
    count: usize,
}

#[derive(Default)]
struct PendingTerm {
    /// The change of the term's frequency.
    frequency: i64,
    /// One change for each document.
    changes: Vec<Change>,
}

struct Change {
    document: DocumentId,
    /// The range in [`PendingPostings::sentences`]; `None` if no sentence of the document contains the term any more.
    sentences: Option<Range<usize>>,
}

/// If more changes are pending, they are written before the next document is added. Each takes some fifty bytes of
/// memory.
const MAX_PENDING: usize = 1 << 20;

impl PendingPostings {
    /// Replaces the sentences of the document that contain a term. `by` is the change of their number.
    fn change(&mut self, term: &str, document: DocumentId, new: Option<&[u8]>, by: i64) {
        let start = self.sentences.len();
        self.sentences.extend_from_slice(new.unwrap_or_default());
        let sentences = new.map(|_| start..self.sentences.len());
        let pending = self.terms.entry(term.to_owned()).or_default();
        pending.frequency += by;
        pending.changes.push(Change { document, sentences });
        self.count += 1;
    }
}

/// Writes the pending changes.
pub(crate) fn flush(edit: &mut Edit<'_>) -> Result<(), StoreError> {
    let PendingPostings { terms, sentences, .. } = std::mem::take(&mut edit.postings);
    let frequencies = edit.databases.frequencies;
    let mut terms: Vec<_> = terms.into_iter().collect();
    terms.sort_unstable_by(|(a, _), (b, _)| a.cmp(b));
    for (term, PendingTerm { frequency: by, mut changes }) in terms {
        changes.sort_unstable_by_key(|change| change.document);
        put(edit, &term, &changes, &sentences)?;
        if by != 0 {
            match edit.view().frequency(&term)?.saturating_add_signed(saturated(by)) {
                0 => _ = frequencies.delete(edit.txn(), term.as_bytes())?,
                sum => frequencies.put(edit.txn(), term.as_bytes(), &keys::id(sum))?,
            }
        }
    }
    Ok(())
}

fn saturated(number: i64) -> i32 {
    i32::try_from(number).unwrap_or(if number < 0 { i32::MIN } else { i32::MAX })
}

/// Writes changes of a term's documents, given in order, block by block.
fn put(edit: &mut Edit<'_>, term: &str, mut changes: &[Change], sentences: &[u8]) -> Result<(), StoreError> {
    let postings = edit.databases.postings;
    let prefix = keys::term_prefix(term);
    while let Some(first) = changes.first() {
        let key = keys::posting(term, first.document);
        let (old, new) = {
            let txn = edit.view().txn;
            let is_ours = |(found, _): &(&[u8], &[u8])| found.starts_with(&prefix);
            let mut old = postings.get_lower_than_or_equal_to(txn, &key)?.filter(is_ours);
            if old.is_none() {
                old = postings.get_greater_than(txn, &key)?.filter(is_ours);
            }
            let next = match old {
                Some((old, _)) => postings.get_greater_than(txn, old)?.filter(is_ours),
                None => None,
            };
            let end = next.map(|(next, _)| keys::posting_document(next)).transpose()?;
            let count = end.map_or(changes.len(), |end| changes.partition_point(|one| one.document < end));
            if count == 0 {
                return Err(StoreError::Corrupt("blocks of postings out of order".into()));
            }
            let (here, later) = changes.split_at(count);
            changes = later;
            let block = old.map(Block::of).transpose()?.unwrap_or_default();
            let mut new = merged(block, here, sentences, MAX_BLOCK)?;
            if new.len() > 1 {
                new = merged(block, here, sentences, FILLED_BLOCK)?;
            }
            (old.map(|(old, _)| old.to_vec()), new)
        };
        if let Some(old) =
            old.filter(|old| new.first().is_none_or(|(first, _)| keys::posting(term, *first) != *old))
        {
            postings.delete(edit.txn(), &old)?;
        }
        for (first, block) in new {
            postings.put(edit.txn(), &keys::posting(term, first), &block)?;
        }
    }
    Ok(())
}

/// Applies changes to the documents of a block. The result may be several blocks of at most `room` bytes.
fn merged(
    block: Block<'_>,
    changes: &[Change],
    sentences: &[u8],
    room: usize,
) -> Result<Vec<(DocumentId, Vec<u8>)>, StoreError> {
    let new_sentences = |change: &Change| change.sentences.clone().map(|range| &sentences[range]);
    let mut blocks = NewBlocks::new(room);
    let mut changes = changes.iter().peekable();
    for posting in block {
        let Posting { document, sentences: old } = posting?;
        while let Some(change) = changes.next_if(|change| change.document < document) {
            blocks.push(change.document, new_sentences(change));
        }
        match changes.next_if(|change| change.document == document) {
            Some(change) => blocks.push(document, new_sentences(change)),
            None => blocks.push(document, Some(old.bytes)),
        }
    }
    for change in changes {
        blocks.push(change.document, new_sentences(change));
    }
    Ok(blocks.blocks)
}

/// Builds blocks from documents in order.
pub(crate) struct NewBlocks {
    /// Each block with its first document.
    pub blocks: Vec<(DocumentId, Vec<u8>)>,
    last: u32,
    /// Maximum length in bytes of a block with several documents.
    room: usize,
}

impl NewBlocks {
    pub fn new(room: usize) -> Self {
        Self { blocks: Vec::new(), last: 0, room }
    }

    /// Adds a document, unless it has no sentences with the term any more.
    pub fn push(&mut self, document: DocumentId, sentences: Option<&[u8]>) {
        let Some(sentences) = sentences else { return };
        let fits =
            |(_, block): &mut (_, Vec<u8>)| block.len() + DOCUMENT_HEADER + sentences.len() <= self.room;
        let (first, mut block) = self.blocks.pop_if(fits).unwrap_or((document, Vec::new()));
        let step = if first == document { 0 } else { document.0 - self.last };
        keys::push_varint(&mut block, step);
        keys::push_varint(&mut block, u32::try_from(sentences.len()).unwrap_or(u32::MAX));
        block.extend_from_slice(sentences);
        self.blocks.push((first, block));
        self.last = document.0;
    }
}

/// Replaces the document's postings with those of `new`. Returns the number of terms in its sentences before and after.
/// Writes only the changes, and at the end of the transaction: until then a view of the edit has the old postings.
pub(crate) fn replace(
    edit: &mut Edit<'_>,
    document: DocumentId,
    new: &DocumentTerms,
) -> Result<(i64, i64), StoreError> {
    if edit.postings.documents.contains(&document) || edit.postings.count > MAX_PENDING {
        flush(edit)?;
    }
    let mut old_length = 0i64;
    let (mut same, mut changed) = (HashSet::new(), HashMap::new());
    let old = edit.view().terms_of(document)?;
    let by_term: HashMap<&str, &[u8]> = if old.is_empty() {
        HashMap::new()
    } else {
        new.iter().map(|(term, sentences, _)| (term, sentences)).collect()
    };
    for term in &old {
        let term = term.as_str();
        let (count, length, is_same) = {
            let posting = edit.view().posting(term, document)?;
            let sentences = posting.map(|posting| posting.sentences).unwrap_or_default();
            let (count, length) = measure(sentences)?;
            (count, length, by_term.get(term).map(|new| *new == sentences.bytes))
        };
        old_length += length;
        match is_same {
            Some(true) => _ = same.insert(term),
            Some(false) => _ = changed.insert(term, count),
            None => edit.postings.change(term, document, None, -i64::from(count)),
        }
    }
    for (term, sentences, count) in new.iter().filter(|(term, ..)| !same.contains(term)) {
        let by = i64::from(count) - i64::from(changed.get(term).copied().unwrap_or(0));
        edit.postings.change(term, document, Some(sentences), by);
    }
    edit.postings.documents.insert(document);
    let databases = edit.databases;
    let key = keys::id(document.0);
    if new.names.is_empty() {
        databases.terms.delete(edit.txn(), &key)?;
    } else {
        let packed = lz4_flex::block::compress_prepend_size(new.names.as_bytes());
        databases.terms.put(edit.txn(), &key, &packed)?;
    }
    Ok((old_length, new.length))
}

/// Whether LMDB can store the term as a key. The tokeniser returns no others; a bug in it must not stop indexing.
fn is_storable(term: &str) -> bool {
    (1..=400).contains(&term.len()) && !term.contains('\0')
}

/// The number of these sentences, and the sum of their frequencies.
pub(crate) fn measure(sentences: Sentences<'_>) -> Result<(u32, i64), StoreError> {
    let (mut count, mut sum) = (0_u32, 0);
    for sentence in sentences {
        count += 1;
        sum += i64::from(sentence?.frequency);
    }
    Ok((count, sum))
}
