//! Runs the stages of an indexing: scan, read, embed, build. Urgent documents go first at every stage.

use std::collections::HashSet;
use std::sync::PoisonError;
use std::time::{Duration, Instant};

use oriel_core::DocumentId;
use oriel_store::{DocumentState, Store, Vectors};

use crate::error::EngineError;
use crate::sync::ann::AnnBuild;
use crate::sync::context::Indexing;
use crate::sync::embed::EmbedStage;
use crate::sync::progress::{DocumentChange, IndexProgress, IndexReport};
use crate::sync::read::{CommitOutcome, Committed, Task, read_all, tasks};
use crate::sync::scan::{NoObserver, Scan, ScanObserver, Scope, scan};

/// At most this many indexed documents that were asked about get their vectors first.
const MAX_EMBEDDED_ON_REQUEST: usize = 64;
/// After this time of reading, the embedder's speed is sampled, so that the total time can be estimated …
const FIRST_SAMPLE_AFTER: Duration = Duration::from_secs(1);
/// … and again at this interval.
const SAMPLE_INTERVAL: Duration = Duration::from_secs(60);

/// Runs all stages once.
pub(crate) fn index<'a>(store: &'a Store, indexing: Indexing<'a>) -> Result<IndexReport, EngineError> {
    let begun = Instant::now();
    let _lock = store.lock_writer()?;
    let mut run = Run::new(store, indexing);
    let scanned = run.scan(&Scope::Everything)?;
    run.work()?;
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
        embedded: run.embedding.embedded,
        reused: run.sentences - run.unseen.min(run.sentences),
        seconds: begun.elapsed().as_secs_f64(),
        unreachable: scanned.unreachable,
    })
}

/// Processes what the watch has noticed, and what is left of earlier runs.
pub(crate) fn keep_up<'a>(store: &'a Store, indexing: Indexing<'a>) -> Result<(), EngineError> {
    let _lock = store.lock_writer()?;
    let mut run = Run::new(store, indexing);
    run.process_fs_events()?;
    run.work()
}

/// One run: its state and its counts.
struct Run<'a> {
    store: &'a Store,
    indexing: Indexing<'a>,
    embedding: EmbedStage,
    trees: AnnBuild,
    /// Documents to read in this pass, and how many are done.
    total: usize,
    done: usize,
    /// When the embedder's speed is sampled next.
    sample_at: Instant,
    /// Documents that the person just changed or asked about. They go first.
    awaited: HashSet<DocumentId>,
    /// Whether something was queued since reading began.
    is_behind: bool,
    /// Queued documents whose file is missing; the next scan of the folder decides whether they are gone.
    missing: HashSet<DocumentId>,
    /// Sentences of the documents that were read, and how many of these were new to the library.
    sentences: usize,
    unseen: usize,
}

impl<'a> Run<'a> {
    fn new(store: &'a Store, indexing: Indexing<'a>) -> Self {
        let (awaited, missing) = (HashSet::new(), HashSet::new());
        let (embedding, trees) = (EmbedStage::default(), AnnBuild::default());
        Self {
            store,
            indexing,
            embedding,
            trees,
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
        let observer: &dyn ScanObserver = match watch {
            Some(watch) => *watch,
            None => &NoObserver,
        };
        let mut report = |files| progress(IndexProgress::Scanning { files });
        if *scope == Scope::Everything {
            report(0);
        }
        let scanned = scan(self.store, scope, observer, &mut report, cancel)?;
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

    /// Scans the paths that the watch has noticed. Returns the documents to read because of it; they go first.
    fn process_fs_events(&mut self) -> Result<Vec<Task>, EngineError> {
        let Some(watch) = self.indexing.watch else { return Ok(Vec::new()) };
        let Some(scope) = watch.take() else { return Ok(Vec::new()) };
        let begun = Instant::now();
        let scanned = match self.scan(&scope) {
            Ok(scanned) => scanned,
            Err(error) => {
                watch.put_back(scope);
                return Err(error);
            }
        };
        watch.on_scanned(&scope, &self.store.read(|view| view.folders())?, begun.elapsed());
        let found = || scanned.scheduled.iter().chain(scanned.moved.iter().map(|(id, _)| id));
        // A document whose file was missing may have one now.
        let is_found = found().any(|id| self.missing.contains(id));
        self.missing.retain(|id| !found().any(|one| one == id));
        self.is_behind |= is_found || !scanned.scheduled.is_empty();
        if scope == Scope::Everything {
            // What a full scan finds was not changed just now.
            return Ok(Vec::new());
        }
        self.awaited.extend(&scanned.scheduled);
        let mut first = Vec::new();
        for id in scanned.scheduled {
            first.extend(self.store.read(|view| view.document(id))?.map(|record| (id, record)));
        }
        Ok(first)
    }

    /// Gives priority to documents that were asked about. Returns those to read first; the others get their vectors now.
    fn prioritize_requested(&mut self) -> Result<Vec<Task>, EngineError> {
        let paths =
            std::mem::take(&mut *self.indexing.asked_about.lock().unwrap_or_else(PoisonError::into_inner));
        if paths.is_empty() {
            return Ok(Vec::new());
        }
        let (mut first, mut read) = (Vec::new(), Vec::new());
        self.store.read(|view| -> Result<_, EngineError> {
            let ledger: HashSet<_> = view.ledger()?.into_iter().collect();
            for entry in view.documents()? {
                let (id, record) = entry?;
                let is_asked_about = paths.iter().any(|path| record.path.starts_with(path));
                if !is_asked_about || self.missing.contains(&id) {
                    continue;
                }
                if ledger.contains(&id) {
                    first.push((id, record));
                } else if read.len() < MAX_EMBEDDED_ON_REQUEST {
                    read.push(id);
                }
            }
            Ok(())
        })?;
        self.awaited.extend(first.iter().map(|(id, _)| *id));
        self.is_behind |= !first.is_empty();
        self.embedding.embed_now(self.store, &mut self.indexing, &read)?;
        Ok(first)
    }

    /// Runs the stages until nothing is left. A change that comes in meanwhile waits for one batch, or one part of the
    /// trees.
    fn work(&mut self) -> Result<(), EngineError> {
        loop {
            self.read()?;
            let is_done = self.embed()? && self.waiting()?.is_empty();
            if is_done && !self.trees.step(self.store, Vectors::Searched, &mut self.indexing)? {
                return Ok(());
            }
        }
    }

    fn waiting(&self) -> Result<Vec<Task>, EngineError> {
        let mut waiting = tasks(self.store, &self.awaited)?;
        waiting.retain(|(id, _)| !self.missing.contains(id));
        Ok(waiting)
    }

    /// The read stage: everything in the queue.
    fn read(&mut self) -> Result<(), EngineError> {
        self.prioritize_requested()?;
        self.is_behind = false;
        let tasks = self.waiting()?;
        (self.done, self.total) = (0, tasks.len());
        self.sample_at = Instant::now() + FIRST_SAMPLE_AFTER;
        let (store, worker, limits) = (self.store, self.indexing.worker, self.indexing.limits);
        let cancel = self.indexing.cancel;
        read_all(store, tasks, worker, limits, &mut |committed| self.on_committed(committed), cancel)
    }

    /// Called after each commit of documents. Reports them, embeds those that the person waits for, and returns documents
    /// that became urgent meanwhile.
    fn on_committed(&mut self, committed: Vec<Committed>) -> Result<Vec<Task>, EngineError> {
        let mut awaited = Vec::new();
        for Committed { id, path, outcome, unseen } in committed {
            self.done += 1;
            self.unseen += unseen;
            let (done, total) = (self.done, self.total.max(self.done));
            (self.indexing.progress)(IndexProgress::Reading { done, total, path: &path });
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
                    awaited.extend(is_awaited.then_some(id));
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
        self.embedding.embed_now(self.store, &mut self.indexing, &awaited)?;
        let mut first = self.process_fs_events()?;
        first.extend(self.prioritize_requested()?);
        self.total += first.len();
        // Urgent documents go before a sample.
        let is_due = first.is_empty() && self.done < self.total && self.sample_at <= Instant::now();
        if is_due && self.embedding.sample(self.store, &mut self.indexing)? {
            self.sample_at = Instant::now() + SAMPLE_INTERVAL;
        }
        Ok(first)
    }

    /// The embed stage, until something has to be read. Returns false then.
    fn embed(&mut self) -> Result<bool, EngineError> {
        if self.is_behind {
            return Ok(false);
        }
        self.embedding.begin(self.store, &mut self.indexing)?;
        while self.embedding.next(self.store, &mut self.indexing)? {
            self.process_fs_events()?;
            self.prioritize_requested()?;
            if self.is_behind {
                return Ok(false);
            }
        }
        self.process_fs_events()?;
        Ok(!self.is_behind)
    }
}
