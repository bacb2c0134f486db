//! The read stage: queued files become text, sentences and postings. From then on they can be found by words.

use std::cmp::Reverse;
use std::collections::{HashSet, VecDeque};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::Scope;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use crossbeam_channel::{Receiver, Sender, bounded};
use oriel_core::{CancelToken, Cancelled, DocumentId, Extracted, Failure, Kind, WorkerCommand};
use oriel_store::{DocumentRecord, Edit, NewText, SentenceHash, Stamp, Store, StoreError};

use crate::error::EngineError;
use crate::extract::load::{LoadError, load_to_keep};
use crate::extract::process::Extractor;
use crate::library::limits::ExtractorLimits;
use crate::library::sentences::{Digest, digests};

/// A transaction holds at most this many documents …
const BATCH_DOCUMENTS: usize = 64;
/// … and about this many bytes of text …
const BATCH_BYTES: usize = 8 << 20;
/// … and waits at most this long for further documents.
const BATCH_WAIT: Duration = Duration::from_millis(200);

/// A file up to this size is small …
const SMALL_FILE_BYTES: u64 = 1 << 20;
/// … and one changed within this time is recent. Files that are both are read before the others.
const RECENT_AGE: Duration = Duration::from_secs(30 * 24 * 3600);

/// A document to read.
pub(crate) type Task = (DocumentId, DocumentRecord);

/// A document whose new state has been committed.
pub(crate) struct Committed {
    pub id: DocumentId,
    pub path: PathBuf,
    pub outcome: CommitOutcome,
    /// Its sentences that were new to the library.
    pub unseen: usize,
}

/// The result of reading a document.
pub(crate) enum CommitOutcome {
    /// Its bytes are the same as before.
    Same,
    /// It has this many sentences.
    Text(usize),
    Failed(Failure),
    /// Its file is missing. The next scan of the folder decides whether it is gone or unreachable.
    Missing,
    /// It was renamed or read again meanwhile, so the result may be out of date. It is queued again.
    Overtaken,
}

/// One document, read and ready to be written.
pub(crate) struct ReadDocument {
    id: DocumentId,
    stamp: Stamp,
    outcome: Outcome,
}

enum Outcome {
    /// The bytes are the same as before.
    Same,
    Text(Box<Text>),
    Failed {
        failure: Failure,
        hash: Option<String>,
    },
    Missing,
}

/// The content of a file, ready for the store except for its stamp.
pub(crate) struct Text {
    extracted: Extracted,
    hashes: Vec<SentenceHash>,
    terms: Vec<Vec<String>>,
    hash: String,
}

/// The queued documents in reading order: `awaited` ones, then small and recent ones from the newest on, then the rest.
pub(crate) fn tasks(store: &Store, awaited: &HashSet<DocumentId>) -> Result<Vec<Task>, EngineError> {
    let mut tasks = store.read(|view| -> Result<_, EngineError> {
        let mut tasks = Vec::new();
        for id in view.read_queue()? {
            if let Some(record) = view.document(id)? {
                tasks.push((id, record));
            }
        }
        Ok(tasks)
    })?;
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let recent = i64::try_from(now.saturating_sub(RECENT_AGE).as_nanos()).unwrap_or(i64::MAX);
    tasks.sort_by_key(|(id, record)| {
        let Stamp { size, modified, .. } = record.stamp;
        let is_light = size <= SMALL_FILE_BYTES && modified >= recent;
        (!awaited.contains(id), !is_light, if is_light { Reverse(modified) } else { Reverse(0) })
    });
    Ok(tasks)
}

/// Reader threads, each with a worker process of its own. They end when their queue is empty, or when this is dropped.
pub(crate) struct ReaderPool<'scope, 'env> {
    scope: &'scope Scope<'scope, 'env>,
    worker: &'env WorkerCommand,
    limits: ExtractorLimits,
    cancel: &'env CancelToken,
    queue: Arc<Mutex<VecDeque<Task>>>,
    /// What they have read; `None` once all have ended.
    results: Option<Receiver<ReadResult>>,
}

/// Documents that were read and are written in one transaction, each with its record when it was read.
pub(crate) type Batch = Vec<(ReadDocument, DocumentRecord)>;

impl<'scope, 'env> ReaderPool<'scope, 'env> {
    /// A pool without readers.
    pub(crate) fn new(
        scope: &'scope Scope<'scope, 'env>,
        worker: &'env WorkerCommand,
        limits: ExtractorLimits,
        cancel: &'env CancelToken,
    ) -> Self {
        Self { scope, worker, limits, cancel, queue: Arc::default(), results: None }
    }

    /// Whether documents are being read, or were read and not taken yet.
    pub(crate) fn is_active(&self) -> bool {
        self.results.is_some()
    }

    /// Starts to read these documents, in this order. Only while none is active.
    pub(crate) fn start(&mut self, tasks: Vec<Task>) {
        let readers = std::thread::available_parallelism().map_or(1, usize::from).min(tasks.len()).min(8);
        let (sender, results) = bounded(2 * readers);
        *self.queue.lock().unwrap_or_else(PoisonError::into_inner) = tasks.into();
        for _ in 0..readers {
            let (queue, sender) = (Arc::clone(&self.queue), sender.clone());
            let (worker, limits, cancel) = (self.worker, self.limits, self.cancel);
            self.scope.spawn(move || read_some(&queue, &sender, worker, limits, cancel));
        }
        self.results = Some(results);
    }

    /// Reads these documents before all that wait. Without effect if no readers are left: the store's queue holds them.
    pub(crate) fn read_first(&self, tasks: Vec<Task>) {
        let mut queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
        tasks.into_iter().rev().for_each(|task| queue.push_front(task));
    }

    /// Waits for the next documents; none if all have been read. If a reader failed or was cancelled, the error comes after
    /// what the others have ready.
    pub(crate) fn next_batch(&mut self) -> (Batch, Result<(), EngineError>) {
        let Some(results) = &self.results else { return (Batch::new(), Ok(())) };
        let (batch, end) = gather(results);
        if batch.is_empty() || end.is_err() {
            self.results = None;
        }
        (batch, end)
    }
}

type ReadResult = Result<(ReadDocument, DocumentRecord), EngineError>;

/// One reader thread with its own worker process.
fn read_some(
    tasks: &Mutex<VecDeque<Task>>,
    results: &Sender<ReadResult>,
    worker: &WorkerCommand,
    limits: ExtractorLimits,
    cancel: &CancelToken,
) {
    let mut extractor = Extractor::new(worker.clone(), limits);
    let next = || tasks.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
    while let Some((id, record)) = next() {
        if cancel.checkpoint().is_err() {
            return;
        }
        let read = read_one(&mut extractor, id, &record, limits, cancel);
        let over = read.is_err();
        if results.send(read.map(|document| (document, record))).is_err() || over {
            return;
        }
    }
}

fn read_one(
    extractor: &mut Extractor,
    id: DocumentId,
    record: &DocumentRecord,
    limits: ExtractorLimits,
    cancel: &CancelToken,
) -> Result<ReadDocument, EngineError> {
    let (bytes, stamp) = match load_to_keep(&record.path, limits.file_bytes) {
        Ok(loaded) => loaded,
        Err(LoadError::Missing) => {
            return Ok(ReadDocument { id, stamp: record.stamp, outcome: Outcome::Missing });
        }
        Err(LoadError::Failed(failure, stamp)) => {
            let stamp = stamp.unwrap_or(record.stamp);
            return Ok(ReadDocument { id, stamp, outcome: Outcome::Failed { failure, hash: None } });
        }
    };
    let hash = blake3::hash(&bytes).to_hex().to_string();
    if !record.outdated && record.hash.as_deref() == Some(hash.as_str()) {
        return Ok(ReadDocument { id, stamp, outcome: Outcome::Same });
    }
    // The record has the kind of the content that was read last.
    let promised = Kind::of_path(&record.path).unwrap_or(record.kind);
    let outcome = match extractor.extract(promised, &bytes, cancel)? {
        Ok(extracted) => Outcome::Text(Box::new(digest(extracted, hash, cancel)?)),
        Err(failure) => Outcome::Failed { failure, hash: Some(hash) },
    };
    Ok(ReadDocument { id, stamp, outcome })
}

/// Everything about a text that can be computed without the store.
pub(crate) fn digest(extracted: Extracted, hash: String, cancel: &CancelToken) -> Result<Text, Cancelled> {
    let mut hashes = Vec::with_capacity(extracted.sentences.len());
    let mut all_terms = Vec::with_capacity(extracted.sentences.len());
    let Extracted { text, outline, kind, sentences, .. } = &extracted;
    let spans = sentences.iter().map(|sentence| sentence.span);
    for digest in digests(text, outline, *kind, spans).flatten() {
        cancel.check()?;
        let Digest { hash, terms } = digest;
        hashes.push(hash);
        all_terms.push(terms);
    }
    Ok(Text { extracted, hashes, terms: all_terms, hash })
}

/// Writes documents in one transaction. From then on they can be found by words.
pub(crate) fn commit(store: &Store, batch: Batch) -> Result<Vec<Committed>, StoreError> {
    let unseen = store.write(|edit| {
        batch.iter().map(|(document, task)| put(edit, document, task)).collect::<Result<Vec<_>, _>>()
    })?;
    let committed = batch.into_iter().zip(unseen).map(|((document, record), unseen)| Committed {
        id: document.id,
        path: record.path,
        outcome: unseen.map_or(CommitOutcome::Overtaken, |_| document.outcome.into()),
        unseen: unseen.unwrap_or(0),
    });
    Ok(committed.collect())
}

/// Writes a document whose record was `task` when it was read. Returns the number of new sentences, or `None` if the record
/// has changed since.
fn put(
    edit: &mut Edit<'_>,
    document: &ReadDocument,
    task: &DocumentRecord,
) -> Result<Option<usize>, StoreError> {
    let (id, stamp) = (document.id, document.stamp);
    if edit.view().document(id)?.is_some_and(|now| now != *task) {
        edit.schedule(id)?;
        return Ok(None);
    }
    let mut unseen = 0;
    match &document.outcome {
        Outcome::Same => edit.unchanged(id, stamp)?,
        Outcome::Failed { failure, hash } => edit.put_failure(id, failure, stamp, hash.as_deref())?,
        Outcome::Text(text) => unseen = edit.put_text(id, &text.as_new(stamp))?,
        Outcome::Missing => {}
    }
    Ok(Some(unseen))
}

/// Collects the documents of the next transaction; none if all have been read. If a reader failed or was cancelled, what
/// the others have ready is still included.
fn gather(results: &Receiver<ReadResult>) -> (Batch, Result<(), EngineError>) {
    let mut batch = Batch::new();
    let mut bytes = 0;
    let mut next = results.recv().ok();
    let begun = Instant::now();
    while let Some(result) = next {
        match result {
            Ok(read) => {
                bytes += read.0.text_bytes();
                batch.push(read);
            }
            Err(error) => {
                batch.extend(results.try_iter().filter_map(Result::ok));
                return (batch, Err(error));
            }
        }
        let is_full = batch.len() >= BATCH_DOCUMENTS || bytes >= BATCH_BYTES;
        next = if is_full {
            None
        } else {
            results.recv_timeout(BATCH_WAIT.saturating_sub(begun.elapsed())).ok()
        };
    }
    (batch, Ok(()))
}

impl From<Outcome> for CommitOutcome {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Same => Self::Same,
            Outcome::Text(text) => Self::Text(text.extracted.sentences.len()),
            Outcome::Failed { failure, .. } => Self::Failed(failure),
            Outcome::Missing => Self::Missing,
        }
    }
}

impl ReadDocument {
    fn text_bytes(&self) -> usize {
        match &self.outcome {
            Outcome::Text(text) => text.extracted.text.len(),
            _ => 0,
        }
    }
}

impl Text {
    pub(crate) fn as_new(&self, stamp: Stamp) -> NewText<'_> {
        NewText {
            extracted: &self.extracted,
            hashes: &self.hashes,
            terms: &self.terms,
            file_hash: &self.hash,
            stamp,
        }
    }
}

#[cfg(test)]
mod tests;
