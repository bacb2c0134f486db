//! The app with other processes: started twice, beside the command line, closed, or with a library that cannot be
//! opened.

use std::fs;
use std::path::Path;
use std::process::Stdio;

use serde_json::json;

use crate::failing_disk::failing_disk;
use crate::harness::{Harness, beside, wait};
use crate::library::{finds, follow, menu, read};

const LAMP: &str = "The lamp of Zennor Point turns once in nine seconds.";

#[test]
fn a_second_start_shows_the_first_window_which_keeps_its_size_and_leaves_nothing_behind() {
    let harness = Harness::new();
    let app = harness.start();
    let window = app.window();
    harness.xdotool(&["windowminimize", &window]);
    let visible = || harness.xdotool(&["search", "--onlyvisible", "--name", "^Oriel$"]);
    wait("the window is away", || visible().is_empty());
    let second = harness.command(beside("oriel-desktop")).stderr(Stdio::null()).status().unwrap();
    assert_eq!(second.code(), Some(0));
    wait("the window is back", || visible() == window);
    wait("the window has the focus", || harness.xdotool(&["getactivewindow"]) == window);
    assert_eq!(harness.running("oriel-desktop").len(), 1);
    app.one("[data-testid=first-run]");

    app.resize(1440, 900);
    app.resize(1234, 777);
    let app = app.restart();
    let size = || app.run("return [innerWidth, innerHeight]", json!([]));
    app.until("the window has its size again", || size() == json!([1234, 777]));
    for engine in ["WebKitWebProcess", "WebKitNetworkProcess"] {
        assert!(!harness.running(engine).is_empty(), "{engine} is seen while it runs");
    }
    app.close();
    for engine in ["WebKitWebProcess", "WebKitNetworkProcess"] {
        wait(&format!("{engine} has ended"), || harness.running(engine).is_empty());
    }
}

#[test]
#[ignore = "journey: make test-window"]
fn the_command_line_works_on_the_same_library_at_the_same_time() {
    let harness = Harness::new();
    harness.write("Papers/lamp.md", LAMP);
    harness.write("Notes/tide.txt", "High water comes at noon on Friday.");
    let app = follow(&harness, &["Papers"]);
    read(&app, &["Papers 1"]);
    let question = "How often does the lamp turn?";
    let found = harness.oriel(&["search", question]);
    assert!(found["passages"][0].to_string().contains("nine seconds"), "{found}");
    assert_eq!(harness.oriel(&["status"])["documents"], 1);

    harness.oriel(&["add", harness.documents().join("Notes").to_str().unwrap()]);
    let report = harness.oriel(&["index"]);
    assert_eq!((&report["documents"], &report["failed"]), (&json!(2), &json!(0)), "{report}");
    menu(&app, "Papers", "Look again");
    read(&app, &["Papers 1", "Notes 1"]);
    finds(&app, "When does high water come?", "at noon on Friday");
}

#[test]
#[ignore = "journey: make test-window"]
fn a_library_that_cannot_be_opened_says_why_and_is_opened_once_it_can_be() {
    let harness = Harness::new();
    fs::create_dir_all(harness.library().parent().unwrap()).unwrap();
    fs::write(harness.library(), "not a library").unwrap();
    let app = harness.start();
    app.until_text("[data-testid=trouble]", "The library cannot be opened");
    let said = app.text("[data-testid=trouble] [role=alert]");
    assert!(said.contains(harness.library().to_str().unwrap()), "{said}");
    assert!(app.text("[data-testid=status]").contains("Needs a hand"));
    // The obstacle is still there, so the message appears again.
    app.run("window.before = true", json!([]));
    app.press("Try again");
    app.until("the window is drawn anew", || {
        app.look("return window.before ?? null").is_some_and(|before| before.is_null())
    });
    app.until_text("[data-testid=trouble] [role=alert]", &said);
    fs::remove_file(harness.library()).unwrap();
    app.press("Try again");
    app.one("[data-testid=first-run]");
    app.press("Try the sample");
    read(&app, &["Sample 23"]);
}

#[test]
#[ignore = "journey: make test-window"]
fn a_library_of_a_newer_oriel_is_left_alone() {
    let harness = Harness::new();
    harness.write("Papers/lamp.md", LAMP);
    harness.oriel(&["add", harness.documents().join("Papers").to_str().unwrap()]);
    let data = harness.library().join("data.mdb");
    let mut bytes = fs::read(&data).unwrap();
    // The version's row in the store, on each page that ever contained it.
    let (row, mut found) = (b"version\0\0\0\x06", 0);
    for at in 0..bytes.len() - row.len() {
        if bytes[at..].starts_with(row) {
            bytes[at + row.len() - 1] = 99;
            found += 1;
        }
    }
    assert!(found > 0, "the version is where this test looks for it");
    fs::write(&data, &bytes).unwrap();
    let app = harness.start();
    app.until_text("[data-testid=trouble] [role=alert]", "has format 99");
    assert!(app.text("[data-testid=trouble] [role=alert]").contains("use the newer Oriel"));
    app.close();
    assert!(fs::read(&data).unwrap() == bytes, "nothing is written into it");
}

/// The disk fails with `errno` (only at the end of commits if `commits` is true) and then works again: the app says so,
/// answers questions meanwhile, and then reads the files written meanwhile without a click.
fn a_disk_fails_for_a_while(errno: &str, commits: bool, words: &str) {
    let harness = Harness::new();
    harness.write("Papers/lamp.md", LAMP);
    harness.oriel(&["add", harness.documents().join("Papers").to_str().unwrap()]);
    let (broken, library) = (harness.home().join("broken"), failing_disk(&harness.home()));
    let mut environment: Vec<(&str, &Path)> = vec![
        ("LD_PRELOAD", &library),
        ("ORIEL_FAULT_AT", Path::new("1")),
        ("ORIEL_FAULT_ERROR", Path::new(errno)),
        ("ORIEL_FAULT_WHILE", &broken),
    ];
    if commits {
        environment.push(("ORIEL_FAULT_COMMITS", Path::new("1")));
    }
    let app = harness.start_with(&environment);
    read(&app, &["Papers 1"]);
    fs::write(&broken, "").unwrap();
    harness.write("Papers/tide.txt", "High water comes at noon on Friday.");
    app.until_text("[data-testid=status]", "Needs a hand");
    app.until_text("[data-testid=status]", words);
    finds(&app, "How often does the lamp turn?", "nine seconds");
    fs::remove_file(&broken).unwrap();
    read(&app, &["Papers 2"]);
    finds(&app, "When does high water come?", "at noon on Friday");
    app.close();
    assert_eq!(harness.oriel(&["doctor"])["ok"], true);
}

#[test]
#[ignore = "journey: make test-window"]
fn a_full_disk_is_said_and_reading_goes_on_once_there_is_room() {
    a_disk_fails_for_a_while("28", false, "full");
}

/// LMDB refuses everything after that until the library is opened again.
#[test]
#[ignore = "journey: make test-window"]
fn a_disk_that_fails_while_a_commit_is_ended_is_said_and_reading_goes_on_once_it_works() {
    a_disk_fails_for_a_while("5", true, "failed");
}

#[test]
#[ignore = "journey: make test-window"]
fn a_library_that_vanishes_is_said_and_reading_goes_on_once_it_is_back() {
    let harness = Harness::new();
    harness.write("Papers/lamp.md", LAMP);
    let app = follow(&harness, &["Papers"]);
    read(&app, &["Papers 1"]);
    let away = harness.home().join("away");
    fs::rename(harness.library(), &away).unwrap();
    harness.write("Papers/tide.txt", "High water comes at noon on Friday.");
    app.until_text("[data-testid=status]", "No such file");
    fs::rename(&away, harness.library()).unwrap();
    read(&app, &["Papers 2"]);
    finds(&app, "When does high water come?", "at noon on Friday");
}
