//! The index as the search sees it.
//!
//! A [`Retriever`] finds sentences and reads the text around them. The search does the rest (fusion, windows, passages,
//! their order, the explanation) in the same way for every index.

use crate::{CancelToken, DocumentId, Excerpt, Filter, Ordinal};

/// Maximum number of occurrences of one sentence in a dense list. Without it, a sentence that is in every document
/// would fill the list.
pub const MAX_OCCURRENCES: usize = 8;

/// One text to search for.
#[derive(Clone, Copy, Debug)]
pub struct TextQuery<'a> {
    /// Its vector, of unit length; `None` to search by words only.
    pub vector: Option<&'a [f32]>,
    /// Its terms; empty to search by meaning only.
    pub words: &'a [String],
}

/// A retrieved sentence.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Candidate {
    pub document: DocumentId,
    /// Its position in the document.
    pub ordinal: Ordinal,
    /// The retriever's score; higher is better.
    pub score: f32,
}

impl Candidate {
    #[must_use]
    pub fn position(&self) -> (DocumentId, Ordinal) {
        (self.document, self.ordinal)
    }
}

/// The sentences found for one text. Both lists are best first and contain each position once.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HitLists {
    /// Found by meaning; scores are cosine similarities.
    pub dense: Vec<Candidate>,
    /// Found by words; scores are BM25.
    pub sparse: Vec<Candidate>,
}

/// The sentences found for several texts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Retrieval {
    /// The lists of each text, in the order of the texts.
    pub lists: Vec<HitLists>,
    /// How long the search by meaning took, in milliseconds.
    pub dense_ms: f64,
    /// How long the search by words took, in milliseconds.
    pub sparse_ms: f64,
}

/// Consecutive sentences of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SentenceRange {
    pub document: DocumentId,
    /// The ordinal of the first.
    pub first: u32,
    /// The ordinal of the last; it may be beyond the document's end.
    pub last: u32,
}

/// One state of an index for the length of one search: positions from one call are valid in the next, and sentence ids
/// from all calls are comparable. An index that cannot hold a state returns an error in the later call if what it
/// refers to has changed.
pub trait Retriever {
    type Error;

    /// The fingerprint of the embedder that made the vectors; `None` if there are none yet.
    ///
    /// # Errors
    /// After a cancellation, or if the index fails.
    fn embedder(&self, cancel: &CancelToken) -> Result<Option<String>, Self::Error>;

    /// The number of sentences; `None` if the index does not report it.
    ///
    /// # Errors
    /// If the index fails.
    fn size(&self) -> Result<Option<u64>, Self::Error>;

    /// The best `depth` sentences for each text, by meaning and by words, among the documents that pass `filter`. All
    /// texts come in one call, so that the filter is evaluated once and a remote index gets one request. A dense list
    /// contains one sentence at most [`MAX_OCCURRENCES`] times.
    ///
    /// # Errors
    /// If the filter names a path without documents, if a vector does not have the index's dimensions, after a
    /// cancellation, or if the index fails.
    fn find(
        &self,
        queries: &[TextQuery<'_>],
        filter: &Filter,
        depth: usize,
        cancel: &CancelToken,
    ) -> Result<Retrieval, Self::Error>;

    /// The sentences of `among` that have a vector, by their similarity to `vector`, nearest first; ties stay in the
    /// given order.
    ///
    /// # Errors
    /// After a cancellation, or if the index fails.
    fn rank(
        &self,
        vector: &[f32],
        among: &[Candidate],
        cancel: &CancelToken,
    ) -> Result<Vec<Candidate>, Self::Error>;

    /// The documents of `ranges`, each once, with at least these sentences and the text from the first byte of a
    /// range's first sentence to the last byte of its last. Ranges of one document that touch must be given as one.
    ///
    /// # Errors
    /// After a cancellation, if a document of a range does not exist, or if the index fails.
    fn excerpts(&self, ranges: &[SentenceRange], cancel: &CancelToken) -> Result<Vec<Excerpt>, Self::Error>;
}
