//! The index as the search sees it: what is asked of whatever holds the sentences.
//!
//! A [`Retriever`] finds sentences and reads the text around them. What is made of them (fusion, windows, passages,
//! their order and its explanation) is the search's own and the same over every index.

use crate::{CancelToken, DocumentId, Excerpt, Filter, Ordinal};

/// Maximum number of occurrences of one sentence in a list by meaning: what stands in every document would fill it.
pub const MAX_OCCURRENCES: usize = 8;

/// What is looked for with one text.
#[derive(Clone, Copy, Debug)]
pub struct TextQuery<'a> {
    /// Its vector, of unit length; `None` if nothing is searched by meaning.
    pub vector: Option<&'a [f32]>,
    /// Its terms; empty if nothing is searched by words.
    pub words: &'a [String],
}

/// A retrieved sentence.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Candidate {
    /// Its document.
    pub document: DocumentId,
    /// Its position in the document.
    pub ordinal: Ordinal,
    /// The retriever's score; higher is better.
    pub score: f32,
}

impl Candidate {
    /// Where it is.
    #[must_use]
    pub fn position(&self) -> (DocumentId, Ordinal) {
        (self.document, self.ordinal)
    }
}

/// The sentences that one text finds. Both lists are best first and hold each position once.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HitLists {
    /// By meaning, with cosine similarities.
    pub dense: Vec<Candidate>,
    /// By words, with scores of BM25.
    pub sparse: Vec<Candidate>,
}

/// What several texts find.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Retrieval {
    /// The lists of each text, in the given order.
    pub lists: Vec<HitLists>,
    /// How long the search by meaning took, in milliseconds.
    pub dense_ms: f64,
    /// How long the search by words took, in milliseconds.
    pub sparse_ms: f64,
}

/// Consecutive sentences of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SentenceRange {
    /// The document.
    pub document: DocumentId,
    /// The ordinal of the first.
    pub first: u32,
    /// The ordinal of the last; it may be beyond the document's end.
    pub last: u32,
}

/// One state of an index, for the length of one search: positions from one call are valid in the next, and ids of
/// sentences from all calls are comparable. An index that cannot hold a state still fails in the later call if what it
/// refers to has changed.
pub trait Retriever {
    /// Why the index failed.
    type Error;

    /// The fingerprint of the embedder that made the vectors; `None` if there are none yet.
    ///
    /// # Errors
    /// After a cancellation, or if the index fails.
    fn embedder(&self, cancel: &CancelToken) -> Result<Option<String>, Self::Error>;

    /// How many sentences there are; `None` if the index does not say.
    ///
    /// # Errors
    /// If the index fails.
    fn size(&self) -> Result<Option<u64>, Self::Error>;

    /// The best `depth` sentences for each text, by meaning and by words, among the documents that pass `filter`. All
    /// texts come at once, so that the filter is evaluated once and an index elsewhere is asked once. A list by meaning
    /// has at most [`MAX_OCCURRENCES`] of one sentence.
    ///
    /// # Errors
    /// If the filter names a path without documents, if a vector has other dimensions than those of the index, after
    /// a cancellation, or if the index fails.
    fn find(
        &self,
        queries: &[TextQuery<'_>],
        filter: &Filter,
        depth: usize,
        cancel: &CancelToken,
    ) -> Result<Retrieval, Self::Error>;

    /// The sentences of `among` by their similarity to `vector`, nearest first, ties in the given order; without those
    /// that have no vector.
    ///
    /// # Errors
    /// After a cancellation, or if the index fails.
    fn rank(
        &self,
        vector: &[f32],
        among: &[Candidate],
        cancel: &CancelToken,
    ) -> Result<Vec<Candidate>, Self::Error>;

    /// The documents of `ranges`, each once, with at least these sentences. The text of a range is there from the first
    /// byte of its first sentence to the last of its last, so ranges of one document that touch must be given as one.
    ///
    /// # Errors
    /// After a cancellation, if a document of a range is not there, or if the index fails.
    fn excerpts(&self, ranges: &[SentenceRange], cancel: &CancelToken) -> Result<Vec<Excerpt>, Self::Error>;
}
