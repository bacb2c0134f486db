//! One state of a remote index, as the search sees it.
//!
//! A server holds no state still. Each row names the generation of its document, which changes whenever the document does; a
//! document of which two generations are seen in one search is being rewritten, and is left out when the search is repeated.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use oriel_core::{
    CancelToken, Candidate, DocumentId, Excerpt, Filter, HeaderRow, Heading, HitLists, Ordinal, Outline,
    PartialText, Retrieval, Retriever, SentenceId, SentenceRange, SentenceRow, SentenceRuns, TextQuery,
};
use oriel_wire::index::{Call, CallReply, FoundRow, INCOMPLETE, Manifest, Row, SoughtText};

use crate::error::EngineError;
use crate::library::sentences::is_context_term;
use crate::remote_index::connection::{IndexConnection, unexpected};

/// Maximum number of ranges that are read with one call.
const MAX_RANGES: usize = 64;
/// How often a search is repeated because documents change under it.
const MAX_ATTEMPTS: usize = 4;

/// What is seen of an index during one search.
pub(crate) struct RemoteState<'a> {
    index: &'a IndexConnection,
    /// The documents that are left out.
    changing: &'a BTreeSet<DocumentId>,
    generations: RefCell<HashMap<DocumentId, u64>>,
    ids: RefCell<HashMap<String, SentenceId>>,
}

impl IndexConnection {
    /// Reads from the index, and again without a document that changed meanwhile.
    ///
    /// # Errors
    /// Those of `read`.
    pub(crate) fn read<T>(
        &self,
        read: &mut dyn FnMut(&RemoteState<'_>) -> Result<T, EngineError>,
    ) -> Result<T, EngineError> {
        let mut changing = BTreeSet::new();
        loop {
            let (generations, ids) = (RefCell::default(), RefCell::default());
            match read(&RemoteState { index: self, changing: &changing, generations, ids }) {
                Err(EngineError::IndexChanged { document, .. })
                    if changing.len() + 1 < MAX_ATTEMPTS && changing.insert(document) => {}
                result => return result,
            }
        }
    }
}

impl RemoteState<'_> {
    /// Candidates of rows. A document of which another generation was seen has changed.
    fn candidates(&self, rows: Vec<FoundRow>) -> Result<Vec<Candidate>, EngineError> {
        let rows = rows.into_iter().filter(|row| !self.changing.contains(&row.document));
        let candidate = |row: FoundRow| {
            self.see(row.document, row.generation)?;
            Ok(Candidate { document: row.document, ordinal: row.ordinal, score: row.score })
        };
        rows.map(candidate).collect()
    }

    /// A document that is not completely there, or of which another generation was seen, is being rewritten.
    fn see(&self, document: DocumentId, generation: u64) -> Result<(), EngineError> {
        let known = *self.generations.borrow_mut().entry(document).or_insert(generation);
        if known == generation && generation != INCOMPLETE { Ok(()) } else { Err(self.changed(document)) }
    }

    fn changed(&self, document: DocumentId) -> EngineError {
        EngineError::IndexChanged { collection: self.index.place().collection.clone(), document }
    }

    /// The id of a text in this search.
    fn id(&self, hash: String) -> SentenceId {
        let mut ids = self.ids.borrow_mut();
        let next = SentenceId(u32::try_from(ids.len()).unwrap_or(u32::MAX));
        *ids.entry(hash).or_insert(next)
    }

    /// A document of its rows, which are of one generation.
    pub(crate) fn excerpt(&self, document: DocumentId, rows: Vec<Row>) -> Result<Excerpt, EngineError> {
        let Some(first) = rows.first() else { return Err(EngineError::NoDocument { id: document }) };
        let (path, kind, hash) = (first.path.clone(), first.kind, first.file_hash.clone());
        let (mut pieces, mut outline, mut sentences) = (Vec::new(), Outline::default(), Vec::new());
        for row in rows {
            self.see(document, row.generation)?;
            pieces.push((row.span.start, row.text));
            for (heading, text) in row.headings {
                pieces.push((heading.span.start, text));
                outline.headings.push(heading);
            }
            if let Some((span, end, text)) = row.header {
                pieces.push((span.start, text));
                outline.tables.push(HeaderRow { span, end });
            }
            sentences
                .push((row.ordinal, SentenceRow { span: row.span, page: row.page, id: self.id(row.hash) }));
        }
        outline.headings.sort_by_key(|heading: &Heading| heading.span);
        outline.headings.dedup();
        outline.tables.sort_by_key(|table| table.span);
        outline.tables.dedup();
        let (text, rows) = (PartialText::of_pieces(pieces), SentenceRuns::of_rows(sentences));
        Ok(Excerpt { document, path, kind, hash, modified: None, text, outline, rows, body: 0..u32::MAX })
    }

    /// Rows of documents, by document and in their order.
    pub(crate) fn rows(
        &self,
        ranges: &[SentenceRange],
        cancel: &CancelToken,
    ) -> Result<BTreeMap<DocumentId, Vec<Row>>, EngineError> {
        let mut documents: BTreeMap<DocumentId, Vec<Row>> = BTreeMap::new();
        for ranges in ranges.chunks(MAX_RANGES) {
            let ranges = ranges.iter().map(|range| (range.document, range.first, range.last)).collect();
            let CallReply::Read(rows) = self.index.call(&Call::Read { ranges }, &[], cancel)? else {
                return Err(unexpected(self.index.place()));
            };
            rows.into_iter().for_each(|row| documents.entry(row.document).or_default().push(row));
        }
        for rows in documents.values_mut() {
            rows.sort_by_key(|row| row.ordinal);
            rows.dedup_by_key(|row| row.ordinal);
        }
        Ok(documents)
    }
}

impl Retriever for RemoteState<'_> {
    type Error = EngineError;

    fn embedder(&self, cancel: &CancelToken) -> Result<Option<String>, EngineError> {
        Ok(Some(self.index.opened(cancel)?.collection.embedder))
    }

    fn size(&self) -> Result<Option<u64>, EngineError> {
        Ok(None)
    }

    fn find(
        &self,
        queries: &[TextQuery<'_>],
        filter: &Filter,
        depth: usize,
        cancel: &CancelToken,
    ) -> Result<Retrieval, EngineError> {
        cancel.check()?;
        let opened = self.index.opened(cancel)?;
        let dimensions = opened.collection.dimensions as usize;
        if queries.iter().filter_map(|query| query.vector).any(|vector| vector.len() != dimensions) {
            return Err(EngineError::OtherEmbedder { stored: opened.collection.embedder });
        }
        let manifest = opened.manifest.unwrap_or_default();
        let text = |query: &TextQuery<'_>| SoughtText {
            has_vector: query.vector.is_some(),
            words: telling(query.words, &manifest),
        };
        let vectors: Vec<f32> = queries.iter().filter_map(|query| query.vector).flatten().copied().collect();
        let find = Call::Find {
            texts: queries.iter().map(text).collect(),
            filter: filter.clone(),
            depth: u32::try_from(depth).unwrap_or(u32::MAX),
        };
        match self.index.call(&find, &vectors, cancel)? {
            CallReply::Found { lists, dense_ms, sparse_ms } => {
                let list = |(dense, sparse)| {
                    Ok(HitLists { dense: self.candidates(dense)?, sparse: self.candidates(sparse)? })
                };
                let lists = lists.into_iter().map(list).collect::<Result<_, EngineError>>()?;
                Ok(Retrieval { lists, dense_ms, sparse_ms })
            }
            CallReply::UnknownPath(path) => Err(EngineError::UnknownDocument { path }),
            _ => Err(unexpected(self.index.place())),
        }
    }

    fn rank(
        &self,
        vector: &[f32],
        among: &[Candidate],
        cancel: &CancelToken,
    ) -> Result<Vec<Candidate>, EngineError> {
        let rank = Call::Rank { rows: among.iter().map(Candidate::position).collect() };
        let CallReply::Ranked(rows) = self.index.call(&rank, vector, cancel)? else {
            return Err(unexpected(self.index.place()));
        };
        let places: HashMap<(DocumentId, Ordinal), usize> =
            among.iter().map(Candidate::position).zip(0..).collect();
        let mut ranked = self.candidates(rows)?;
        ranked.sort_by(|a, b| {
            b.score.total_cmp(&a.score).then(places.get(&a.position()).cmp(&places.get(&b.position())))
        });
        Ok(ranked)
    }

    fn excerpts(&self, ranges: &[SentenceRange], cancel: &CancelToken) -> Result<Vec<Excerpt>, EngineError> {
        cancel.check()?;
        // The first row of a document says whether all of it is there.
        let documents: BTreeSet<DocumentId> = ranges.iter().map(|range| range.document).collect();
        let firsts = documents.into_iter().map(|document| SentenceRange { document, first: 0, last: 0 });
        let all: Vec<SentenceRange> = firsts.chain(ranges.iter().copied()).collect();
        let documents = self.rows(&all, cancel)?;
        for range in ranges {
            let rows = documents.get(&range.document).map(Vec::as_slice).unwrap_or_default();
            let first = rows.partition_point(|row| row.ordinal.0 < range.first);
            let inside = rows[first..].iter().take_while(|row| row.ordinal.0 <= range.last);
            let is_whole = (range.first..).zip(inside.clone()).all(|(at, row)| row.ordinal.0 == at);
            let has_first = rows.first().is_some_and(|row| row.ordinal.0 == 0);
            if inside.count() == 0 || !is_whole || !has_first {
                let was_found = self.generations.borrow().contains_key(&range.document);
                let gone = EngineError::NoDocument { id: range.document };
                return Err(if was_found { self.changed(range.document) } else { gone });
            }
        }
        documents.into_iter().map(|(document, rows)| self.excerpt(document, rows)).collect()
    }
}

/// The terms of a query, each once, without those that are in too many sentences, unless all words are.
fn telling(words: &[String], manifest: &Manifest) -> Vec<String> {
    let words: BTreeSet<&String> = words.iter().collect();
    let rare: Vec<String> = words
        .iter()
        .filter(|word| !manifest.frequent_terms.contains(word))
        .map(|&word| word.clone())
        .collect();
    // A word is rarer in headings, and other forms of a number may stand nowhere.
    let is_number = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    if rare.iter().all(|word| is_context_term(word) || is_number(word)) {
        words.into_iter().cloned().collect()
    } else {
        rare
    }
}
