//! Saved answers: also if Oriel was closed or killed while it wrote, and if the documents were renamed or changed
//! since.

use std::fs;

use serde_json::{Value, json};

use crate::asking::{BATTERY, LEASE, MANUAL, RECALL, SERIALS, answered, ask, ready, take};
use crate::checking::words;
use crate::harness::{App, Harness};
use crate::library::{menu, read};

const MARKED: &str = "[data-testid=marked-sentence]";

/// Opens the only conversation.
fn reopen(app: &App) {
    app.click("[data-talk]");
    app.one("[data-turn] [data-testid=meta]");
}

#[test]
#[ignore = "journey: make test-window"]
fn what_was_written_of_an_answer_is_kept_where_oriel_is_closed_meanwhile() {
    let harness = Harness::new();
    take(&harness, &[MANUAL]);
    let app = ready(&harness, json!({}));
    ask(&app, BATTERY);
    let mut written = String::new();
    app.until("words are written", || {
        written = app.text("[data-testid=answer][aria-busy]");
        !written.is_empty()
    });
    // A short answer would be complete before the window closes.
    harness.freeze_generator();
    let app = app.restart();
    reopen(&app);
    assert_eq!(app.text("[data-testid=question]"), BATTERY);
    app.until_text("[data-testid=meta]", "Stopped");
    let first = |text: &str| text.split_whitespace().next().map(str::to_owned);
    assert_eq!(first(&app.text("[data-testid=answer]")), first(&written));
    assert!(app.count("[data-testid=card]") > 0);
}

#[test]
#[ignore = "journey: make test-window"]
fn the_passages_of_an_answer_outlive_a_crash_and_the_question_can_be_asked_again() {
    let harness = Harness::new();
    take(&harness, &[MANUAL]);
    let app = ready(&harness, json!({}));
    ask(&app, BATTERY);
    app.until("words are written", || !app.text("[data-testid=answer][aria-busy]").is_empty());
    app.kill();
    let app = harness.start();
    reopen(&app);
    app.until_text("[data-testid=meta]", "Stopped");
    assert!(app.count("[data-testid=card]") > 0);
    app.click("[data-testid=card] header button");
    app.one(MARKED);
    app.keys("Escape");
    app.click("[data-testid=again]");
    app.one("[data-testid=stop]");
    answered(&app, 1);
    assert!(!app.text("[data-testid=answer]").is_empty());
}

#[test]
#[ignore = "journey: make test-window"]
fn a_citation_finds_its_document_again_where_it_was_renamed() {
    let harness = Harness::new();
    take(&harness, &[LEASE, RECALL]);
    let app = ready(&harness, json!({"generator": "quotes"}));
    // Limited to this file.
    app.type_text("@recall");
    app.until_text("[role=listbox]", "Recall notice.txt");
    app.keys("Enter");
    app.until_text("[data-testid=scope-chip]", "Recall notice.txt");
    ask(&app, SERIALS);
    answered(&app, 1);
    app.click("[data-testid=answer] button");
    app.until("a sentence is marked", || !app.text(MARKED).is_empty());
    let marked = app.text(MARKED);
    app.keys("Escape");
    // Renamed and moved, then another file takes its name.
    let file = harness.documents().join(RECALL);
    let moved = harness.write("Old/Recall of 2024.txt", "");
    fs::rename(&file, &moved).unwrap();
    menu(&app, "documents", "Look again");
    app.until("it is known under its new name", || {
        harness.oriel(&["search", SERIALS])["passages"].to_string().contains("Recall of 2024")
    });
    fs::write(&file, "The kettle of the workshop holds two litres.").unwrap();
    menu(&app, "documents", "Look again");
    read(&app, &["documents 3"]);
    app.keys("Ctrl+n");
    app.until("the page is empty", || app.count("[data-turn]") == 0);
    reopen(&app);
    app.until_text("[data-testid=card] h3", "Recall of 2024.txt");
    app.until_text("[data-testid=scope-chip]", "Recall of 2024.txt");
    app.click("[data-testid=answer] button");
    app.until_text("[data-testid=viewer] header", "Recall of 2024.txt");
    app.until("the same sentence is marked", || app.text(MARKED) == marked);
    app.keys("Escape");
    app.keys("Ctrl+i");
    app.until_text("[data-testid=why-table]", "Recall of 2024.txt");
    // Also after it is changed at its new place.
    app.keys("Escape");
    let text = fs::read_to_string(&moved).unwrap();
    fs::write(&moved, format!("Read this first.\n\n{text}")).unwrap();
    app.until("it is read anew", || {
        harness.oriel(&["search", "What is to be read first?"])["passages"]
            .to_string()
            .contains("Read this first")
    });
    read(&app, &["documents 3"]);
    app.keys("Ctrl+n");
    app.until("the page is empty", || app.count("[data-turn]") == 0);
    reopen(&app);
    app.until_text("[data-testid=scope-chip]", "Recall of 2024.txt");
    app.click("[data-testid=answer] button");
    app.until_text("[data-testid=viewer-note]", "has changed since it was read");
    app.until("the same sentence is marked", || app.text(MARKED) == marked);
    // If it is gone, the question is not asked of all documents instead.
    fs::remove_file(moved).unwrap();
    fs::remove_file(file).unwrap();
    app.keys("Escape");
    read(&app, &["documents 1"]);
    app.keys("Ctrl+n");
    app.until("the page is empty", || app.count("[data-turn]") == 0);
    reopen(&app);
    app.one("[data-testid=scope-chip].gone");
    app.keys("Ctrl+r");
    app.until_text("main", "is not in the library any more; take it out of the question");
}

#[test]
#[ignore = "journey: make test-window"]
fn a_row_of_why_marks_what_was_found_and_nothing_where_the_file_was_written_anew() {
    let harness = Harness::new();
    let note = |day: usize| {
        let things = ["gulls", "nets", "crates", "ropes", "lamps", "masts", "oars", "flags"];
        let thing = things[day];
        format!(
            "Day {day} began with {thing} on the quay. Nobody had asked for {thing}. The harbour clock of pier {day} was \
             wound. The {thing} were sold by noon. At dusk it rained on the other {thing}."
        )
    };
    (0..8).for_each(|day| drop(harness.write(&format!("day {day}.txt"), note(day))));
    // One passage is shown; the others are only in the table, without a number.
    let window = json!({"before": 1, "after": 1});
    let settings = json!({"generator": "quotes", "passages": 1, "candidates": 10, "window": window});
    let app = ready(&harness, settings);
    ask(&app, "Was the harbour clock of pier 7 wound?");
    answered(&app, 1);
    app.keys("Ctrl+i");
    app.one("[data-testid=why-table]");
    let last = "[data-testid=why-table] tbody:last-of-type tr:last-child";
    assert_eq!(app.count(&format!("{last} .cite")), 0, "it has no number");
    let name = app.text(&format!("{last} .open"));
    app.click(&format!("{last} .open"));
    app.until("its sentences are marked", || app.count(MARKED) > 0);
    let (sentences, window) = (words(&app, MARKED), words(&app, "[data-testid=viewer] .w"));
    assert!(!window.is_empty(), "the neighbours are the window, not what was found: {sentences:?}");
    app.until("nothing is amiss", || app.count("[data-testid=viewer-note]") == 0);
    app.keys("Escape");
    let text = fs::read_to_string(harness.documents().join(&name)).unwrap();
    harness.write(&name, format!("A word before all of it.\n\n{text}"));
    menu(&app, "documents", "Look again");
    app.until("it is read anew", || {
        let found = harness.oriel(&["search", "Which word stands before all of it?"]);
        found["passages"].to_string().contains("A word before")
    });
    read(&app, &["documents 8"]);
    app.click(&format!("{last} .open"));
    app.until_text("[data-testid=viewer-note]", "has changed since it was read");
    assert_eq!(app.count(MARKED), 0, "what stands there now was not found");
}

#[test]
#[ignore = "journey: make test-window"]
fn a_title_is_that_of_the_first_question_and_an_earlier_one_leans_on_what_stood_before_it() {
    let harness = Harness::new();
    take(&harness, &[LEASE, RECALL]);
    let app = ready(&harness, json!({"generator": "quotes"}));
    ask(&app, SERIALS);
    answered(&app, 1);
    ask(&app, "And until when could they ask for a refund?");
    answered(&app, 2);
    let searched = app.text("[data-turn='1'] .searched");
    ask(&app, "May the tenant keep a dog on the premises?");
    answered(&app, 3);
    app.click("[data-turn='1'] [data-testid=again]");
    answered(&app, 4);
    assert_eq!(app.text("[data-turn='3'] .searched"), searched);
    // A different first question gives another title.
    app.keys("Ctrl+n");
    app.until("the page is empty", || app.count("[data-turn]") == 0);
    ask(&app, "Is there a cat?");
    answered(&app, 1);
    app.until_text("h1", "Is there a cat?");
    app.keys("Ctrl+Up");
    app.one("[data-testid=edit-question]");
    app.keys("Ctrl+a");
    app.type_text("Is there a dog?");
    app.keys("Enter");
    app.until_text("[data-testid=question]", "Is there a dog?");
    answered(&app, 1);
    app.until_text("h1", "Is there a dog?");
    app.until_text("[data-testid=talks]", "Is there a dog?");
    let kept: Value =
        app.run("return [...document.querySelectorAll('[data-talk]')].map(one => one.innerText)", json!([]));
    assert!(!kept.to_string().contains("cat"), "{kept}");
}
