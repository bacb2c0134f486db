//! One state of the library's own store, as the search sees it.
//!
//! It is one transaction of LMDB, which ends before a model reads anything.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::time::Instant;

use oriel_core::{
    CancelToken, Candidate, DocumentId, Excerpt, Filter, HitLists, MAX_OCCURRENCES, PartialText, Retrieval,
    Retriever, SentenceId, SentenceRange, SentenceRuns, TextQuery,
};
use oriel_store::{DenseHit, SparseHit, StoreError, View};
use roaring::RoaringBitmap;

use crate::error::EngineError;
use crate::files::milliseconds;
use crate::library::filter::searchable_documents;
use crate::library::furniture::Furniture;

/// One state of the store.
pub(crate) struct StoreState<'v>(pub View<'v>);

impl Retriever for StoreState<'_> {
    type Error = EngineError;

    fn embedder(&self, _cancel: &CancelToken) -> Result<Option<String>, EngineError> {
        Ok(self.0.embedder()?.map(|stored| stored.fingerprint))
    }

    fn size(&self) -> Result<Option<u64>, EngineError> {
        Ok(Some(self.0.distinct_sentences()?))
    }

    fn find(
        &self,
        queries: &[TextQuery<'_>],
        filter: &Filter,
        depth: usize,
        cancel: &CancelToken,
    ) -> Result<Retrieval, EngineError> {
        let view = &self.0;
        let documents = searchable_documents(filter, view)?;
        let is_dense = queries.iter().any(|query| query.vector.is_some());
        let among = documents.as_ref().filter(|_| is_dense);
        let among = among.map(|documents| view.sentences_of(documents)).transpose()?;
        let mut found = Retrieval::default();
        for query in queries {
            cancel.check()?;
            let begun = Instant::now();
            let sparse = match query.words {
                [] => Vec::new(),
                words => view.search_sparse(words, documents.as_ref(), depth)?,
            };
            found.sparse_ms += milliseconds(begun);
            let begun = Instant::now();
            let dense = match query.vector {
                None => Vec::new(),
                Some(vector) => {
                    let hits = view.search_dense(vector, among.as_ref(), depth)?;
                    occurrences(view, &hits, documents.as_ref(), depth)?
                }
            };
            found.dense_ms += milliseconds(begun);
            found.lists.push(HitLists { dense, sparse: sparse.into_iter().map(candidate).collect() });
        }
        let mut furniture = Furniture::of(view);
        for list in found.lists.iter_mut().flat_map(|lists| [&mut lists.dense, &mut lists.sparse]) {
            furniture.leave_out(list)?;
        }
        Ok(found)
    }

    fn rank(
        &self,
        vector: &[f32],
        among: &[Candidate],
        _cancel: &CancelToken,
    ) -> Result<Vec<Candidate>, EngineError> {
        let mut sentences = Vec::with_capacity(among.len());
        for &place in among {
            if let Some(row) = self.0.table(place.document)?.get(place.ordinal) {
                sentences.push((row.id, place));
            }
        }
        let ids: BTreeSet<SentenceId> = sentences.iter().map(|&(id, _)| id).collect();
        let hits = self.0.rank_dense(vector, &Vec::from_iter(ids))?;
        let similarity: HashMap<_, _> = hits.iter().map(|hit| (hit.sentence, hit.similarity)).collect();
        let mut ranked: Vec<Candidate> = sentences
            .iter()
            .filter_map(|(id, place)| similarity.get(id).map(|&score| Candidate { score, ..*place }))
            .collect();
        ranked.sort_by(|a, b| b.score.total_cmp(&a.score));
        Ok(ranked)
    }

    /// Returns whole documents, since a text is compressed as a whole.
    fn excerpts(&self, ranges: &[SentenceRange], _cancel: &CancelToken) -> Result<Vec<Excerpt>, EngineError> {
        let mut wanted: BTreeMap<DocumentId, Vec<SentenceRange>> = BTreeMap::new();
        ranges.iter().for_each(|range| wanted.entry(range.document).or_default().push(*range));
        let mut furniture = Furniture::of(&self.0);
        let excerpt = |(document, ranges): (DocumentId, Vec<SentenceRange>)| {
            let mut excerpt = whole_document(&self.0, document)?;
            excerpt.body = furniture.body(&excerpt, &ranges)?;
            Ok(excerpt)
        };
        wanted.into_iter().map(excerpt).collect()
    }
}

/// A document that has sentences, with all of them and all of its text.
pub(crate) fn whole_document(view: &View<'_>, document: DocumentId) -> Result<Excerpt, EngineError> {
    let (record, text) = (view.document(document)?, view.text(document)?);
    let damaged = || StoreError::Corrupt(format!("document {} has sentences and no text", document.0));
    let (record, text) = record.zip(text).ok_or_else(damaged)?;
    let hash = record.text_hash();
    let table = view.table(document)?;
    Ok(Excerpt {
        document,
        path: record.path,
        kind: record.kind,
        hash,
        modified: Some(record.stamp.modified),
        text: PartialText::whole(text),
        outline: view.outline(document)?,
        body: 0..u32::try_from(table.len()).unwrap_or(u32::MAX),
        rows: SentenceRuns::whole(table.rows().collect()),
    })
}

fn candidate(hit: SparseHit) -> Candidate {
    Candidate { document: hit.document, ordinal: hit.ordinal, score: hit.score }
}

/// The positions of the sentences in `hits`, in their order, at most `limit`.
fn occurrences(
    view: &View<'_>,
    hits: &[DenseHit],
    documents: Option<&RoaringBitmap>,
    limit: usize,
) -> Result<Vec<Candidate>, EngineError> {
    let mut places = Vec::with_capacity(hits.len());
    for hit in hits {
        let mut taken = 0;
        for document in view.occurrences(hit.sentence)? {
            let document = document?;
            if documents.is_some_and(|documents| !documents.contains(document.0)) {
                continue;
            }
            for ordinal in view.table(document)?.ordinals_of(hit.sentence) {
                if taken < MAX_OCCURRENCES {
                    places.push(Candidate { document, ordinal, score: hit.similarity });
                    taken += 1;
                }
            }
            if taken == MAX_OCCURRENCES {
                break;
            }
        }
        if places.len() >= limit {
            break;
        }
    }
    places.truncate(limit);
    Ok(places)
}

#[cfg(test)]
mod tests {
    use crate::library::source::AnyRetriever;
    use crate::search::conformance::{Corpus, Frugal};

    #[test]
    fn the_store_finds_and_reads_what_an_index_must() {
        let corpus = Corpus::new();
        let check = |retriever: &AnyRetriever<'_>| {
            corpus.check(retriever);
            corpus.check(&Frugal(retriever));
            Ok(())
        };
        corpus.library().read_index(check).unwrap();
    }
}
