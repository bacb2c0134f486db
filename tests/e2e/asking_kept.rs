//! Conversations: saved, searched, renamed, exported, deleted.

use std::fs;

use serde_json::json;

use crate::asking::{BATTERY, FIELD, LEASE, MANUAL, RECALL, SERIALS, answered, ask, ready, take};
use crate::harness::{App, Harness};

const PETS: &str = "May the tenant keep a dog on the premises?";

#[test]
fn a_conversation_is_copied_kept_found_by_what_it_says_renamed_exported_and_deleted() {
    let harness = Harness::new();
    take(&harness, &[LEASE, RECALL]);
    let app = ready(&harness, json!({"generator": "quotes"}));
    ask(&app, PETS);
    answered(&app, 1);
    let answer = app.text("[data-testid=answer]");
    app.keys("Ctrl+n");
    app.until("the page is empty", || app.count("[data-turn]") == 0);
    ask(&app, SERIALS);
    answered(&app, 1);
    app.until("both are listed", || app.count("[data-talk]") == 2);
    is_copied_with_its_citations(&app);

    let app = app.restart();
    app.until("both are kept", || app.count("[data-talk]") == 2);
    // Found by a word of the answer, which is in neither question.
    assert!(answer.contains("well-behaved"), "{answer}");
    app.keys("Ctrl+k");
    app.type_into("[data-testid=palette-input]", "well-behaved");
    app.until("only it is found", || {
        let found = app.text("[role=listbox]");
        found.contains(PETS) && !found.contains(SERIALS)
    });
    app.keys("Enter");
    app.until("it is open", || app.count("[data-turn]") == 1);
    assert_eq!(app.text("[data-testid=question]"), PETS);
    assert_eq!(app.text("[data-testid=answer]"), answer);

    app.press("Rename, delete, more");
    app.press("Rename");
    app.one("[data-testid=title-field]");
    app.keys("Ctrl+a");
    app.type_text("Dogs at 4 Ropewalk");
    app.keys("Enter");
    app.until_text("[data-testid=talks]", "Dogs at 4 Ropewalk");
    app.until_text("h1", "Dogs at 4 Ropewalk");

    let file = harness.home().join("Dogs and clocks.md");
    app.click("[data-testid=export]");
    app.save_as(&file);
    app.until_text("[data-testid=said]", "Dogs and clocks.md");
    let text = fs::read_to_string(file).unwrap();
    for part in [PETS, "one well-behaved dog", "Lease 4 Ropewalk (2019).pdf", "[1]"] {
        assert!(text.contains(part), "{part} is missing from:\n{text}");
    }

    app.press("Rename, delete, more");
    app.press("Delete…");
    app.until_text("[role=dialog]", "Your documents stay");
    app.click("[data-testid=delete-now]");
    app.until("it is gone", || app.count("[data-talk]") == 1);
    let app = app.restart();
    app.until_text("[data-testid=talks]", "serial numbers");
    assert_eq!(app.count("[data-talk]"), 1, "what was deleted stays deleted");
    app.one(FIELD);
}

/// Copies the answer to [`SERIALS`] and pastes it into the field through the clipboard of the screen.
fn is_copied_with_its_citations(app: &App) {
    app.click("[data-testid=copy]");
    app.until_text("[data-testid=copy]", "Copied");
    app.click(FIELD);
    app.harness.xdotool(&["windowfocus", "--sync", &app.window()]);
    app.harness.xdotool(&["key", "ctrl+v"]);
    let field = || app.run("return document.activeElement.value ?? ''", json!([])).to_string();
    app.until("it is pasted", || field().contains("Which serial numbers"));
    for part in ["C2-0411", "[1]", "2024-03-14 Recall notice.txt"] {
        assert!(field().contains(part), "{part} is missing from {}", field());
    }
}

/// An answered question, with its answer. The generator is frozen then, so that the next answer gets no word.
fn answered_and_frozen(harness: &Harness) -> (App<'_>, String) {
    take(harness, &[MANUAL]);
    let app = ready(harness, json!({}));
    ask(&app, BATTERY);
    answered(&app, 1);
    let answer = app.text("[data-testid=answer]");
    harness.freeze_generator();
    (app, answer)
}

/// Restarts the app: the answer is still there.
fn reopened<'d>(app: App<'d>, answer: &str) -> App<'d> {
    let app = app.restart();
    app.click("[data-talk]");
    app.until("it is kept", || app.text("[data-testid=answer]") == answer);
    app
}

/// Stops the current answer.
fn stop_before_the_first_word(app: &App) {
    app.one("[data-testid=stop]");
    app.keys("Escape");
    app.until("it is stopped", || app.count("[data-testid=stop]") == 0);
}

#[test]
#[ignore = "journey: make test-window"]
fn an_answer_stays_where_its_question_is_asked_again_and_stopped_before_the_first_word() {
    let harness = Harness::new();
    let (app, answer) = answered_and_frozen(&harness);
    app.keys("Ctrl+r");
    stop_before_the_first_word(&app);
    assert_eq!(app.text("[data-testid=answer]"), answer);
    reopened(app, &answer);
}

#[test]
#[ignore = "journey: make test-window"]
fn a_question_in_other_words_goes_back_into_the_box_where_it_is_stopped_before_the_first_word() {
    let harness = Harness::new();
    let (app, answer) = answered_and_frozen(&harness);
    app.keys("Ctrl+Up");
    app.one("[data-testid=edit-question]");
    app.keys("Ctrl+a");
    app.type_text("How often is the battery changed?");
    app.keys("Enter");
    stop_before_the_first_word(&app);
    assert_eq!(app.text("[data-testid=question]"), BATTERY);
    assert_eq!(app.text("[data-testid=answer]"), answer);
    let field = app.run("return document.activeElement.value", json!([]));
    assert_eq!(field, "How often is the battery changed?");
    let app = reopened(app, &answer);
    assert_eq!(app.text("[data-testid=question]"), BATTERY);
}
