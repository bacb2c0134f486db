//! Runs an indexing: a queue of jobs, the most urgent first.
//!
//! Each job does one step (a scan, one transaction of documents, one batch of vectors) and queues the jobs that follow
//! from it. Documents that the user changed or asked about meanwhile wait for one step at most.
//!
//! Files that the user just changed come first, and files that the user asked about in this process (by `@`, or by "why
//! was this not found"). They get their vectors at once, even during a long run. Small recent files follow, newest
//! first, then the rest.

use std::collections::{BTreeSet, HashSet};
use std::time::{Duration, Instant};

use oriel_core::DocumentId;
use oriel_store::{DocumentState, Store};
use oriel_text::READERS;

use crate::error::EngineError;
use crate::sync::context::Indexing;
use crate::sync::embed::EmbedStage;
use crate::sync::progress::{DocumentChange, IndexProgress, IndexReport};
use crate::sync::read::{CommitOutcome, Committed, ReaderPool, Task, commit, tasks};
use crate::sync::recognise::{RecogniseStep, Recogniser};
use crate::sync::scan::{Scan, scan};
use crate::sync::scope::Scope;
use crate::sync::watch::Watch;

/// Maximum number of indexed documents that were asked about and get their vectors first.
const MAX_EMBEDDED_ON_REQUEST: usize = 64;
/// While power is saved, this many sentences get their vectors in a run, which takes seconds; more wait.
const MAX_EMBEDDED_SAVING_POWER: u32 = 1_000;
/// After this time of reading, the embedder's speed is sampled, so that the total time can be estimated …
const FIRST_SAMPLE_AFTER: Duration = Duration::from_secs(1);
/// … and again at this interval.
const SAMPLE_INTERVAL: Duration = Duration::from_secs(60);

/// A step of a run, in the order of urgency: the first job in the queue is done first.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Job {
    /// Embed the sentences of a document that the user waits for.
    EmbedFirst(DocumentId),
    /// Compare what may have changed with the store.
    Scan(Scope),
    /// Measure the embedder's speed while documents are still read.
    Sample,
    /// Write the documents that were read meanwhile.
    Read,
    /// Embed the next sentences.
    Embed,
    /// Write a document that was recognised meanwhile.
    Recognise,
}

/// Runs all stages once.
pub(crate) fn index<'a>(store: &'a Store, indexing: Indexing<'a>) -> Result<IndexReport, EngineError> {
    let begun = Instant::now();
    let _lock = store.lock_writer()?;
    store.use_readers(READERS)?;
    let mut run = Run::new(store, indexing);
    run.queue.insert(Job::Scan(Scope::Everything));
    let run = run.work()?;
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
        skipped: run.scanned.skipped,
        embedded: run.embedding.embedded,
        reused: run.sentences - run.unseen.min(run.sentences),
        seconds: begun.elapsed().as_secs_f64(),
        unreachable: run.scanned.unreachable,
    })
}

/// Processes what the watch has noticed, and what earlier runs left. Returns whether all is done.
pub(crate) fn keep_up<'a>(store: &'a Store, indexing: Indexing<'a>) -> Result<bool, EngineError> {
    let _lock = store.lock_writer()?;
    store.use_readers(READERS)?;
    Ok(!Run::new(store, indexing).work()?.is_deferred)
}

/// One run: its state and its counts.
struct Run<'a> {
    store: &'a Store,
    indexing: Indexing<'a>,
    queue: BTreeSet<Job>,
    /// The result of the last scan.
    scanned: Scan,
    embedding: EmbedStage,
    /// Whether the embed stage has begun since documents were last read.
    is_embedding: bool,
    /// Whether work was left for later to save power.
    is_deferred: bool,
    /// Number of sentences in documents that the user waits for which may still get their vectors while power is saved.
    power_budget: u32,
    /// The number of documents to read in this pass, and how many are done.
    total: usize,
    done: usize,
    /// When to sample the embedder's speed next.
    sample_at: Instant,
    /// Documents that the user just changed or asked about. They go first.
    awaited: HashSet<DocumentId>,
    /// Whether something was queued since reading began.
    is_behind: bool,
    /// Queued documents whose file is missing; the next scan of the folder decides whether they are gone.
    missing: HashSet<DocumentId>,
    /// The number of sentences in the documents that were read, and how many of these were new to the library.
    sentences: usize,
    unseen: usize,
}

impl<'a> Run<'a> {
    fn new(store: &'a Store, indexing: Indexing<'a>) -> Self {
        let (awaited, missing) = (HashSet::new(), HashSet::new());
        let embedding = EmbedStage::default();
        Self {
            store,
            indexing,
            queue: BTreeSet::new(),
            scanned: Scan::default(),
            embedding,
            is_embedding: false,
            is_deferred: false,
            power_budget: MAX_EMBEDDED_SAVING_POWER,
            total: 0,
            done: 0,
            sample_at: Instant::now(),
            awaited,
            is_behind: false,
            missing,
            sentences: 0,
            unseen: 0,
        }
    }

    /// Scans the disk and reports what is gone or has moved.
    fn scan(&mut self, scope: &Scope) -> Result<Scan, EngineError> {
        let Indexing { progress, cancel, watch, .. } = &mut self.indexing;
        let mut report = |files| progress(IndexProgress::Scanning { files });
        if *scope == Scope::Everything {
            report(0);
        }
        let scanned = scan(self.store, scope, *watch, &mut report, cancel)?;
        for path in &scanned.removed {
            progress(IndexProgress::Changed { path, change: DocumentChange::Removed });
        }
        for (id, path) in &scanned.moved {
            let record = self.store.read(|view| view.document(*id))?;
            if let Some(record) = record.filter(|record| record.state == DocumentState::Indexed) {
                let change = DocumentChange::Indexed { sentences: record.sentences as usize };
                progress(IndexProgress::Changed { path, change });
            }
        }
        Ok(scanned)
    }

    /// Does jobs until none is left.
    fn work(mut self) -> Result<Self, EngineError> {
        let (store, reading) = (self.store, self.indexing.reading());
        self.queue.insert(Job::Read);
        let done: Result<(), EngineError> = std::thread::scope(|scope| {
            let mut readers = ReaderPool::new(scope, store, reading);
            let mut recogniser = Recogniser::new(scope, store, reading);
            loop {
                self.queue_requests(&readers)?;
                match self.queue.pop_first() {
                    Some(job) => self.step(job, &mut readers, &mut recogniser)?,
                    None => return Ok(()),
                }
            }
        });
        self.put_back_scans();
        done.map(|()| self)
    }

    /// Does one job.
    fn step(
        &mut self,
        job: Job,
        readers: &mut ReaderPool<'_, '_>,
        recogniser: &mut Recogniser<'_, '_>,
    ) -> Result<(), EngineError> {
        match job {
            Job::EmbedFirst(id) => {
                let mut urgent = vec![id];
                while let Some(Job::EmbedFirst(id)) = self.queue.first() {
                    urgent.push(*id);
                    self.queue.pop_first();
                }
                if (self.indexing.saves_power)() {
                    urgent = self.within_budget(urgent)?;
                }
                self.embedding.embed_now(self.store, &mut self.indexing, &urgent)
            }
            Job::Scan(scope) => self.scan_changes(scope, readers),
            Job::Read => self.read(readers),
            Job::Sample => {
                if self.embedding.sample(self.store, &mut self.indexing)? {
                    self.sample_at = Instant::now() + SAMPLE_INTERVAL;
                }
                Ok(())
            }
            Job::Embed => self.embed(),
            Job::Recognise => self.recognise(recogniser),
        }
    }

    /// Those of these documents that may get their vectors while power is saved.
    fn within_budget(&mut self, documents: Vec<DocumentId>) -> Result<Vec<DocumentId>, EngineError> {
        let budget = &mut self.power_budget;
        self.store.read(|view| {
            let mut within = Vec::new();
            for id in documents {
                let sentences = view.document(id)?.map_or(0, |record| record.sentences);
                if sentences <= *budget {
                    *budget -= sentences;
                    within.push(id);
                }
            }
            Ok(within)
        })
    }

    /// Queues what the watch has noticed and what the user has asked about.
    fn queue_requests(&mut self, readers: &ReaderPool<'_, '_>) -> Result<(), EngineError> {
        if let Some(scope) = self.indexing.watch.and_then(Watch::take) {
            self.queue.insert(Job::Scan(scope));
        }
        self.prioritize_requested(readers)
    }

    /// Returns scans that were not done to the watch.
    fn put_back_scans(&mut self) {
        let Some(watch) = self.indexing.watch else { return };
        for job in std::mem::take(&mut self.queue) {
            if let Job::Scan(scope) = job {
                watch.put_back(scope);
            }
        }
    }

    /// Scans what may have changed. Documents that have to be read because of it go first.
    fn scan_changes(&mut self, scope: Scope, readers: &ReaderPool<'_, '_>) -> Result<(), EngineError> {
        let scanned = match self.scan(&scope) {
            Ok(scanned) => scanned,
            Err(error) => {
                self.queue.insert(Job::Scan(scope));
                return Err(error);
            }
        };
        let found = || scanned.scheduled.iter().chain(scanned.moved.iter().map(|(id, _)| id));
        // A document whose file was missing may have one now.
        let is_found = found().any(|id| self.missing.contains(id));
        self.missing.retain(|id| !found().any(|one| one == id));
        if is_found || !scanned.scheduled.is_empty() {
            self.must_read();
        }
        // Changes found by a full scan were not made just now.
        if scope != Scope::Everything {
            let mut first = Vec::new();
            for &id in &scanned.scheduled {
                first.extend(self.store.read(|view| view.document(id))?.map(|record| (id, record)));
            }
            self.read_first(first, readers);
        }
        self.scanned = scanned;
        Ok(())
    }

    /// Gives priority to documents that were asked about: to be read first, or to get their vectors first.
    fn prioritize_requested(&mut self, readers: &ReaderPool<'_, '_>) -> Result<(), EngineError> {
        let paths = std::mem::take(&mut *self.indexing.asked_about.lock());
        if paths.is_empty() {
            return Ok(());
        }
        let (mut first, mut read) = (Vec::new(), Vec::new());
        self.store.read(|view| -> Result<_, EngineError> {
            let read_queue: HashSet<_> = view.read_queue()?.into_iter().collect();
            for entry in view.documents()? {
                let (id, record) = entry?;
                let is_asked_about = paths.iter().any(|path| record.path.starts_with(path));
                if !is_asked_about || self.missing.contains(&id) {
                    continue;
                }
                if read_queue.contains(&id) {
                    first.push((id, record));
                } else if read.len() < MAX_EMBEDDED_ON_REQUEST {
                    read.push(id);
                }
            }
            Ok(())
        })?;
        self.queue.extend(read.into_iter().map(Job::EmbedFirst));
        if !first.is_empty() {
            self.must_read();
        }
        self.read_first(first, readers);
        Ok(())
    }

    /// Records that the store's queue has documents that the readers may not have.
    fn must_read(&mut self) {
        self.is_behind = true;
        self.queue.insert(Job::Read);
    }

    /// Reads documents before all others, because the user waits for them.
    fn read_first(&mut self, tasks: Vec<Task>, readers: &ReaderPool<'_, '_>) {
        if tasks.is_empty() {
            return;
        }
        // These documents go before a sample, which the next commit queues again.
        self.queue.remove(&Job::Sample);
        self.awaited.extend(tasks.iter().map(|(id, _)| *id));
        if readers.is_active() {
            self.total += tasks.len();
            readers.read_first(tasks);
        }
    }

    /// The documents in the store's queue, in reading order.
    fn waiting(&self) -> Result<Vec<Task>, EngineError> {
        let mut waiting = tasks(self.store, &self.awaited)?;
        waiting.retain(|(id, _)| !self.missing.contains(id));
        Ok(waiting)
    }

    /// Writes the next documents that were read. Starts the readers if they are not active.
    fn read(&mut self, readers: &mut ReaderPool<'_, '_>) -> Result<(), EngineError> {
        self.is_embedding = false;
        self.indexing.cancel.checkpoint()?;
        if !readers.is_active() {
            self.is_behind = false;
            let tasks = self.waiting()?;
            if tasks.is_empty() {
                self.queue.insert(Job::Embed);
                return Ok(());
            }
            (self.done, self.total) = (0, tasks.len());
            self.sample_at = Instant::now() + FIRST_SAMPLE_AFTER;
            readers.start(tasks);
        }
        let (batch, end) = readers.next_batch();
        if !batch.is_empty() {
            let counts = self.done + 1..;
            self.done += batch.len();
            let committed = commit(self.store, batch, self.indexing.cancel)?;
            let total = self.total.max(self.done);
            // Members are reported with the file that contains them.
            for (Committed { path, .. }, count) in committed.iter().zip(counts) {
                let done = count.min(self.done);
                (self.indexing.progress)(IndexProgress::Reading { done, total, path });
            }
            self.on_committed(committed)?;
            let is_due = self.done < self.total && self.sample_at <= Instant::now();
            if is_due && !(self.indexing.saves_power)() {
                self.queue.insert(Job::Sample);
            }
        }
        end?;
        if !readers.is_active() {
            // Readers end without an error when the run is cancelled.
            self.indexing.cancel.check()?;
        }
        let next = if readers.is_active() || self.is_behind { Job::Read } else { Job::Embed };
        self.queue.insert(next);
        Ok(())
    }

    /// Reports written documents. Those that the user waits for get their vectors next.
    fn on_committed(&mut self, committed: Vec<Committed>) -> Result<(), EngineError> {
        for Committed { id, path, outcome, unseen, .. } in committed {
            self.unseen += unseen;
            if matches!(outcome, CommitOutcome::Overtaken) {
                self.is_behind = true;
                continue;
            }
            let is_awaited = self.awaited.remove(&id);
            match outcome {
                CommitOutcome::Same | CommitOutcome::Overtaken => {}
                CommitOutcome::Text(sentences) => {
                    self.sentences += sentences;
                    self.embedding.expect(self.store, id, path, sentences)?;
                    self.queue.extend(is_awaited.then_some(Job::EmbedFirst(id)));
                }
                CommitOutcome::Failed(failure) => {
                    let change = DocumentChange::Failed(&failure);
                    (self.indexing.progress)(IndexProgress::Changed { path: &path, change });
                }
                CommitOutcome::Missing => {
                    self.missing.insert(id);
                }
            }
        }
        Ok(())
    }

    /// Embeds the next sentences.
    fn embed(&mut self) -> Result<(), EngineError> {
        self.indexing.cancel.checkpoint()?;
        self.is_deferred = (self.indexing.saves_power)()
            && self.embedding.waiting(self.store, &self.indexing)? > MAX_EMBEDDED_SAVING_POWER.into();
        if self.is_deferred {
            // They can already be found by words.
            self.embedding.settle(&mut self.indexing);
            return Ok(());
        }
        if !self.is_embedding {
            self.embedding.begin(self.store, &mut self.indexing)?;
            self.is_embedding = true;
        }
        let is_left = self.embedding.next(self.store, &mut self.indexing)?;
        let next = if is_left {
            Job::Embed
        } else if self.waiting()?.is_empty() {
            Job::Recognise
        } else {
            Job::Read
        };
        self.queue.insert(next);
        Ok(())
    }

    /// Writes the next recognised document. Starts the recogniser if it is not active and documents wait.
    fn recognise(&mut self, recogniser: &mut Recogniser<'_, '_>) -> Result<(), EngineError> {
        self.indexing.cancel.checkpoint()?;
        if (self.indexing.saves_power)() {
            self.is_deferred = recogniser.stop()?;
            return Ok(());
        }
        if !recogniser.start()? {
            return Ok(());
        }
        self.queue.insert(Job::Recognise);
        match recogniser.next()? {
            Some(RecogniseStep::Page { id, hash, path, recognised, page, pages }) => {
                if pages > 1 {
                    self.store.write(|edit| edit.keep_pages(id, &hash, &recognised))?;
                }
                (self.indexing.progress)(IndexProgress::Recognising { path: &path, page, pages });
            }
            Some(RecogniseStep::Document(document)) => {
                let committed = commit(self.store, vec![*document], self.indexing.cancel)?;
                self.on_committed(committed)?;
                self.queue.insert(Job::Read);
            }
            None => {}
        }
        Ok(())
    }
}
