//! The page's own process. Where the system ends it, as it does first where memory is short, the page comes back; and what it
//! has taken is given back while the person is away, by beginning anew. The page itself knows where the person was.

use std::sync::Arc;

use crate::app::App;
use crate::ipc::IpcError;

/// Begins the page anew, with as little memory as at first; `false` while a question is answered or a job goes on, both of which
/// the page follows. Where the engine is not WebKitGTK there is nothing to be done.
pub(crate) fn renew(app: &Arc<App>, (): &()) -> Result<bool, IpcError> {
    let is_busy = is_busy(app);
    #[cfg(target_os = "linux")]
    if !is_busy {
        let asked = Arc::clone(app);
        linux::on_page(app.handle(), |page| linux::begin_anew(&page, asked));
    }
    Ok(!is_busy)
}

fn is_busy(app: &App) -> bool {
    app.jobs.is_any() || app.opened().is_ok_and(|opened| opened.answering.is_any())
}

/// The page that began anew is drawn as the one before was.
pub(crate) fn drawn(app: &Arc<App>, (): &()) -> Result<(), IpcError> {
    #[cfg(target_os = "linux")]
    linux::on_page(app.handle(), |_| linux::uncover());
    #[cfg(not(target_os = "linux"))]
    let _ = app;
    Ok(())
}

#[cfg(target_os = "linux")]
pub(crate) use linux::bring_back;

#[cfg(target_os = "linux")]
mod linux {
    use std::cell::RefCell;
    use std::sync::Arc;
    use std::time::{Duration, Instant};

    use gtk::glib::{self, SignalHandlerId};
    use gtk::prelude::{ObjectExt as _, WidgetExt as _};
    use gtk::{cairo, gio};
    use tauri::{AppHandle, Manager as _};
    use tauri_plugin_dialog::{DialogExt as _, MessageDialogButtons, MessageDialogKind};
    use webkit2gtk::{
        SnapshotOptions, SnapshotRegion, WebProcessTerminationReason, WebView, WebViewExt as _,
    };

    use crate::app::{App, WRITTEN};
    use crate::window;

    /// A page that ends so many times within [`SOON`] is not loaded again by itself.
    const OFTEN: usize = 3;
    const SOON: Duration = Duration::from_secs(60);

    /// How long a picture stands for the page at most.
    const LONGEST: Duration = Duration::from_secs(3);

    thread_local! {
        /// The page that a picture stands for, and what draws the picture. Of the main thread, as all widgets are.
        static COVERED: RefCell<Option<(WebView, SignalHandlerId)>> = const { RefCell::new(None) };
    }

    /// Does something with the page, on the main thread.
    pub(super) fn on_page(handle: &AppHandle, act: impl FnOnce(WebView) + Send + 'static) {
        let done = window::main(handle).map(|window| window.with_webview(|page| act(page.inner())));
        if let Some(Err(error)) = done {
            tracing::debug!(%error, "the page is out of reach");
        }
    }

    /// Ends the page's process; a picture of the page stands there until the next is drawn. Not where something was asked while
    /// that was taken.
    pub(super) fn begin_anew(page: &WebView, app: Arc<App>) {
        if !page.is_mapped() {
            return page.terminate_web_process();
        }
        let covered = page.clone();
        let (region, options) = (SnapshotRegion::Visible, SnapshotOptions::NONE);
        page.snapshot(region, options, gio::Cancellable::NONE, move |picture| {
            if super::is_busy(&app) {
                return;
            }
            match picture.map(cairo::ImageSurface::try_from) {
                Ok(Ok(picture)) => cover(&covered, picture),
                failed => tracing::debug!(?failed, "there is no picture of the page"),
            }
            covered.terminate_web_process();
        });
    }

    fn cover(page: &WebView, picture: cairo::ImageSurface) {
        let drawing = page.connect_draw(move |page, context| {
            // It has as many pixels as the screen, which may be several to one of the window.
            let scale = f64::from(page.allocated_width()) / f64::from(picture.width());
            context.scale(scale, scale);
            let drawn = context.set_source_surface(&picture, 0.0, 0.0).and_then(|()| context.paint());
            if drawn.is_ok() { glib::Propagation::Stop } else { glib::Propagation::Proceed }
        });
        uncover();
        COVERED.set(Some((page.clone(), drawing)));
        glib::timeout_add_local_once(LONGEST, uncover);
    }

    /// Takes the picture away.
    pub(super) fn uncover() {
        if let Some((page, drawing)) = COVERED.take() {
            page.disconnect(drawing);
            page.queue_draw();
        }
    }

    /// Loads the page again whenever its process has ended. What was written of an answer is kept before.
    pub(crate) fn bring_back(page: &WebView, handle: AppHandle) {
        let ends = RefCell::new(Ends::default());
        page.connect_web_process_terminated(move |_, reason| {
            let is_wanted = reason == WebProcessTerminationReason::TerminatedByApi;
            if !is_wanted {
                tracing::warn!(?reason, "the page's process has ended");
                uncover();
            }
            let is_often = !is_wanted && ends.borrow_mut().is_often(Instant::now());
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
            self.0.retain(|end| now.duration_since(*end) < SOON);
            self.0.push(now);
            let is_often = self.0.len() >= OFTEN;
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
}
