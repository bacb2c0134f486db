//! The tray: its menu is read and used over D-Bus, as a desktop panel does.

use serde_json::json;

use crate::asking::{LEASE, MANUAL, ready, take};
use crate::harness::{App, Harness};

/// The path at which the tray library registers its icons on the bus.
const ITEMS: &str = "/org/ayatana/NotificationItem";

/// The menu of the app's tray icon.
struct Tray<'d> {
    harness: &'d Harness,
    owner: String,
    path: String,
}

fn gdbus(harness: &Harness, arguments: &[&str]) -> String {
    let done = harness.command("gdbus").args(arguments).output().unwrap();
    String::from_utf8_lossy(&done.stdout).into_owned()
}

impl<'d> Tray<'d> {
    fn of(harness: &'d Harness) -> Option<Self> {
        let bus = ["call", "--session", "--dest=org.freedesktop.DBus", "--object-path=/org/freedesktop/DBus"];
        let names = gdbus(harness, &[bus.as_slice(), &["--method=org.freedesktop.DBus.ListNames"]].concat());
        let menu = |owner: &str| {
            let look = ["introspect", "--session", "--recurse", "--object-path", ITEMS, "--dest", owner];
            let found = gdbus(harness, &look);
            let mut nodes = found.lines().filter_map(|line| line.trim().strip_prefix("node "));
            Some(
                nodes
                    .find_map(|node| node.strip_suffix(" {").filter(|node| node.ends_with("/Menu")))?
                    .to_owned(),
            )
        };
        let mut owners = names.split('\'').filter(|name| name.starts_with(':'));
        let found = owners.find_map(|owner| Some((owner.to_owned(), menu(owner)?)));
        let (owner, path) = found?;
        Some(Self { harness, owner, path })
    }

    fn call(&self, method: &str, arguments: &[&str]) -> String {
        let method = format!("--method=com.canonical.dbusmenu.{method}");
        let to = ["call", "--session", "--dest", &self.owner, "--object-path", &self.path, &method];
        gdbus(self.harness, &[to.as_slice(), arguments].concat())
    }

    /// The items with their numbers; separators have no text.
    fn items(&self) -> Vec<(String, String)> {
        let layout = self.call("GetLayout", &["0", "--", "-1", "[]"]);
        let item = |one: &str| {
            let label = one.split_once("'label': <'")?.1.split_once("'>")?.0;
            Some((one.split_once(',')?.0.to_owned(), label.to_owned()))
        };
        layout.split("<(").skip(1).filter_map(item).collect()
    }

    fn words(&self) -> Vec<String> {
        self.items().into_iter().map(|(_, label)| label).collect()
    }

    fn choose(&self, label: &str) {
        let items = self.items();
        let (number, _) = items.iter().find(|(_, one)| one == label).unwrap_or_else(|| panic!("{items:?}"));
        self.call("Event", &[number, "clicked", "<0>", "0"]);
    }

    fn until(&self, app: &App, words: [&str; 4]) {
        app.until(&format!("the tray says {words:?}"), || self.words() == words);
    }
}

#[test]
fn the_tray_says_how_the_library_is_pauses_brings_the_window_back_and_quits() {
    let harness = Harness::new();
    take(&harness, &[MANUAL]);
    let app = ready(&harness, json!({"generator": "quotes", "closeToTray": true}));
    let mut found = None;
    app.until("the app has put its menu on the bus", || {
        found = Tray::of(&harness);
        found.is_some()
    });
    let tray = found.unwrap();
    tray.until(&app, ["Up to date", "Pause reading", "Open Oriel", "Quit"]);
    tray.choose("Pause reading");
    app.until_text("[data-testid=status] [role=status]", "Paused");
    tray.until(&app, ["Paused", "Resume reading", "Open Oriel", "Quit"]);
    take(&harness, &[LEASE]);
    tray.choose("Resume reading");
    app.until_text("[data-testid=status]", "2 files");
    tray.until(&app, ["Up to date", "Pause reading", "Open Oriel", "Quit"]);

    let visible = || harness.xdotool(&["search", "--onlyvisible", "--name", "^Oriel$"]);
    harness.xdotool(&["windowactivate", "--sync", &app.window(), "key", "alt+F4"]);
    app.until("the window is gone", || visible().is_empty());
    assert_eq!(harness.running("oriel-desktop").len(), 1, "the app stays in the tray");
    tray.choose("Open Oriel");
    app.until("the window is back", || !visible().is_empty());
    assert_eq!(app.text("[data-testid=status] [role=status]"), "Up to date");
    tray.choose("Quit");
    app.ended();
}
