//! Bringing a library up to date: scan, read, embed, build.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use oriel_core::{CancelToken, Embedder, ModelError, SentenceId, WorkerCommand};
use oriel_store::{DocumentState, EmbedderRecord, Store, Vectors};
use oriel_text::plain;
use serde::Serialize;

use crate::extraction::ExtractorLimits;
use crate::scan::scan;
use crate::{EngineError, read};

/// Sentences that are embedded between two commits: a second or two of work, all that a kill can cost.
const EMBED_BATCH: usize = 512;
/// The trees are built anew when this many vectors are outside them, or …
const LEAST_REBUILD: u64 = 2_000;
/// … this share of all vectors, whichever is more. Until then those are searched one by one.
const REBUILD_SHARE: u64 = 10;

/// How far an indexing is. Counts are of this run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum IndexProgress<'a> {
    /// Folders are compared with the library.
    Scanning {
        /// Files seen so far.
        files: usize,
    },
    /// Documents are read; they can be found by their words from then on.
    Reading {
        /// Documents done.
        done: usize,
        /// Documents to read.
        total: usize,
        /// The one that was read last.
        path: &'a Path,
    },
    /// Sentences get their vectors; they can be found by meaning from then on.
    Embedding {
        /// Sentences done.
        done: usize,
        /// Sentences that wait.
        total: usize,
    },
    /// The trees over the vectors are built.
    Building {
        /// Steps done of this part.
        done: u32,
        /// Steps of this part.
        total: u32,
    },
}

/// What an indexing came to: `documents`, `sentences` and `failed` of the library as it stands, the rest of this run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct IndexReport {
    /// Documents that could be read.
    pub documents: usize,
    /// Their sentences.
    pub sentences: usize,
    /// Documents that could not be read.
    pub failed: usize,
    /// Files of kinds that are not read.
    pub skipped: usize,
    /// Sentences that got a vector in this run.
    pub embedded: usize,
    /// Sentences of the documents read in this run that needed none of their own: their text had one, or gets one.
    pub reused: usize,
    /// How long it took.
    pub seconds: f64,
    /// Folders that could not be read, with the reason; their documents are kept.
    #[serde(skip)]
    pub unreachable: Vec<(PathBuf, String)>,
}

/// An embedder that is loaded when first needed: a library that is up to date needs none.
pub struct LazyEmbedder<'a> {
    /// The fingerprint that the embedder will have, where it is known without loading it.
    pub fingerprint: Option<String>,
    /// Loads it.
    pub load: &'a dyn Fn() -> Result<Arc<dyn Embedder>, ModelError>,
}

/// What an indexing needs beside the store.
pub(crate) struct Indexing<'a> {
    pub worker: &'a WorkerCommand,
    pub limits: ExtractorLimits,
    pub embedder: &'a LazyEmbedder<'a>,
    pub progress: &'a mut (dyn FnMut(IndexProgress<'_>) + Send),
    pub cancel: &'a CancelToken,
}

/// Brings the store up to date once.
pub(crate) fn index(store: &Store, indexing: &mut Indexing<'_>) -> Result<IndexReport, EngineError> {
    let begun = Instant::now();
    let _lock = store.lock_writer()?;
    let cancel = indexing.cancel;
    let scanned = scan(store, &mut |files| (indexing.progress)(IndexProgress::Scanning { files }), cancel)?;

    let total = store.read(|view| view.ledger())?.len();
    let mut done = 0;
    let read = read::read_all(
        store,
        indexing.worker,
        indexing.limits,
        &mut |path| {
            done += 1;
            (indexing.progress)(IndexProgress::Reading { done, total, path });
        },
        cancel,
    )?;
    let embedded = embed(store, indexing)?;
    build(store, Vectors::Searched, indexing)?;

    let (documents, failed) = store.read(|view| -> Result<_, EngineError> {
        let (mut documents, mut failed) = (0, 0);
        for entry in view.documents()? {
            match entry?.1.state {
                DocumentState::Indexed => documents += 1,
                DocumentState::Failed(_) => failed += 1,
                DocumentState::Waiting => {}
            }
        }
        Ok((documents, failed))
    })?;
    let sentences = store.read(|view| view.totals())?.sentences;
    Ok(IndexReport {
        documents,
        sentences: usize::try_from(sentences).unwrap_or(usize::MAX),
        failed,
        skipped: scanned.skipped,
        embedded,
        reused: read.sentences - read.unseen.min(read.sentences),
        seconds: begun.elapsed().as_secs_f64(),
        unreachable: scanned.unreachable,
    })
}

/// Second stage: every sentence that waits for a vector gets one. Where the embedder is another, all of them get a second
/// one beside the first; when all have it, the second take the place of the first.
fn embed(store: &Store, indexing: &mut Indexing<'_>) -> Result<usize, EngineError> {
    let (waiting_count, stored) = store
        .read(|view| Ok::<_, EngineError>((view.unembedded_count(Vectors::Searched)?, view.embedder()?)))?;
    let wanted = indexing.embedder.fingerprint.as_deref();
    let is_other = wanted.zip(stored).is_some_and(|(wanted, stored)| wanted != stored.fingerprint);
    if waiting_count == 0 && !is_other {
        return Ok(0);
    }
    let embedder = (indexing.embedder.load)()?;
    let record =
        EmbedderRecord { fingerprint: embedder.fingerprint().to_owned(), dimensions: embedder.dimensions() };
    let of = store.write(|edit| edit.use_embedder(&record))?;
    let total = usize::try_from(store.read(|view| view.unembedded_count(of))?).unwrap_or(usize::MAX);
    let mut done = 0;
    (indexing.progress)(IndexProgress::Embedding { done, total });
    let mut from = SentenceId(0);
    loop {
        indexing.cancel.check()?;
        let batch = waiting(store, of, from)?;
        let Some(&(last, _)) = batch.last() else { break };
        from = SentenceId(last.0.saturating_add(1));
        let (ids, texts): (Vec<_>, Vec<_>) = batch.into_iter().unzip();
        let vectors = embedder.embed(&texts, indexing.cancel)?;
        store.write(|edit| {
            for (&id, vector) in ids.iter().zip(&vectors) {
                edit.put_vector(of, id, vector)?;
            }
            Ok(())
        })?;
        done += ids.len();
        (indexing.progress)(IndexProgress::Embedding { done: done.min(total), total });
    }
    if of == Vectors::Next {
        // Questions are answered with the old vectors until this commit, and with the new ones from it on.
        build(store, of, indexing)?;
        store.write(|edit| edit.search_next())?;
    }
    Ok(done)
}

/// The next sentences that wait for a vector, with their plain text.
fn waiting(store: &Store, of: Vectors, from: SentenceId) -> Result<Vec<(SentenceId, String)>, EngineError> {
    store.read(|view| {
        let mut batch = Vec::new();
        let mut open = None;
        for sentence in view.unembedded(of, from, EMBED_BATCH)? {
            let Some(document) = view.occurrences(sentence)?.next().transpose()? else { continue };
            let same = matches!(&open, Some((id, _, _)) if *id == document);
            if !same {
                let kind = view.document(document)?.map(|record| record.kind);
                let text = view.text(document)?.unwrap_or_default();
                open = kind.map(|kind| (document, kind, text));
            }
            let Some((_, kind, text)) = &open else { continue };
            let table = view.table(document)?;
            let row = table.ordinals_of(sentence).next().and_then(|ordinal| table.get(ordinal));
            let slice = row.and_then(|row| row.span.of(text)).unwrap_or_default();
            batch.push((sentence, plain(slice, *kind)));
        }
        Ok(batch)
    })
}

/// Builds the trees where enough vectors are outside them.
fn build(store: &Store, of: Vectors, indexing: &mut Indexing<'_>) -> Result<(), EngineError> {
    let counts = store.read(|view| view.vector_counts(of))?;
    let outside = counts.fresh + counts.stale;
    if outside == 0 || outside < LEAST_REBUILD.max(counts.trees / REBUILD_SHARE) {
        return Ok(());
    }
    let progress = std::sync::Mutex::new(&mut indexing.progress);
    let cancel = indexing.cancel;
    store.build_trees(of, cancel, &|step| {
        // Several threads report; one that finds another reporting has nothing newer to say.
        if let Ok(mut progress) = progress.try_lock() {
            progress(IndexProgress::Building { done: step.done, total: step.total });
        }
    })?;
    Ok(())
}
