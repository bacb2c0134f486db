//! What a person asks goes before what is read in the background, and the window says that something waits.

use std::sync::Arc;

use crate::app::{App, Opened};
use crate::folders;
use crate::indexing::{Indexing, Yielding};

/// Nothing is read and embedded for as long as this is there.
pub(crate) struct Way<'a> {
    app: &'a Arc<App>,
    indexing: &'a Indexing,
    yielding: Option<Yielding<'a>>,
}

impl<'a> Way<'a> {
    pub(crate) fn given(app: &'a Arc<App>, opened: &'a Opened) -> Self {
        let indexing = &opened.indexing;
        Self { app, indexing, yielding: Some(indexing.give_way()) }
    }

    /// Tells the window where something waits.
    pub(crate) fn tell(&self) {
        if self.indexing.is_yielding() {
            self.tell_beside();
        }
    }

    /// Counting and the tray take their time, and nobody is to wait for it.
    fn tell_beside(&self) {
        let app = Arc::clone(self.app);
        tauri::async_runtime::spawn_blocking(move || folders::tell(&app, false));
    }
}

impl Drop for Way<'_> {
    fn drop(&mut self) {
        let kept_waiting = self.indexing.is_yielding();
        drop(self.yielding.take());
        if kept_waiting {
            self.tell_beside();
        }
    }
}
