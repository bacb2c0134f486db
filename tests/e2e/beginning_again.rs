//! A page that is loaded again in the same window after the system has ended its process.

use std::process::Command;
use std::time::Duration;

use serde_json::{Value, json};

use crate::asking::{BATTERY, FIELD, LEASE, MANUAL, answered, ask, ready, take};
use crate::harness::{App, Harness, wait};

const MARKED: &str = "[data-testid=marked-sentence]";

fn draft(app: &App) -> Value {
    app.run("return document.querySelector(arguments[0]).value", json!([FIELD]))
}

fn kill(page: u32) {
    assert!(Command::new("kill").args(["-KILL", &page.to_string()]).status().unwrap().success());
}

#[test]
#[ignore = "journey: make test-window"]
fn a_page_whose_process_is_killed_comes_back_where_the_person_was() {
    let harness = Harness::new();
    take(&harness, &[MANUAL]);
    let mut app = ready(&harness, json!({}));
    ask(&app, BATTERY);
    app.until("words are written", || !app.text("[data-testid=answer][aria-busy]").is_empty());
    // The answer is still being written when the page's process ends.
    harness.freeze_generator();
    app.click("[data-testid=card] header button");
    app.until("a sentence is marked", || !app.text(MARKED).is_empty());
    let marked = app.text(MARKED);
    app.type_into(FIELD, "And how long does it");
    // Typed text is saved a moment later.
    let kept = || app.run("return sessionStorage.whereabouts", json!([])).to_string();
    app.until("it is kept", || kept().contains("does it"));
    let page = app.page_process();
    kill(page);
    app.until_another_page(page, Duration::from_secs(30));
    app.until_text("[data-testid=meta]", "Stopped");
    assert!(!app.text("[data-testid=answer]").is_empty(), "what was written is kept");
    app.until("the same sentence is marked", || app.text(MARKED) == marked);
    assert_eq!(draft(&app), "And how long does it");
    // The new page gets events and can ask.
    take(&harness, &[LEASE]);
    app.until_text("[data-testid=status]", "2 files");
    app.type_into(FIELD, " take to charge?");
    app.keys("Enter");
    answered(&app, 2);
}

#[test]
#[ignore = "journey: make test-window"]
fn a_page_that_keeps_ending_is_loaded_again_when_the_person_says_so() {
    let harness = Harness::new();
    take(&harness, &[MANUAL]);
    let mut app = ready(&harness, json!({"generator": "quotes"}));
    let own = app.window();
    for _ in 0..2 {
        let page = app.page_process();
        kill(page);
        app.until_another_page(page, Duration::from_secs(30));
    }
    let page = app.page_process();
    kill(page);
    let front = || harness.xdotool(&["getactivewindow"]);
    wait("it is asked about", || !front().is_empty() && front() != own);
    assert!(
        harness.processes(|words| words[0].ends_with("WebKitWebProcess")).is_empty(),
        "and not loaded before"
    );
    harness.xdotool(&["key", "Return"]);
    app.until_another_page(page, Duration::from_secs(30));
    app.until_text("footer", "Up to date");
}
