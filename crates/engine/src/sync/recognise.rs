//! The recognise stage: Tesseract reads scans and images, one document after the other, page by page.
//!
//! Each page is stored, so that an interrupted document continues with the next page. A document is committed, and can
//! then be found, with all its pages.

use std::cmp::Reverse;
use std::collections::HashSet;
use std::path::PathBuf;
use std::thread::Scope;
use std::time::Duration;

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded};
use oriel_core::{DocumentId, Failure, Kind, RecognisedPages};
use oriel_store::{DocumentRecord, DocumentState, PicturedRecord, Recognised, Store};
use serde::Serialize;

use crate::error::EngineError;
use crate::extract::bytes::readable_bytes;
use crate::extract::process::Extractor;
use crate::extract::tesseract::Tesseract;
use crate::extract::unlock::Unlocked;
use crate::library::Library;
use crate::sync::context::Reading;
use crate::sync::read::{ReadDocument, digest};

/// How long to wait for the next page before other jobs get their turn.
const WAIT: Duration = Duration::from_millis(200);

/// The state of text recognition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Recognition {
    /// The languages of the installed Tesseract, joined by `+`; `None` without one.
    pub languages: Option<String>,
    /// The number of documents that wait for text recognition.
    pub waiting: usize,
}

impl Library {
    /// The state of text recognition.
    ///
    /// # Errors
    /// If the store is damaged.
    pub fn recognition(&self) -> Result<Recognition, EngineError> {
        let tesseract = Tesseract::find();
        let mut waiting = 0;
        self.store.read(|view| -> Result<_, EngineError> {
            for (id, pictured) in view.all_pictured()? {
                let record = view.document(id)?;
                waiting += usize::from(
                    record.is_some_and(|record| is_wanted(&record, &pictured, tesseract.as_ref())),
                );
            }
            Ok(())
        })?;
        Ok(Recognition { languages: tesseract.map(|tesseract| tesseract.languages().join("+")), waiting })
    }
}

/// Whether a document needs text recognition: it lacks the text of some pages, or was recognised without a language
/// that Tesseract has now.
fn is_wanted(record: &DocumentRecord, pictured: &PicturedRecord, tesseract: Option<&Tesseract>) -> bool {
    match (&record.state, &record.recognised, tesseract) {
        (DocumentState::Waiting, ..) | (DocumentState::Indexed, Some(_), None) => false,
        (DocumentState::Failed(failure), ..) => failure.code.needs_recognition(),
        (DocumentState::Indexed, None, _) => true,
        (DocumentState::Indexed, Some(read), Some(tesseract)) => {
            let languages = tesseract.languages_of(pictured.script.as_deref());
            languages.split('+').any(|language| read.split('+').all(|one| one != language))
        }
    }
}

/// A result of the stage.
pub(crate) enum RecogniseStep {
    /// A page of a document: its number among the pages to recognise, from 1, and their total.
    Page { id: DocumentId, hash: String, path: PathBuf, recognised: Recognised, page: u32, pages: u32 },
    /// A document, with its record at the start of its recognition.
    Document(Box<(ReadDocument, DocumentRecord)>),
}

/// A document to recognise.
type PicturedTask = (DocumentId, DocumentRecord, PicturedRecord);

type Answer = Result<RecogniseStep, EngineError>;

/// A thread that recognises documents. It ends after its last document, or soon after this is dropped.
pub(crate) struct Recogniser<'scope, 'env> {
    scope: &'scope Scope<'scope, 'env>,
    store: &'env Store,
    reading: Reading<'env>,
    /// The documents of this run; each is tried only once.
    begun: HashSet<DocumentId>,
    /// `None` while no document is being recognised.
    answers: Option<Receiver<Answer>>,
}

impl<'scope, 'env> Recogniser<'scope, 'env> {
    /// A recogniser without work.
    pub(crate) fn new(
        scope: &'scope Scope<'scope, 'env>,
        store: &'env Store,
        reading: Reading<'env>,
    ) -> Self {
        Self { scope, store, reading, begun: HashSet::new(), answers: None }
    }

    /// Starts with the waiting documents, unless it is active. Returns whether it is active now.
    pub(crate) fn start(&mut self) -> Result<bool, EngineError> {
        if self.answers.is_some() {
            return Ok(true);
        }
        let Some((tesseract, tasks)) = self.wanted()? else { return Ok(false) };
        self.begun.extend(tasks.iter().map(|(id, ..)| *id));
        let (sender, answers) = bounded(1);
        let mut thread = RecogniserThread {
            store: self.store,
            extractor: Extractor::new(self.reading.worker.clone(), self.reading.limits),
            tesseract,
            reading: self.reading,
        };
        self.scope.spawn(move || thread.run(tasks, &sender));
        self.answers = Some(answers);
        Ok(true)
    }

    /// Stops the work. Returns whether documents wait, including those whose work was stopped.
    pub(crate) fn stop(&mut self) -> Result<bool, EngineError> {
        self.answers = None;
        self.begun.clear();
        Ok(self.wanted()?.is_some())
    }

    /// Tesseract and the documents that wait for it; `None` if either is missing.
    fn wanted(&self) -> Result<Option<(Tesseract, Vec<PicturedTask>)>, EngineError> {
        let mut tasks = self.pictured()?;
        if tasks.is_empty() {
            return Ok(None);
        }
        let Some(tesseract) = Tesseract::find() else { return Ok(None) };
        tasks.retain(|(_, record, pictured)| is_wanted(record, pictured, Some(&tesseract)));
        Ok((!tasks.is_empty()).then_some((tesseract, tasks)))
    }

    /// The next result; `None` if there is none yet, or no more.
    pub(crate) fn next(&mut self) -> Result<Option<RecogniseStep>, EngineError> {
        let Some(answers) = &self.answers else { return Ok(None) };
        match answers.recv_timeout(WAIT) {
            Ok(answer) => answer.map(Some),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => {
                self.answers = None;
                Ok(None)
            }
        }
    }

    /// The documents with images, the most recently changed first.
    fn pictured(&self) -> Result<Vec<PicturedTask>, EngineError> {
        let mut tasks = Vec::new();
        self.store.read(|view| -> Result<_, EngineError> {
            for (id, pictured) in view.all_pictured()? {
                if !self.begun.contains(&id) {
                    tasks.extend(view.document(id)?.map(|record| (id, record, pictured)));
                }
            }
            Ok(())
        })?;
        tasks.sort_by_key(|(_, record, _)| Reverse(record.stamp.modified));
        Ok(tasks)
    }
}

/// The result of trying a document.
enum Tried {
    Read(Box<ReadDocument>),
    /// It stays as it was.
    InVain,
    /// The result is no longer wanted.
    Unwanted,
}

struct RecogniserThread<'env> {
    store: &'env Store,
    extractor: Extractor,
    tesseract: Tesseract,
    reading: Reading<'env>,
}

impl RecogniserThread<'_> {
    fn run(&mut self, tasks: Vec<PicturedTask>, answers: &Sender<Answer>) {
        for (id, record, pictured) in tasks {
            match self.one(id, &record, &pictured, answers) {
                Ok(Tried::Read(document)) => {
                    let read = RecogniseStep::Document(Box::new((*document, record)));
                    if answers.send(Ok(read)).is_err() {
                        return;
                    }
                }
                Ok(Tried::InVain) => {
                    tracing::warn!(document = id.0, "a document is not recognised; the next run tries again");
                }
                Ok(Tried::Unwanted) => return,
                // The next scan finds out what happened to its file.
                Err(
                    EngineError::Changed { .. }
                    | EngineError::Unmarked { .. }
                    | EngineError::NoDocument { .. },
                ) => {}
                Err(error) => {
                    // The receiver may be gone.
                    let _ = answers.send(Err(error));
                    return;
                }
            }
        }
    }

    /// Recognises one document: the pages that an earlier run did not store, then its text.
    fn one(
        &mut self,
        id: DocumentId,
        record: &DocumentRecord,
        pictured: &PicturedRecord,
        answers: &Sender<Answer>,
    ) -> Result<Tried, EngineError> {
        let Reading { limits, passwords, cancel, .. } = self.reading;
        let (bytes, locked) =
            readable_bytes(self.store, passwords, limits, &mut self.extractor, record, cancel)?;
        let promised = Kind::of_path(&record.path).unwrap_or(record.kind);
        let hash = record.hash.clone().unwrap_or_default();
        let mut drawing = self.extractor.drawing(promised, &bytes);
        let first = drawing.page(pictured.pages.first().copied().unwrap_or(1), cancel)?;
        let numbers: Vec<u32> = match &first {
            _ if !pictured.pages.is_empty() => pictured.pages.clone(),
            Ok(first) => (1..=first.pages).collect(),
            Err(failure) => return Ok(failed(id, record, failure.clone())),
        };
        let script = match &pictured.script {
            None if self.tesseract.knows_scripts() => {
                self.tesseract.script(&mut drawing, &numbers, cancel)?
            }
            script => script.clone(),
        };
        let languages = self.tesseract.languages_of(script.as_deref());
        let mut recognised = Recognised { languages, script, pages: RecognisedPages::new() };
        if pictured.recognising.as_ref() == Some(&recognised.languages) {
            recognised.pages = self.store.read(|view| view.recognising(id))?;
        }
        let mut first = Some(first);
        for (number, page) in numbers.iter().copied().zip(1..) {
            cancel.checkpoint()?;
            let drawn = first.take();
            if recognised.pages.contains_key(&number) {
                continue;
            }
            let picture = match drawn {
                Some(picture) => picture,
                None => drawing.page(number, cancel)?,
            };
            let hocr = match picture {
                Ok(picture) => match self.tesseract.recognise(&picture, &recognised.languages, cancel)? {
                    Some(hocr) => hocr,
                    None => return Ok(Tried::InVain),
                },
                // A page that cannot be drawn counts as blank.
                Err(_) => String::new(),
            };
            recognised.pages.insert(number, hocr.clone());
            let step = RecogniseStep::Page {
                id,
                hash: hash.clone(),
                path: record.path.clone(),
                recognised: Recognised {
                    languages: recognised.languages.clone(),
                    script: recognised.script.clone(),
                    pages: [(number, hocr)].into(),
                },
                page,
                pages: numbers.len() as u32,
            };
            if answers.send(Ok(step)).is_err() {
                return Ok(Tried::Unwanted);
            }
        }
        Ok(match self.extractor.extract_recognised(promised, &bytes, &recognised.pages, cancel)? {
            Ok(extracted) => {
                recognised.pages.retain(|page, _| !extracted.pictures.contains(page));
                let text = digest(&record.path, Unlocked { extracted, locked }, hash, cancel)?;
                Tried::Read(Box::new(ReadDocument::recognised(id, record, text, recognised)))
            }
            Err(failure) => failed(id, record, failure),
        })
    }
}

/// The result of a failure: a text that was read before is kept.
fn failed(id: DocumentId, record: &DocumentRecord, failure: Failure) -> Tried {
    if record.state == DocumentState::Indexed {
        return Tried::InVain;
    }
    Tried::Read(Box::new(ReadDocument::failed(id, record, failure)))
}
