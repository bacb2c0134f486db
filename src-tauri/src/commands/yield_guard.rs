//! Holds the indexing while a user waits for something.

use std::sync::Arc;

use oriel_api::{Hold, Indexer};

use crate::desktop::publish;
use crate::state::app::App;
use crate::state::session::LibrarySession;

/// Nothing is read or embedded until this is dropped.
pub(crate) struct YieldGuard<'a> {
    app: &'a Arc<App>,
    indexer: &'a Indexer,
    yielding: Option<Hold<'a>>,
}

impl<'a> YieldGuard<'a> {
    pub(crate) fn new(app: &'a Arc<App>, session: &'a LibrarySession) -> Self {
        let indexer = &session.indexer;
        Self { app, indexer, yielding: Some(indexer.give_way()) }
    }

    /// Tells the UI if something waits.
    pub(crate) fn publish(&self) {
        if self.indexer.is_yielding() {
            self.publish_library();
        }
    }

    /// Counting and the tray take time that nobody should wait for.
    fn publish_library(&self) {
        let app = Arc::clone(self.app);
        tauri::async_runtime::spawn_blocking(move || publish::library(&app, false));
    }
}

impl Drop for YieldGuard<'_> {
    fn drop(&mut self) {
        let was_yielding = self.indexer.is_yielding();
        drop(self.yielding.take());
        if was_yielding {
            self.publish_library();
        }
    }
}
