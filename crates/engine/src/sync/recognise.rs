//! The recognise stage: Tesseract reads scans and images, one document after the other, page by page.
//!
//! What is interrupted begins again with its document. A document is committed with all its pages.

use std::cmp::Reverse;
use std::collections::HashSet;
use std::path::PathBuf;
use std::thread::Scope;
use std::time::Duration;

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded};
use oriel_core::{DocumentId, Failure, FailureCode, Kind};
use oriel_store::{DocumentRecord, DocumentState, Store};
use serde::Serialize;

use crate::error::EngineError;
use crate::extract::bytes::readable_bytes;
use crate::extract::process::Extractor;
use crate::extract::tesseract::Tesseract;
use crate::extract::unlock::Unlocked;
use crate::library::Library;
use crate::sync::context::Reading;
use crate::sync::read::{ReadDocument, Task, digest};

/// Stands for a page that could not be drawn.
const EMPTY_PAGE: &str = "<div class='ocr_page' title='bbox 0 0 1 1'></div>\n";
/// How long to wait for the next page before other jobs get their turn.
const WAIT: Duration = Duration::from_millis(200);

/// What text recognition there is, and how much it has left to do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Recognition {
    /// The languages of the installed Tesseract; `None` without one.
    pub languages: Option<String>,
    /// Documents whose text is to be recognised.
    pub waiting: usize,
}

impl Library {
    /// What text recognition there is, and how much it has left to do.
    ///
    /// # Errors
    /// If the store is damaged.
    pub fn recognition(&self) -> Result<Recognition, EngineError> {
        let languages = Tesseract::find().map(|tesseract| tesseract.languages);
        let mut waiting = 0;
        self.store.read(|view| -> Result<_, EngineError> {
            for entry in view.documents()? {
                waiting += usize::from(is_wanted(&entry?.1, languages.as_deref()));
            }
            Ok(())
        })?;
        Ok(Recognition { languages, waiting })
    }
}

/// Whether the text of a document is to be recognised in `languages`: it has none, or was recognised without one of them.
fn is_wanted(record: &DocumentRecord, languages: Option<&str>) -> bool {
    match &record.state {
        DocumentState::Failed(failure) => {
            matches!(failure.code, FailureCode::NeedsOcr | FailureCode::Garbled)
        }
        DocumentState::Indexed => {
            let known = |read: &str, language: &str| read.split('+').any(|one| one == language);
            let lacks = |read: &str| languages.is_some_and(|now| now.split('+').any(|one| !known(read, one)));
            record.recognised.as_deref().is_some_and(lacks)
        }
        DocumentState::Waiting => false,
    }
}

/// What the stage has done.
pub(crate) enum Recognised {
    /// A page of a document, both from 1.
    Page { path: PathBuf, page: u32, pages: u32 },
    /// A document, with its record when that began.
    Document(Box<(ReadDocument, DocumentRecord)>),
}

type Answer = Result<Recognised, EngineError>;

/// A thread that recognises documents. It ends after its last document, or soon after this is dropped.
pub(crate) struct Recogniser<'scope, 'env> {
    scope: &'scope Scope<'scope, 'env>,
    store: &'env Store,
    reading: Reading<'env>,
    /// The documents of this run; none is tried twice.
    begun: HashSet<DocumentId>,
    /// `None` while no document is at work.
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

    /// Begins with the documents that wait, unless it is at work. Returns whether it is.
    pub(crate) fn start(&mut self) -> Result<bool, EngineError> {
        if self.answers.is_some() {
            return Ok(true);
        }
        let mut tasks = self.pictured()?;
        if tasks.is_empty() {
            return Ok(false);
        }
        let Some(tesseract) = Tesseract::find() else { return Ok(false) };
        tasks.retain(|(_, record)| is_wanted(record, Some(&tesseract.languages)));
        if tasks.is_empty() {
            return Ok(false);
        }
        self.begun.extend(tasks.iter().map(|(id, _)| *id));
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

    /// The next result; `None` if there is none yet, or no more.
    pub(crate) fn next(&mut self) -> Result<Option<Recognised>, EngineError> {
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

    /// The documents whose text can only be recognised, the most recently changed first.
    fn pictured(&self) -> Result<Vec<Task>, EngineError> {
        let mut tasks = Vec::new();
        self.store.read(|view| -> Result<_, EngineError> {
            for entry in view.documents()? {
                let (id, record) = entry?;
                let is_pictured = record.recognised.is_some() || is_wanted(&record, None);
                if is_pictured && !self.begun.contains(&id) {
                    tasks.push((id, record));
                }
            }
            Ok(())
        })?;
        tasks.sort_by_key(|(_, record)| Reverse(record.stamp.modified));
        Ok(tasks)
    }
}

/// What became of a document.
enum Tried {
    Read(Box<ReadDocument>),
    /// It stays as it was.
    InVain,
    /// Nobody waits for it any more.
    Unwanted,
}

struct RecogniserThread<'env> {
    store: &'env Store,
    extractor: Extractor,
    tesseract: Tesseract,
    reading: Reading<'env>,
}

impl RecogniserThread<'_> {
    fn run(&mut self, tasks: Vec<Task>, answers: &Sender<Answer>) {
        for (id, record) in tasks {
            match self.one(id, &record, answers) {
                Ok(Tried::Read(document)) => {
                    let read = Recognised::Document(Box::new((*document, record)));
                    if answers.send(Ok(read)).is_err() {
                        return;
                    }
                }
                Ok(Tried::InVain) => {
                    tracing::warn!(document = id.0, "a document is not recognised; the next run tries again");
                }
                Ok(Tried::Unwanted) => return,
                // The next scan finds what has become of its file.
                Err(
                    EngineError::Changed { .. }
                    | EngineError::Unmarked { .. }
                    | EngineError::NoDocument { .. },
                ) => {}
                Err(error) => {
                    // If nobody waits, there is nobody to tell.
                    let _ = answers.send(Err(error));
                    return;
                }
            }
        }
    }

    /// Recognises one document.
    fn one(
        &mut self,
        id: DocumentId,
        record: &DocumentRecord,
        answers: &Sender<Answer>,
    ) -> Result<Tried, EngineError> {
        let Reading { limits, passwords, cancel, .. } = self.reading;
        let (bytes, locked) =
            readable_bytes(self.store, passwords, limits, &mut self.extractor, record, cancel)?;
        let promised = Kind::of_path(&record.path).unwrap_or(record.kind);
        let mut hocr = String::new();
        let (mut page, mut pages) = (1, 1);
        while page <= pages {
            cancel.checkpoint()?;
            let recognised = match self.extractor.draw(promised, &bytes, page, cancel)? {
                Ok(picture) => {
                    pages = picture.pages;
                    match self.tesseract.recognise(picture, cancel)? {
                        Some(recognised) => recognised,
                        None => return Ok(Tried::InVain),
                    }
                }
                Err(failure) if page == 1 => return Ok(failed(id, record, failure)),
                Err(_) => EMPTY_PAGE.to_owned(),
            };
            hocr.push_str(&recognised);
            let done = Recognised::Page { path: record.path.clone(), page, pages };
            if answers.send(Ok(done)).is_err() {
                return Ok(Tried::Unwanted);
            }
            page += 1;
        }
        Ok(match self.extractor.read_recognised(record.kind, &hocr, cancel)? {
            Ok(extracted) => {
                let read = Unlocked { extracted, locked };
                let text = digest(read, record.hash.clone().unwrap_or_default(), cancel)?;
                let languages = self.tesseract.languages.clone();
                Tried::Read(Box::new(ReadDocument::recognised(id, record, text, (languages, hocr))))
            }
            Err(failure) => failed(id, record, failure),
        })
    }
}

/// What a failure means: a text that was recognised before is kept.
fn failed(id: DocumentId, record: &DocumentRecord, failure: Failure) -> Tried {
    if record.state == DocumentState::Indexed {
        return Tried::InVain;
    }
    Tried::Read(Box::new(ReadDocument::failed(id, record, failure)))
}
