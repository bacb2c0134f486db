//! The tray icon with its menu, and the notification when a long indexing ends.

use std::sync::{Arc, Mutex};

use oriel_api::{Activity, Work, lock};
use tauri::menu::{Menu, MenuItem, PredefinedMenuItem};
use tauri::tray::{MouseButton, MouseButtonState, TrayIconBuilder, TrayIconEvent};
use tauri::{AppHandle, Manager as _, Wry};
use tauri_plugin_notification::NotificationExt as _;

use crate::api::{LibraryState, Settings};
use crate::desktop::window;
use crate::state::app::App;

/// The menu items whose words change.
struct Items {
    state: MenuItem<Wry>,
    pause: MenuItem<Wry>,
    open: MenuItem<Wry>,
    quit: MenuItem<Wry>,
    shown: Mutex<Shown>,
}

/// What the menu shows. It is only touched when that changes.
#[derive(Default)]
struct Shown {
    state: String,
    paused: bool,
}

/// Makes the tray icon. A desktop without a tray is no error. `on_pause` is called, off the main thread, when the user
/// chooses to pause or resume.
pub(crate) fn create(app: &tauri::App, settings: &Settings, on_pause: fn(&Arc<App>)) -> tauri::Result<()> {
    let words = words(settings);
    let items = Items {
        state: MenuItem::with_id(app, "state", words.idle, false, None::<&str>)?,
        pause: MenuItem::with_id(app, "pause", words.pause, true, None::<&str>)?,
        open: MenuItem::with_id(app, "open", words.open, true, None::<&str>)?,
        quit: MenuItem::with_id(app, "quit", words.quit, true, None::<&str>)?,
        shown: Mutex::default(),
    };
    let line = PredefinedMenuItem::separator(app)?;
    let menu = Menu::with_items(app, &[&items.state, &items.pause, &line, &items.open, &items.quit])?;
    let mut builder = TrayIconBuilder::new()
        .menu(&menu)
        .show_menu_on_left_click(false)
        .on_menu_event(move |handle, event| on_menu(handle, event.id().as_ref(), on_pause))
        .on_tray_icon_event(|tray, event| {
            if let TrayIconEvent::Click {
                button: MouseButton::Left,
                button_state: MouseButtonState::Up,
                ..
            } = event
            {
                window::show(tray.app_handle());
            }
        });
    if let Some(icon) = app.default_window_icon() {
        builder = builder.icon(icon.clone());
    }
    // The tray's library is loaded here, and panics if it is missing.
    match std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| builder.build(app))) {
        Ok(Ok(_)) => {
            app.manage(items);
        }
        Ok(Err(error)) => tracing::info!(%error, "this desktop has no tray"),
        Err(_) => tracing::info!("this desktop has no library for trays (libayatana-appindicator3)"),
    }
    Ok(())
}

/// Whether this desktop has a tray that Oriel can stay in.
pub(crate) fn is_there(handle: &AppHandle) -> bool {
    handle.try_state::<Items>().is_some()
}

fn on_menu(handle: &AppHandle, item: &str, on_pause: fn(&Arc<App>)) {
    match item {
        "open" => window::show(handle),
        "quit" => handle.exit(0),
        "pause" => {
            let app = Arc::clone(&handle.state::<Arc<App>>());
            tauri::async_runtime::spawn_blocking(move || on_pause(&app));
        }
        _ => {}
    }
}

/// Shows what is being done.
pub(crate) fn show_activity(handle: &AppHandle, settings: &Settings, library: &LibraryState) {
    let Some(items) = handle.try_state::<Items>() else { return };
    let words = words(settings);
    let paused = matches!(library.activity, Activity::Paused | Activity::Deferred);
    let state = match &library.activity {
        Activity::Idle => words.idle.to_owned(),
        Activity::Paused => words.paused.to_owned(),
        Activity::Deferred => words.deferred.to_owned(),
        Activity::Stopped { .. } => words.stopped.to_owned(),
        Activity::Scanning { .. } | Activity::Recognising { .. } => words.reading.to_owned(),
        Activity::Reading(work) | Activity::Embedding(work) => {
            format!("{} {} %", words.reading, percent(work, library))
        }
    };
    let mut shown = lock(&items.shown);
    if shown.state != state {
        set(&items.state, &state);
        shown.state = state;
    }
    if shown.paused != paused {
        set(&items.pause, if paused { words.resume } else { words.pause });
        shown.paused = paused;
    }
}

/// The share of all work that is done, as the UI shows it. A run after a pause starts with what is left, so its own share
/// would begin at 0.
fn percent(work: &Work, library: &LibraryState) -> u64 {
    let (done, total) = match library.activity {
        Activity::Reading(_) => {
            let known: usize = library.kinds.iter().map(|one| one.count).sum();
            let total = library.documents.max(known.saturating_sub(library.failed));
            (library.documents.min(total.saturating_sub(library.waiting)) as u64, total as u64)
        }
        Activity::Embedding(_) => {
            let missing = library.unembedded_next.unwrap_or(library.unembedded);
            (library.distinct.saturating_sub(missing), library.distinct)
        }
        _ => (work.done, work.total),
    };
    done * 100 / total.max(1)
}

/// Shows that the library cannot be opened.
pub(crate) fn show_trouble(handle: &AppHandle, settings: &Settings) {
    let Some(items) = handle.try_state::<Items>() else { return };
    let state = words(settings).stopped;
    set(&items.state, state);
    lock(&items.shown).state = state.to_owned();
}

/// Sets the menu's language.
pub(crate) fn relabel(handle: &AppHandle, settings: &Settings) {
    let Some(items) = handle.try_state::<Items>() else { return };
    let words = words(settings);
    set(&items.open, words.open);
    set(&items.quit, words.quit);
    let paused = lock(&items.shown).paused;
    set(&items.pause, if paused { words.resume } else { words.pause });
    lock(&items.shown).state.clear();
}

fn set(item: &MenuItem<Wry>, text: &str) {
    if let Err(error) = item.set_text(text) {
        tracing::debug!(%error, "the tray's menu cannot be changed");
    }
}

/// Notifies the user that a long indexing has ended, if they want that and do not see the window.
pub(crate) fn notify_done(handle: &AppHandle, settings: &Settings) {
    let is_seen = handle.webview_windows().values().any(|window| window.is_focused().unwrap_or(false));
    if !settings.notify || is_seen {
        return;
    }
    let words = words(settings);
    let shown = handle.notification().builder().title("Oriel").body(words.done).show();
    if let Err(error) = shown {
        tracing::debug!(%error, "this desktop shows no notifications");
    }
}

struct Words {
    idle: &'static str,
    reading: &'static str,
    paused: &'static str,
    deferred: &'static str,
    stopped: &'static str,
    pause: &'static str,
    resume: &'static str,
    open: &'static str,
    quit: &'static str,
    done: &'static str,
}

/// The tray's words. The UI has its own catalogue, but the tray is there when the window is not.
fn words(settings: &Settings) -> Words {
    let is_german = settings.is_german();
    let word = |english, german| if is_german { german } else { english };
    Words {
        idle: word("Up to date", "Alles eingelesen"),
        reading: word("Reading", "Liest"),
        paused: word("Paused", "Angehalten"),
        deferred: word("Waits for mains power", "Wartet auf Netzstrom"),
        stopped: word("Needs a hand", "Braucht Hilfe"),
        pause: word("Pause reading", "Einlesen anhalten"),
        resume: word("Resume reading", "Einlesen fortsetzen"),
        open: word("Open Oriel", "Oriel öffnen"),
        quit: word("Quit", "Beenden"),
        done: word("All documents have been read.", "Alle Dokumente sind eingelesen."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oriel_core::Kind;

    use crate::api::KindCount;

    #[test]
    fn a_run_after_a_pause_shows_the_share_of_all_work() {
        let work = Work { done: 5, total: 50, rate: None, left: None };
        let mut library = LibraryState {
            folders: Vec::new(),
            documents: 60,
            sentences: 900,
            distinct: 800,
            unembedded: 200,
            unembedded_next: None,
            waiting: 50,
            failed: 10,
            empty: 0,
            skipped: 0,
            links: 0,
            bytes: 0,
            kinds: vec![KindCount { kind: Kind::Markdown, count: 110 }],
            read_only: false,
            reads_from: None,
            publishes_to: None,
            activity: Activity::Reading(work.clone()),
            yielding: false,
            meaning_left: None,
        };
        assert_eq!(percent(&work, &library), 50, "50 of 100 are to be read, anew or for the first time");
        library.activity = Activity::Embedding(work.clone());
        assert_eq!(percent(&work, &library), 75);
        library.unembedded_next = Some(600);
        assert_eq!(percent(&work, &library), 25, "another embedder's vectors are made");
    }
}
