//! Reloads the page after its process has ended, which happens first when memory is short. The page itself remembers where
//! the person was. Linux only: elsewhere the system handles this.

use std::cell::RefCell;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tauri::{AppHandle, Manager as _};
use tauri_plugin_dialog::{DialogExt as _, MessageDialogButtons, MessageDialogKind};
use webkit2gtk::{WebView, WebViewExt as _};

use crate::app::{App, WRITTEN};
use crate::window;

/// How many times the page may end within [`CRASH_PERIOD`] before the person is asked.
const MAX_CRASHES: usize = 3;
/// See [`MAX_CRASHES`].
const CRASH_PERIOD: Duration = Duration::from_secs(60);

/// Reloads the page whenever its process has ended. What was written of an answer is kept first.
pub(crate) fn reload_after_crash(page: &WebView, handle: AppHandle) {
    let ends = RefCell::new(Ends::default());
    page.connect_web_process_terminated(move |_, reason| {
        tracing::warn!(?reason, "the page's process has ended");
        let is_often = ends.borrow_mut().is_often(Instant::now());
        let handle = handle.clone();
        tauri::async_runtime::spawn_blocking(move || {
            keep_answers(&handle.state::<Arc<App>>());
            if is_often { ask_for_another(&handle) } else { load(&handle) }
        });
    });
}

/// Ends what is being answered: whoever asked is gone.
fn keep_answers(app: &App) {
    if let Ok(opened) = app.opened() {
        opened.answering.stop_all();
        opened.answering.wait(WRITTEN);
    }
}

/// When the page ended last.
#[derive(Default)]
struct Ends(Vec<Instant>);

impl Ends {
    /// Notes one more; whether they are too many. Then they are counted anew.
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

fn load(handle: &AppHandle) {
    if let Some(Err(error)) = window::main(handle).map(|window| window.reload()) {
        tracing::warn!(%error, "the page cannot be loaded again");
    }
}

/// Says that the page keeps ending, and loads it again when the person says so.
fn ask_for_another(handle: &AppHandle) {
    let (message, button) = if handle.state::<Arc<App>>().settings().is_german() {
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
    let asked = handle.clone();
    let dialog = handle.dialog().message(message).title("Oriel").kind(MessageDialogKind::Error);
    dialog.buttons(MessageDialogButtons::OkCustom(button.into())).show(move |_| load(&asked));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_that_keeps_ending_is_asked_about_and_one_that_ends_now_and_then_is_not() {
        let begun = Instant::now();
        let mut ends = Ends::default();
        let mut end = |second| ends.is_often(begun + Duration::from_secs(second));
        assert_eq!([0, 50, 70, 120].map(&mut end), [false; 4], "never three in a minute");
        assert_eq!([129, 130, 131].map(&mut end), [true, false, false], "and then from the beginning");
        assert!(end(132));
    }
}
