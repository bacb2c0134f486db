//! Postings: which sentences contain a term. Blocks hold the postings of several documents, so that a term has few
//! entries in a large library and a search reads them in order.

use std::collections::HashMap;

use heed::RoPrefix;
use heed::types::Bytes;
use oriel_core::{DocumentId, Ordinal};

use crate::view::unpack;
use crate::{StoreError, View, keys};

/// Maximum bytes in a block with more than one document. A longer block is divided into blocks of [`FILLED_BLOCK`]
/// bytes, which leaves room for documents that change.
pub(crate) const MAX_BLOCK: usize = 600;
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
    pub bytes: &'t [u8],
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
    pub fn of((key, bytes): (&[u8], &'t [u8])) -> Result<Self, StoreError> {
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

    pub(crate) fn terms_of(&self, document: DocumentId) -> Result<Vec<String>, StoreError> {
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
    pub(crate) names: String,
    /// For each term, where its sentences end in `sentences`, and their number.
    ends: Vec<(usize, u32)>,
    sentences: Vec<u8>,
    /// The number of terms in all sentences, including repeated ones.
    pub(crate) length: i64,
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
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &[u8], u32)> {
        let starts = std::iter::once(0).chain(self.ends.iter().map(|(end, _)| *end));
        let all = starts.zip(&self.ends).map(|(start, (end, count))| (&self.sentences[start..*end], *count));
        self.names.split_terminator('\0').zip(all).map(|(term, (sentences, count))| (term, sentences, count))
    }
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
