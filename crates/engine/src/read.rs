//! First stage of indexing: files on the ledger become text, sentences and postings, answerable by words.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, bounded, unbounded};
use oriel_core::{CancelToken, Cancelled, DocumentId, Extracted, Failure, FailureCode, Kind, WorkerCommand};
use oriel_store::{DocumentRecord, NewText, SentenceHash, Stamp, Store};
use oriel_text::{plain, terms};

use crate::EngineError;
use crate::extraction::{Extractor, ExtractorLimits};
use crate::scan::stamp;

/// A transaction takes what is ready, at most this many documents …
const BATCH_DOCUMENTS: usize = 64;
/// … and at most about this many bytes of text …
const BATCH_BYTES: usize = 8 << 20;
/// … and waits at most this long for more.
const BATCH_WAIT: Duration = Duration::from_millis(200);

/// Sums over the files read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ReadTotals {
    /// Sentences of all documents that were read.
    pub sentences: usize,
    /// Those of them whose text the library had not seen.
    pub unseen: usize,
}

/// One document, read and ready to be written.
struct ReadDocument {
    id: DocumentId,
    stamp: Stamp,
    outcome: Outcome,
}

enum Outcome {
    /// The bytes are those that were read before.
    Same,
    Text(Box<Text>),
    Failed {
        failure: Failure,
        hash: Option<String>,
    },
}

/// What a file says, ready for the store but for its stamp.
pub(crate) struct Text {
    extracted: Extracted,
    hashes: Vec<SentenceHash>,
    terms: Vec<Vec<String>>,
    hash: String,
}

/// Reads everything on the ledger. `done` is told each document that is in the store, with its path.
pub(crate) fn read_all(
    store: &Store,
    worker: &WorkerCommand,
    limits: ExtractorLimits,
    done: &mut dyn FnMut(&Path),
    cancel: &CancelToken,
) -> Result<ReadTotals, EngineError> {
    let work = store.read(|view| -> Result<_, EngineError> {
        let mut work = Vec::new();
        for id in view.ledger()? {
            if let Some(record) = view.document(id)? {
                work.push((id, record));
            }
        }
        Ok(work)
    })?;
    if work.is_empty() {
        return Ok(ReadTotals::default());
    }
    let readers = std::thread::available_parallelism().map_or(1, usize::from).min(work.len()).min(8);
    let (task_sender, tasks) = unbounded();
    let (sender, results) = bounded(2 * readers);
    for task in work {
        // The receiver lives until the end of this function.
        let _ = task_sender.send(task);
    }
    drop(task_sender);
    std::thread::scope(|scope| {
        for _ in 0..readers {
            let (tasks, sender) = (tasks.clone(), sender.clone());
            scope.spawn(move || read_some(&tasks, &sender, worker, limits, cancel));
        }
        drop(sender);
        write_as_they_come(store, results, done, cancel)
    })
}

type ReadResult = Result<(ReadDocument, DocumentRecord), EngineError>;

/// One reading thread, with a process of its own.
fn read_some(
    tasks: &Receiver<(DocumentId, DocumentRecord)>,
    results: &Sender<ReadResult>,
    worker: &WorkerCommand,
    limits: ExtractorLimits,
    cancel: &CancelToken,
) {
    let mut extractor = Extractor::new(worker.clone(), limits);
    for (id, record) in tasks {
        if cancel.is_cancelled() {
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
    let (bytes, stamp) = match load(&record.path, limits.file_bytes) {
        Ok(loaded) => loaded,
        Err((failure, stamp)) => {
            let stamp = stamp.unwrap_or(record.stamp);
            return Ok(ReadDocument { id, stamp, outcome: Outcome::Failed { failure, hash: None } });
        }
    };
    let hash = blake3::hash(&bytes).to_hex().to_string();
    if record.hash.as_deref() == Some(hash.as_str()) {
        return Ok(ReadDocument { id, stamp, outcome: Outcome::Same });
    }
    let outcome = match extractor.extract(record.kind, &bytes, cancel)? {
        Ok(extracted) => Outcome::Text(Box::new(digest(extracted, record.kind, hash, cancel)?)),
        Err(failure) => Outcome::Failed { failure, hash: Some(hash) },
    };
    Ok(ReadDocument { id, stamp, outcome })
}

/// The bytes of a file, and what the file was like when they were read.
pub(crate) fn load(path: &Path, limit: u64) -> Result<(Vec<u8>, Stamp), (Failure, Option<Stamp>)> {
    let unreadable = |error: std::io::Error| {
        let way_out = match error.kind() {
            std::io::ErrorKind::PermissionDenied => "; give your user the right to read it",
            std::io::ErrorKind::NotFound => "; it went away while the folder was read",
            _ => "; check the disk",
        };
        (Failure::new(FailureCode::Unreadable, format!("The file cannot be opened: {error}{way_out}.")), None)
    };
    let mut file = File::open(path).map_err(unreadable)?;
    let metadata = file.metadata().map_err(unreadable)?;
    let stamp = stamp(&metadata);
    if metadata.len() > limit {
        let reason = format!(
            "The file has {} MB; Oriel reads files up to {} MB. Divide it, or take it out of the folder.",
            metadata.len() >> 20,
            limit >> 20
        );
        return Err((Failure::new(FailureCode::TooLarge, reason), Some(stamp)));
    }
    let mut bytes = Vec::with_capacity(usize::try_from(metadata.len()).unwrap_or(0));
    file.by_ref().take(limit).read_to_end(&mut bytes).map_err(unreadable)?;
    Ok((bytes, stamp))
}

/// Everything about a text that can be worked out without the store.
pub(crate) fn digest(
    extracted: Extracted,
    kind: Kind,
    hash: String,
    cancel: &CancelToken,
) -> Result<Text, Cancelled> {
    let mut hashes = Vec::with_capacity(extracted.sentences.len());
    let mut all_terms = Vec::with_capacity(extracted.sentences.len());
    for sentence in &extracted.sentences {
        cancel.check()?;
        let text = plain(sentence.span.of(&extracted.text).unwrap_or_default(), kind);
        hashes.push(sentence_hash(&text));
        all_terms.push(terms(&text));
    }
    Ok(Text { extracted, hashes, terms: all_terms, hash })
}

/// The identity of a sentence: the hash of its plain text.
pub(crate) fn sentence_hash(plain: &str) -> SentenceHash {
    let mut hash = [0; 16];
    hash.copy_from_slice(&blake3::hash(plain.as_bytes()).as_bytes()[..16]);
    hash
}

/// Writes what the readers send. It owns the receiver: when it returns early, the readers see that nobody listens and
/// end, instead of waiting for ever.
#[expect(clippy::needless_pass_by_value, reason = "dropping the receiver is what ends the readers")]
fn write_as_they_come(
    store: &Store,
    results: Receiver<ReadResult>,
    done: &mut dyn FnMut(&Path),
    cancel: &CancelToken,
) -> Result<ReadTotals, EngineError> {
    let mut totals = ReadTotals::default();
    loop {
        let (batch, end) = gather(&results);
        if batch.is_empty() {
            end?;
            cancel.check()?;
            return Ok(totals);
        }
        let (sentences, unseen) = store.write(|edit| {
            let (mut sentences, mut unseen) = (0, 0);
            for (document, _) in &batch {
                match &document.outcome {
                    Outcome::Same => edit.unchanged(document.id, document.stamp)?,
                    Outcome::Failed { failure, hash } => {
                        edit.put_failure(document.id, failure, document.stamp, hash.as_deref())?;
                    }
                    Outcome::Text(text) => {
                        sentences += text.extracted.sentences.len();
                        unseen += edit.put_text(document.id, &text.as_new(document.stamp))?;
                    }
                }
            }
            Ok((sentences, unseen))
        })?;
        totals.sentences += sentences;
        totals.unseen += unseen;
        for (_, record) in &batch {
            done(&record.path);
        }
        end?;
    }
}

/// What goes into the next transaction; nothing where all has been read. Where a reader failed or was cancelled, what
/// the others have ready is kept all the same.
fn gather(results: &Receiver<ReadResult>) -> (Vec<(ReadDocument, DocumentRecord)>, Result<(), EngineError>) {
    let mut batch = Vec::new();
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
            text: &self.extracted.text,
            pages: &self.extracted.pages,
            sentences: &self.extracted.sentences,
            hashes: &self.hashes,
            terms: &self.terms,
            file_hash: &self.hash,
            stamp,
        }
    }
}
