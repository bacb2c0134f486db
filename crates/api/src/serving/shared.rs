//! What all requests use: the library that is asked, and the pipe to `oriel-serve`.

use std::collections::HashMap;
use std::process::ChildStdin;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};

use oriel_core::{CancelToken, Notice};
use oriel_engine::Filter;
use oriel_wire::serve::{FailureKind, ToServer, write_frame};

use crate::error::AppError;
use crate::lock::lock;
use crate::programs::ProgramAccess;
use crate::request_log::RequestLog;
use crate::search::Searcher;

/// A library that other programs ask, as a front holds it.
pub trait ServedLibrary: Send + Sync {
    /// Lets `work` use the library with what other programs may see of it.
    fn with(&self, work: &mut dyn FnMut(&Searcher, Filter)) -> Result<(), Notice>;

    /// The log of what was asked; `None` if there is no library.
    fn log(&self) -> Option<RequestLog>;
}

impl ServedLibrary for ProgramAccess {
    fn with(&self, work: &mut dyn FnMut(&Searcher, Filter)) -> Result<(), Notice> {
        if !self.is_there() {
            return Err(Notice::NoLibraryYet { path: self.library().display().to_string() });
        }
        let open = || Ok::<_, AppError>((self.open()?, self.filter()?));
        let (searcher, filter) = open().map_err(|error| error.notice())?;
        work(&searcher, filter);
        Ok(())
    }

    fn log(&self) -> Option<RequestLog> {
        self.is_there().then(|| ProgramAccess::log(self))
    }
}

/// What the threads of all requests share.
pub(super) struct Shared {
    /// `None` once the program is to end.
    pub pipe: Mutex<Option<ChildStdin>>,
    pub library: Arc<dyn ServedLibrary>,
    /// Cancels each request that is worked on.
    pub in_progress: Mutex<HashMap<u64, CancelToken>>,
    /// Whether the front ends it.
    pub is_ending: AtomicBool,
}

impl Shared {
    pub(super) fn cancel_all(&self) {
        lock(&self.in_progress).values().for_each(CancelToken::cancel);
    }

    /// Sends a frame about a request; `false` if the program has ended, so that nobody waits for the answer.
    pub(super) fn send(&self, head: &ToServer, bytes: &[u8]) -> bool {
        lock(&self.pipe).as_mut().is_some_and(|pipe| write_frame(pipe, head, bytes).is_ok())
    }

    pub(super) fn fail(&self, number: u64, kind: FailureKind, message: &str) {
        self.send(&ToServer::Failed { number, kind, message: message.to_owned() }, &[]);
    }
}
