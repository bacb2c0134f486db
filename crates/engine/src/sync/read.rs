//! The read stage: queued files become text, sentences and postings. From then on they can be found by words.
//!
//! The parent reads the bytes of a file, so the stored hash belongs to exactly the bytes that are extracted. If the
//! hash has not changed, the work ends there. One transaction writes what is ready, and each document completely or not
//! at all. A file that is missing when it is read stays in the queue until the next scan of its folder, which can tell
//! a deleted file from an unreachable folder.

use std::cmp::Reverse;
use std::collections::{HashSet, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::Scope;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use oriel_core::{CancelToken, Cancelled, DocumentId, Extracted, Failure, Kind, Member};
use oriel_store::{
    DocumentRecord, DocumentTerms, Edit, HeadRecord, NewText, Recognised, SentenceHash, Stamp, Store,
    StoreError,
};
use parking_lot::Mutex;

use crate::error::EngineError;
use crate::extract::load::{LoadError, load_to_keep};
use crate::extract::members::{Inner, InnerFile, known, read_members};
use crate::extract::process::Extractor;
use crate::extract::unlock::{self, Unlocked};
use crate::library::document_date::head_of;
use crate::library::limits::ExtractorLimits;
use crate::library::passwords::Passwords;
use crate::library::sentences::{Digest, digests};
use crate::sync::context::Reading;
use crate::sync::read::buffer::{ReadBuffer, Seat};

mod buffer;

/// A transaction waits for further documents at least this long …
const MIN_BATCH_WAIT: Duration = Duration::from_millis(200);
/// … and at most this long; between the two, as long as the last one took. Each transaction rewrites most pages of the
/// postings, so on a slow disk few large transactions are faster than many small ones.
const MAX_BATCH_WAIT: Duration = Duration::from_secs(1);

/// A file up to this size is small …
const SMALL_FILE_BYTES: u64 = 1 << 20;
/// … and one changed within this time is recent. Files that are both are read before the others.
const RECENT_AGE: Duration = Duration::from_secs(30 * 24 * 3600);

/// A document to read.
pub(crate) type Task = (DocumentId, DocumentRecord);

/// A document, or a member of one, whose new state has been committed.
pub(crate) struct Committed {
    pub id: DocumentId,
    pub path: PathBuf,
    pub outcome: CommitOutcome,
    /// The number of its sentences that were new to the library.
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
    Text(Box<Text>, Vec<ReadMember>),
    Failed {
        failure: Failure,
        hash: Option<String>,
    },
    Missing,
}

/// A file inside a document, read and ready to be written.
struct ReadMember {
    /// Its record if it is new.
    record: DocumentRecord,
    outcome: MemberOutcome,
}

enum MemberOutcome {
    /// This member has the same bytes as before.
    Same(DocumentId),
    Text(Box<Text>),
    Failed(Failure),
}

/// The content of a file, ready for the store except for its stamp.
pub(crate) struct Text {
    extracted: Extracted,
    locked: bool,
    hashes: Vec<SentenceHash>,
    terms: DocumentTerms,
    head: HeadRecord,
    hash: String,
    /// The recognised words, if text recognition was used.
    recognised: Option<Recognised>,
}

/// The queued documents in reading order: `awaited` ones, then small and recent ones, newest first, then the rest.
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

/// Reader threads, each with its own worker process. They end when their queue is empty, or when this is dropped.
pub(crate) struct ReaderPool<'scope, 'env> {
    scope: &'scope Scope<'scope, 'env>,
    store: &'env Store,
    reading: Reading<'env>,
    queue: Arc<Mutex<VecDeque<Task>>>,
    /// Documents read; `None` once all readers have ended.
    buffer: Option<Arc<ReadBuffer<ReadTask>>>,
    /// When the last batch was taken.
    taken_at: Option<Instant>,
}

/// A document that was read, with its record at that time.
type ReadTask = (ReadDocument, DocumentRecord);

/// Documents that were read and are written in one transaction.
pub(crate) type Batch = Vec<ReadTask>;

impl<'scope, 'env> ReaderPool<'scope, 'env> {
    /// A pool without readers.
    pub(crate) fn new(
        scope: &'scope Scope<'scope, 'env>,
        store: &'env Store,
        reading: Reading<'env>,
    ) -> Self {
        Self { scope, store, reading, queue: Arc::default(), buffer: None, taken_at: None }
    }

    /// Whether documents are being read, or were read and not taken yet.
    pub(crate) fn is_active(&self) -> bool {
        self.buffer.is_some()
    }

    /// Starts to read these documents in this order. Must not be called while readers are active.
    pub(crate) fn start(&mut self, tasks: Vec<Task>) {
        let readers = std::thread::available_parallelism().map_or(1, usize::from).min(tasks.len()).min(8);
        let buffer = Arc::new(ReadBuffer::new(readers));
        // This comes first: if the system has no thread left, it ends the readers that have started.
        self.buffer = Some(Arc::clone(&buffer));
        *self.queue.lock() = tasks.into();
        for _ in 0..readers {
            let (queue, buffer) = (Arc::clone(&self.queue), Arc::clone(&buffer));
            let mut reader = Reader::new(self.store, self.reading);
            self.scope.spawn(move || reader.read_some(&queue, &buffer.sit_down()));
        }
        self.taken_at = None;
    }

    /// Reads these documents before all that wait. Has no effect if no readers are left: the store's queue contains
    /// them.
    pub(crate) fn read_first(&self, tasks: Vec<Task>) {
        let mut queue = self.queue.lock();
        tasks.into_iter().rev().for_each(|task| queue.push_front(task));
    }

    /// Waits for the next documents; empty if all have been read. If a reader failed or was cancelled, the error comes
    /// after the documents that the others have ready.
    pub(crate) fn next_batch(&mut self) -> (Batch, Result<(), EngineError>) {
        let Some(buffer) = &self.buffer else { return (Batch::new(), Ok(())) };
        let written = self.taken_at.map(|taken| taken.elapsed()).unwrap_or_default();
        let (batch, end) = buffer.take(written.clamp(MIN_BATCH_WAIT, MAX_BATCH_WAIT));
        self.taken_at = Some(Instant::now());
        if batch.is_empty() || end.is_err() {
            self.end();
        }
        (batch, end)
    }

    fn end(&mut self) {
        if let Some(buffer) = self.buffer.take() {
            buffer.close();
        }
    }
}

impl Drop for ReaderPool<'_, '_> {
    fn drop(&mut self) {
        self.end();
    }
}

/// One reader thread with its own worker process.
struct Reader<'env> {
    store: &'env Store,
    extractor: Extractor,
    limits: ExtractorLimits,
    passwords: &'env Passwords,
    cancel: &'env CancelToken,
}

impl<'env> Reader<'env> {
    fn new(store: &'env Store, reading: Reading<'env>) -> Self {
        let Reading { worker, limits, passwords, cancel } = reading;
        Self { store, extractor: Extractor::new(worker.clone(), limits), limits, passwords, cancel }
    }

    fn read_some(&mut self, tasks: &Mutex<VecDeque<Task>>, seat: &Seat<'_, ReadTask>) {
        let next = || tasks.lock().pop_front();
        while let Some((id, record)) = next() {
            if self.cancel.checkpoint().is_err() {
                return;
            }
            let read = self.read_one(id, &record);
            let is_over = read.is_err();
            let bytes = read.as_ref().map_or(0, ReadDocument::text_bytes);
            if !seat.put(read.map(|document| (document, record)), bytes) || is_over {
                return;
            }
        }
    }

    fn read_one(&mut self, id: DocumentId, record: &DocumentRecord) -> Result<ReadDocument, EngineError> {
        let (bytes, stamp) = match load_to_keep(&record.path, self.limits.file_bytes) {
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
        // The record has the kind by the content that was read last.
        let promised = Kind::of_path(&record.path).unwrap_or(record.kind);
        let (extractor, passwords, limits) = (&mut self.extractor, self.passwords, &self.limits.text);
        let read = unlock::extract(extractor, passwords, promised, &bytes, &hash, limits, self.cancel)?;
        drop(bytes);
        let outcome = match read {
            Ok(mut unlocked) => {
                let members = std::mem::take(&mut unlocked.extracted.members);
                let members = self.read_members(record, members, stamp)?;
                Outcome::Text(Box::new(digest(&record.path, unlocked, hash, self.cancel)?), members)
            }
            Err(failure) => Outcome::Failed { failure, hash: Some(hash) },
        };
        Ok(ReadDocument { id, stamp, outcome })
    }

    /// Reads the files inside a file; `stamp` has the time of its last change.
    fn read_members(
        &mut self,
        file: &DocumentRecord,
        members: Vec<Member>,
        stamp: Stamp,
    ) -> Result<Vec<ReadMember>, EngineError> {
        if members.is_empty() {
            return Ok(Vec::new());
        }
        let (known, limits) = (known(self.store, file)?, self.limits.text);
        let (extractor, passwords) = (&mut self.extractor, self.passwords);
        let found = read_members(extractor, passwords, &file.path, members, known, limits, self.cancel)?;
        let mut read = Vec::with_capacity(found.len());
        for InnerFile { path, kind, size, hash, read: inner } in found {
            let stamp = Stamp { size, inode: 0, ..stamp };
            let record = DocumentRecord { hash: hash.clone(), ..DocumentRecord::unread(path, kind, stamp) };
            let outcome = match inner {
                Inner::Same(id) => MemberOutcome::Same(id),
                Inner::Failed(failure) => MemberOutcome::Failed(failure),
                Inner::Text(unlocked) => {
                    let hash = hash.unwrap_or_default();
                    MemberOutcome::Text(Box::new(digest(&record.path, *unlocked, hash, self.cancel)?))
                }
            };
            read.push(ReadMember { record, outcome });
        }
        Ok(read)
    }
}

/// Computes everything about the text of the document at `path` that does not need the store.
pub(crate) fn digest(
    path: &Path,
    unlocked: Unlocked,
    hash: String,
    cancel: &CancelToken,
) -> Result<Text, Cancelled> {
    let Unlocked { extracted, locked } = unlocked;
    let mut hashes = Vec::with_capacity(extracted.sentences.len());
    let mut all_terms = Vec::with_capacity(extracted.sentences.len());
    let Extracted { text, outline, kind, sentences, .. } = &extracted;
    let spans = sentences.iter().map(|sentence| sentence.span);
    for digest in digests(path, text, outline, *kind, spans).flatten() {
        cancel.check()?;
        let Digest { hash, terms } = digest;
        hashes.push(hash);
        all_terms.push(terms);
    }
    let (head, terms) = (head_of(text, outline, *kind), DocumentTerms::of(&all_terms));
    Ok(Text { extracted, locked, hashes, terms, head, hash, recognised: None })
}

/// Writes documents in one transaction. From then on they can be found by words. If `cancel` is cancelled, the
/// remaining ones stay in the queue and are read again.
pub(crate) fn commit(
    store: &Store,
    batch: Batch,
    cancel: &CancelToken,
) -> Result<Vec<Committed>, StoreError> {
    let written = store.write(|edit| {
        let wanted = batch.iter().take_while(|_| !cancel.is_cancelled());
        wanted.map(|(document, task)| put(edit, document, task)).collect::<Result<Vec<_>, _>>()
    })?;
    let mut committed = Vec::new();
    for ((document, record), written) in batch.into_iter().zip(written) {
        let (id, path) = (document.id, record.path);
        let Some(Written { unseen, members }) = written else {
            let outcome = CommitOutcome::Overtaken;
            committed.push(Committed { id, path, outcome, unseen: 0 });
            continue;
        };
        let (outcome, inner) = document.outcome.into_committed();
        committed.push(Committed { id, path, outcome, unseen });
        for (ReadMember { record, outcome }, (id, unseen)) in inner.into_iter().zip(members) {
            let outcome = outcome.into_committed();
            committed.push(Committed { id, path: record.path, outcome, unseen });
        }
    }
    Ok(committed)
}

/// The result of writing a document: the number of its sentences that were new to the library, and the same for its
/// members.
struct Written {
    unseen: usize,
    members: Vec<(DocumentId, usize)>,
}

/// Writes a document whose record was `task` when it was read; `None` if the record has changed since.
fn put(
    edit: &mut Edit<'_>,
    document: &ReadDocument,
    task: &DocumentRecord,
) -> Result<Option<Written>, StoreError> {
    let (id, stamp) = (document.id, document.stamp);
    if edit.view().document(id)?.as_ref() != Some(task) || !may_put_members(edit, document)? {
        edit.schedule(id)?;
        return Ok(None);
    }
    let mut written = Written { unseen: 0, members: Vec::new() };
    match &document.outcome {
        Outcome::Same => edit.unchanged(id, stamp)?,
        Outcome::Failed { failure, hash } => edit.put_failure(id, failure, stamp, hash.as_deref())?,
        Outcome::Text(text, members) => {
            written.unseen = edit.put_text(id, &text.as_new(stamp))?;
            for member in members {
                written.members.push(put_member(edit, id, member)?);
            }
            let ids: Vec<_> = written.members.iter().map(|(id, _)| *id).collect();
            edit.set_members(id, &ids)?;
        }
        Outcome::Missing => {}
    }
    Ok(Some(written))
}

/// Whether the members of a document can be written: no unchanged one was queued again meanwhile, and no file on disk
/// has taken the path of one.
fn may_put_members(edit: &Edit<'_>, document: &ReadDocument) -> Result<bool, StoreError> {
    let Outcome::Text(_, members) = &document.outcome else { return Ok(true) };
    let view = edit.view();
    for ReadMember { record, outcome } in members {
        let before = view.document_at(&record.path)?.map(|id| view.document(id)).transpose()?.flatten();
        let may = match (&before, outcome) {
            (Some(before), MemberOutcome::Same(_)) => before.hash == record.hash,
            (None, MemberOutcome::Same(_)) => false,
            (before, _) => before.as_ref().is_none_or(|before| before.within == Some(document.id)),
        };
        if !may {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Writes a member of the document `within`. Returns its id and the number of its sentences that were new.
fn put_member(
    edit: &mut Edit<'_>,
    within: DocumentId,
    member: &ReadMember,
) -> Result<(DocumentId, usize), StoreError> {
    let ReadMember { record, outcome } = member;
    if let MemberOutcome::Same(id) = outcome {
        return Ok((*id, 0));
    }
    let id = match edit.view().document_at(&record.path)? {
        Some(before) => before,
        None => edit.register_member(within, record.clone())?,
    };
    match outcome {
        MemberOutcome::Text(text) => return Ok((id, edit.put_text(id, &text.as_new(record.stamp))?)),
        MemberOutcome::Failed(failure) => {
            edit.put_failure(id, failure, record.stamp, record.hash.as_deref())?;
        }
        MemberOutcome::Same(_) => {}
    }
    Ok((id, 0))
}

impl Outcome {
    /// The outcome for the document, and the members, whose ids are matched later.
    fn into_committed(self) -> (CommitOutcome, Vec<ReadMember>) {
        match self {
            Self::Same => (CommitOutcome::Same, Vec::new()),
            Self::Text(text, members) => (CommitOutcome::Text(text.extracted.sentences.len()), members),
            Self::Failed { failure, .. } => (CommitOutcome::Failed(failure), Vec::new()),
            Self::Missing => (CommitOutcome::Missing, Vec::new()),
        }
    }
}

impl MemberOutcome {
    fn into_committed(self) -> CommitOutcome {
        match self {
            Self::Same(_) => CommitOutcome::Same,
            Self::Text(text) => CommitOutcome::Text(text.extracted.sentences.len()),
            Self::Failed(failure) => CommitOutcome::Failed(failure),
        }
    }
}

impl ReadDocument {
    /// A document with recognised text, on all or some pages.
    pub(crate) fn recognised(
        id: DocumentId,
        record: &DocumentRecord,
        text: Text,
        recognised: Recognised,
    ) -> Self {
        let text = Text { recognised: Some(recognised), ..text };
        Self { id, stamp: record.stamp, outcome: Outcome::Text(Box::new(text), Vec::new()) }
    }

    /// A document whose text could not be recognised.
    pub(crate) fn failed(id: DocumentId, record: &DocumentRecord, failure: Failure) -> Self {
        Self { id, stamp: record.stamp, outcome: Outcome::Failed { failure, hash: record.hash.clone() } }
    }

    fn text_bytes(&self) -> usize {
        let Outcome::Text(text, members) = &self.outcome else { return 0 };
        let inner = members.iter().filter_map(|member| match &member.outcome {
            MemberOutcome::Text(text) => Some(text.extracted.text.len()),
            _ => None,
        });
        text.extracted.text.len() + inner.sum::<usize>()
    }
}

impl Text {
    pub(crate) fn as_new(&self, stamp: Stamp) -> NewText<'_> {
        NewText {
            extracted: &self.extracted,
            hashes: &self.hashes,
            terms: &self.terms,
            head: Some(&self.head),
            file_hash: &self.hash,
            stamp,
            locked: self.locked,
            recognised: self.recognised.as_ref(),
        }
    }
}

#[cfg(test)]
mod tests;
