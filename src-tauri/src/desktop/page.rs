//! Reloads the page after its process has ended, which happens first when memory is short. The page itself remembers
//! where the user was. Linux only: elsewhere the system handles this.
//!
//! The page restores from `sessionStorage` (`ui/src/state/savedNavigation.svelte.ts`): conversation, draft, scope,
//! document, panel. If it ends again while it restores these, only the draft comes back. After three ends in a minute a
//! dialog says so.

use std::cell::RefCell;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tauri::{Manager as _, WebviewWindow};
use tauri_plugin_dialog::{DialogExt as _, MessageDialogButtons, MessageDialogKind};
use webkit2gtk::{WebView, WebViewExt as _};

use crate::state::app::{App, SAVE_TIMEOUT};

/// How many times the page may end within [`CRASH_PERIOD`] before the user is asked.
const MAX_CRASHES: usize = 3;
/// See [`MAX_CRASHES`].
const CRASH_PERIOD: Duration = Duration::from_secs(60);

/// Reloads the page whenever its process has ended. What was written of an answer is kept first.
pub(crate) fn reload_after_crash(page: &WebView, window: WebviewWindow) {
    let crashes = RefCell::new(Crashes::default());
    page.connect_web_process_terminated(move |_, reason| {
        tracing::warn!(?reason, "the page's process has ended");
        let is_often = crashes.borrow_mut().is_often(Instant::now());
        let window = window.clone();
        tauri::async_runtime::spawn_blocking(move || {
            keep_answers(&window.state::<Arc<App>>());
            if is_often { ask_to_reload(window) } else { reload(&window) }
        });
    });
}

/// Stops answers in progress: the page that asked is gone.
fn keep_answers(app: &App) {
    if let Ok(session) = app.session() {
        session.assistant.answers.stop_all();
        session.assistant.answers.wait(SAVE_TIMEOUT);
    }
}

/// When the page has crashed.
#[derive(Default)]
struct Crashes(Vec<Instant>);

impl Crashes {
    /// Adds a crash. Returns whether there are too many, and then starts counting again.
    fn is_often(&mut self, now: Instant) -> bool {
        self.0.retain(|end| now.duration_since(*end) < CRASH_PERIOD);
        self.0.push(now);
        let is_often = self.0.len() >= MAX_CRASHES;
        if is_often {
            self.0.clear();
        }
        is_often
    }
}

fn reload(window: &WebviewWindow) {
    if let Err(error) = window.reload() {
        tracing::warn!(%error, "the page cannot be loaded again");
    }
}

/// Says that the page keeps crashing, and reloads it when the user says so.
fn ask_to_reload(window: WebviewWindow) {
    let (message, button) = if window.state::<Arc<App>>().settings().is_german() {
        (
            "Die Seite in diesem Fenster ist in einer Minute dreimal abgebrochen, vielleicht weil Speicher fehlt. \
             Schließen Sie andere Programme und versuchen Sie es noch einmal. Verloren ist nichts.",
            "Noch einmal",
        )
    } else {
        (
            "The page in this window has ended three times in a minute, perhaps for want of memory. Close other \
             programs and try again. Nothing is lost.",
            "Try again",
        )
    };
    let dialog = window.dialog().message(message).title("Oriel").kind(MessageDialogKind::Error);
    dialog.buttons(MessageDialogButtons::OkCustom(button.into())).show(move |_| reload(&window));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_that_keeps_crashing_is_asked_about_and_one_that_crashes_now_and_then_is_not() {
        let begun = Instant::now();
        let mut crashes = Crashes::default();
        let mut crash = |second| crashes.is_often(begun + Duration::from_secs(second));
        assert_eq!([0, 50, 70, 120].map(&mut crash), [false; 4], "never three in a minute");
        assert_eq!([129, 130, 131].map(&mut crash), [true, false, false], "and then from the beginning");
        assert!(crash(132));
    }
}
