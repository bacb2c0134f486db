//! The embed stage: every sentence without a vector gets one.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use oriel_core::{DocumentId, Embedder, SentenceId, TextKind};
use oriel_store::{EmbedderRecord, Store, Vectors, View};

use crate::error::EngineError;
use crate::files::now;
use crate::library::sentences::{SentenceTexts, sentence_texts};
use crate::sync::context::Indexing;
use crate::sync::progress::{DocumentChange, IndexProgress};

/// Sentences embedded between two commits: a second or two of work, which is the most that a crash can cost.
const BATCH_SENTENCES: usize = 512;
/// Sentences of a speed sample …
const SAMPLE_SENTENCES: usize = 128;
/// … after this many to warm up: a model is slow at first.
const WARM_UP_SENTENCES: usize = 32;

/// Progress of the embed stage in one run.
#[derive(Default)]
pub(crate) struct EmbedStage {
    /// The embedder and its set of vectors: a second set if the searched vectors are another embedder's.
    embedder: Option<(Arc<dyn Embedder>, Vectors)>,
    /// Sentences below this id are done.
    from: u32,
    /// Sentences of this stage.
    done: usize,
    total: usize,
    /// Sentences that got a vector in this run.
    pub embedded: usize,
    /// Documents that may have sentences without a vector, by their last sentence. Sentences are embedded by ascending id.
    expected: BinaryHeap<Reverse<Expected>>,
}

#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Expected {
    last: SentenceId,
    id: DocumentId,
    path: PathBuf,
    sentences: usize,
}

/// How long the vectors of the previous embedder are kept, in milliseconds: a week.
const PREVIOUS_KEPT_MS: u64 = 7 * 24 * 60 * 60 * 1000;

impl EmbedStage {
    /// Adds a document that was read. It is reported once all its sentences have vectors.
    pub(crate) fn expect(
        &mut self,
        store: &Store,
        id: DocumentId,
        path: PathBuf,
        sentences: usize,
    ) -> Result<(), EngineError> {
        let last = store.read(|view| Ok::<_, EngineError>(view.table(id)?.rows().map(|row| row.id).max()))?;
        let last = last.unwrap_or(SentenceId(0));
        self.expected.push(Reverse(Expected { last, id, path, sentences }));
        Ok(())
    }

    /// Embeds the sentences of these documents now, because the user waits for them. Without an embedder, or after a
    /// change of embedder, they are embedded in their turn.
    pub(crate) fn embed_now(
        &mut self,
        store: &Store,
        indexing: &mut Indexing<'_>,
        documents: &[DocumentId],
    ) -> Result<(), EngineError> {
        if documents.is_empty() {
            return Ok(());
        }
        let mut sentences = store.read(|view| waiting_of(&view, documents))?;
        if !sentences.is_empty() {
            if is_other(store, indexing)? || !self.is_loaded(store, indexing) {
                return Ok(());
            }
            sentences.sort_unstable();
            for ids in sentences.chunks(BATCH_SENTENCES) {
                indexing.cancel.check()?;
                let batch = store.read(|view| sentence_texts(&view, ids))?;
                if !self.embed_ahead(store, indexing, batch)? {
                    return Ok(());
                }
            }
        }
        let expected = std::mem::take(&mut self.expected).into_vec();
        let (now, later): (Vec<_>, Vec<_>) =
            expected.into_iter().partition(|Reverse(one)| documents.contains(&one.id));
        self.expected = later.into();
        now.into_iter().for_each(|Reverse(one)| one.publish(indexing));
        Ok(())
    }

    /// Embeds a few sentences while documents are still being read, and reports how long that took. Returns false if
    /// too few sentences wait for a meaningful sample.
    pub(crate) fn sample(&mut self, store: &Store, indexing: &mut Indexing<'_>) -> Result<bool, EngineError> {
        let ids = store.read(|view| {
            view.unembedded(Vectors::Active, SentenceId(0), WARM_UP_SENTENCES + SAMPLE_SENTENCES)
        })?;
        if ids.len() < WARM_UP_SENTENCES + SAMPLE_SENTENCES {
            return Ok(false);
        }
        if is_other(store, indexing)? || !self.is_loaded(store, indexing) || self.of() != Vectors::Active {
            return Ok(true);
        }
        indexing.cancel.checkpoint()?;
        let (first, sample) = ids.split_at(WARM_UP_SENTENCES);
        let (first, sample) = store.read(|view| {
            Ok::<_, EngineError>((sentence_texts(&view, first)?, sentence_texts(&view, sample)?))
        })?;
        let sentences = sample.len();
        if self.embed_ahead(store, indexing, first)? {
            let begun = Instant::now();
            if self.embed_ahead(store, indexing, sample)? {
                (indexing.progress)(IndexProgress::Sampled { sentences, took: begun.elapsed() });
            }
        }
        Ok(true)
    }

    /// The number of sentences that wait for a vector. The embedder is not loaded for this.
    pub(crate) fn waiting(&self, store: &Store, indexing: &Indexing<'_>) -> Result<u64, EngineError> {
        if self.embedder.is_some() || !is_other(store, indexing)? {
            return Ok(store.read(|view| view.unembedded_count(self.of()))?);
        }
        let next = store.read(|view| view.next_embedder())?.map(|next| next.fingerprint);
        Ok(store.read(|view| match next == indexing.embedder.fingerprint {
            true => view.unembedded_count(Vectors::Pending),
            false => view.distinct_sentences(),
        })?)
    }

    /// Begins the stage with the first sentence that has no vector. If the embedder has changed, all sentences get a
    /// second vector from now on.
    pub(crate) fn begin(&mut self, store: &Store, indexing: &mut Indexing<'_>) -> Result<(), EngineError> {
        (self.from, self.done, self.total) = (0, 0, 0);
        store.drop_previous(now())?;
        let (waiting, has_next) = store.read(|view| {
            let next = view.next_embedder()?;
            Ok::<_, EngineError>((view.unembedded_count(Vectors::Active)?, next.is_some()))
        })?;
        if waiting == 0 && !has_next && !is_other(store, indexing)? {
            return Ok(());
        }
        if let Err(error) = self.load(store, indexing) {
            // The documents can already be found by words.
            self.settle(indexing);
            return Err(error);
        }
        let of = self.of();
        self.total = usize::try_from(store.read(|view| view.unembedded_count(of))?).unwrap_or(usize::MAX);
        (indexing.progress)(IndexProgress::Embedding { done: 0, total: self.total });
        Ok(())
    }

    /// Embeds the next batch. Returns false once no sentence waits.
    pub(crate) fn next(&mut self, store: &Store, indexing: &mut Indexing<'_>) -> Result<bool, EngineError> {
        indexing.cancel.checkpoint()?;
        let (of, from) = (self.of(), SentenceId(self.from));
        let batch = store.read(|view| sentence_texts(&view, &view.unembedded(of, from, BATCH_SENTENCES)?))?;
        let Some(&(last, _)) = batch.last() else {
            if self.of() == Vectors::Pending {
                self.search_next(store)?;
            }
            self.settle(indexing);
            return Ok(false);
        };
        self.from = last.0.saturating_add(1);
        self.done += batch.len();
        self.embed(store, indexing, batch)?;
        (indexing.progress)(IndexProgress::Embedding { done: self.done.min(self.total), total: self.total });
        while self.expected.peek().is_some_and(|Reverse(one)| one.last.0 < self.from) {
            self.expected.pop().into_iter().for_each(|Reverse(one)| one.publish(indexing));
        }
        Ok(true)
    }

    fn embed(
        &mut self,
        store: &Store,
        indexing: &mut Indexing<'_>,
        batch: SentenceTexts,
    ) -> Result<(), EngineError> {
        let (embedder, of) = self.load(store, indexing)?;
        let (ids, texts): (Vec<_>, Vec<_>) = batch.into_iter().unzip();
        let vectors = embedder.embed(&texts, TextKind::Passage, indexing.cancel)?;
        store.write(|edit| {
            for (&id, vector) in ids.iter().zip(&vectors) {
                edit.put_vector(of, id, vector)?;
            }
            Ok(())
        })?;
        self.embedded += ids.len();
        Ok(())
    }

    /// Like `embed`, before the batch's turn. Returns false if the model fails: reading continues, and the error is
    /// reported in the embed stage.
    fn embed_ahead(
        &mut self,
        store: &Store,
        indexing: &mut Indexing<'_>,
        batch: SentenceTexts,
    ) -> Result<bool, EngineError> {
        match self.embed(store, indexing, batch) {
            Err(error @ EngineError::Model(_)) if !error.is_cancelled() => {
                tracing::warn!(%error, "documents are found by their words only");
                Ok(false)
            }
            done => done.map(|()| true),
        }
    }

    fn of(&self) -> Vectors {
        self.embedder.as_ref().map_or(Vectors::Active, |(_, of)| *of)
    }

    /// Called when every sentence has its second vector. From this commit on searches use the second set; the first is
    /// kept for a week.
    fn search_next(&mut self, store: &Store) -> Result<(), EngineError> {
        if store.search_next(now() + PREVIOUS_KEPT_MS)?
            && let Some((_, of)) = &mut self.embedder
        {
            *of = Vectors::Active;
        }
        Ok(())
    }

    /// Loads the embedder. Returns it with its set of vectors.
    fn load(
        &mut self,
        store: &Store,
        indexing: &Indexing<'_>,
    ) -> Result<(Arc<dyn Embedder>, Vectors), EngineError> {
        if let Some(loaded) = &self.embedder {
            return Ok(loaded.clone());
        }
        let embedder = (indexing.embedder.load)()?;
        let (fingerprint, dimensions) = (embedder.fingerprint().to_owned(), embedder.dimensions());
        let record = EmbedderRecord { fingerprint, dimensions };
        let of = store.write(|edit| edit.use_embedder(&record))?;
        self.embedder = Some((Arc::clone(&embedder), of));
        Ok((embedder, of))
    }

    /// Tries to load the embedder; a failure is only logged.
    fn is_loaded(&mut self, store: &Store, indexing: &Indexing<'_>) -> bool {
        let loaded = self.load(store, indexing);
        if let Err(error) = &loaded {
            tracing::warn!(%error, "documents are found by their words only");
        }
        loaded.is_ok()
    }

    /// Reports the documents that wait for their vectors as done.
    pub(crate) fn settle(&mut self, indexing: &mut Indexing<'_>) {
        while let Some(Reverse(one)) = self.expected.pop() {
            one.publish(indexing);
        }
    }
}

impl Expected {
    fn publish(self, indexing: &mut Indexing<'_>) {
        let change = DocumentChange::Indexed { sentences: self.sentences };
        (indexing.progress)(IndexProgress::Changed { path: &self.path, change });
    }
}

/// Whether the embedder is known to differ from the one that made the vectors.
fn is_other(store: &Store, indexing: &Indexing<'_>) -> Result<bool, EngineError> {
    let stored = store.read(|view| view.embedder())?;
    let wanted = indexing.embedder.fingerprint.as_deref();
    Ok(wanted.zip(stored).is_some_and(|(wanted, stored)| wanted != stored.fingerprint))
}

/// The sentences of these documents without a vector.
fn waiting_of(view: &View<'_>, documents: &[DocumentId]) -> Result<Vec<SentenceId>, EngineError> {
    let mut waiting = Vec::new();
    for &document in documents {
        for row in view.table(document)?.rows() {
            if view.is_unembedded(row.id)? {
                waiting.push(row.id);
            }
        }
    }
    waiting.sort_unstable();
    waiting.dedup();
    Ok(waiting)
}
