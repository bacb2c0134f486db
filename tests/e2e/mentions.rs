//! Every mention of some words: listed from the page of a question without an answer, and opened at its place.

use serde_json::json;

use crate::asking::{FIELD, LEASE, RECALL, answered, ask, ready, take};
use crate::harness::{App, Harness};

const HEADING: &str = "[data-testid=mentions] h1";
const MENTION: &str = "[data-testid=mention]";
const MARKED: &str = "[data-testid=marked-sentence]";

/// Replaces the words to search for.
fn look_for(app: &App, words: &str) {
    app.click("[data-testid=mentions-field]");
    app.keys("Ctrl+a");
    app.type_text(words);
    app.keys("Enter");
}

fn focus(app: &App) -> String {
    let script = "return document.activeElement.dataset.testid ?? document.activeElement.tagName";
    app.run(script, json!([])).as_str().unwrap_or_default().to_owned()
}

#[test]
#[ignore = "journey: make test-window"]
fn every_mention_is_listed_where_nothing_answers_and_opens_in_its_place() {
    let harness = Harness::new();
    take(&harness, &[LEASE, RECALL]);
    harness.write(
        "Workshop/log.md",
        "# Log\n\nThe wheels came on Monday.\n\nTwo clocks had a wheel of brass. It rained.\n",
    );
    let app = ready(&harness, json!({"generator": "quotes"}));
    // Only in the lease, which does not mention the recall.
    app.type_into(FIELD, "@Lease");
    app.until("the lease is offered", || app.text("[data-testid=mention-list]").contains("Lease 4 Ropewalk"));
    app.keys("Enter");
    app.until_text("[data-testid=scope-chip]", "Lease");
    ask(&app, "Which serial numbers are covered by the recall?");
    answered(&app, 1);
    app.until_text(".steps", "List every file that mentions “serial numbers covered recall”");
    app.click("[data-testid=list-mentions]");
    app.until("the list is there", || app.count("[data-testid=mentions-words]") == 1);
    assert_eq!(focus(&app), "mentions-field");
    let words = app.text("[data-testid=mentions-words]");
    assert!(words.contains("recall nowhere"), "the lease does not speak of it: {words}");
    assert!(app.text("[data-testid=mentions-lead]").contains("1 file was looked through from end to end"));

    // Everywhere, in every form of the words, and counted.
    app.press("Search all folders");
    app.until_text("[data-testid=mentions-lead]", "3 files were looked through from end to end");
    look_for(&app, "which clock has a wheel");
    app.until_text(HEADING, "2 files mention “which clock has a wheel”");
    app.until_text("[data-testid=mentions-lead]", "2 sentences in all.");
    let listed = app.text(MENTION);
    for sentence in [
        "Two clocks had a wheel of brass.",
        "A small wheel inside some of our Curlew Mk II clocks shrinks when it is cold.",
    ] {
        assert!(listed.contains(sentence), "{sentence:?} is missing: {listed}");
    }
    let in_bold = app.text("[data-testid=mention] b");
    assert!(in_bold.contains("clocks") && in_bold.contains("wheel"), "{in_bold}");

    // By the keyboard: into the list, open a mention, back to it, back to the question.
    app.run("document.querySelector('[data-testid=mention]').focus()", json!([]));
    app.keys("Down");
    let sentence = app.run("return document.activeElement.querySelector('.text').textContent", json!([]));
    app.keys("Enter");
    app.until_text(MARKED, sentence.as_str().unwrap());
    app.one("[data-testid=viewer] .s.now, [data-testid=viewer] .now");
    assert_eq!(app.count("[data-testid=mention][aria-current=true]"), 1);
    app.keys("Escape");
    app.until("the viewer is closed", || app.count("[data-testid=viewer]") == 0);
    assert_eq!(focus(&app), "mention");
    app.keys("Escape");
    app.until("the focus is where the list was opened", || focus(&app) == "list-mentions");
    app.one("[data-testid=not-found]");
}

#[test]
#[ignore = "journey: make test-window"]
fn the_mentions_of_a_pdf_are_gone_through_in_the_viewer() {
    let harness = Harness::new();
    take(&harness, &[LEASE]);
    let app = ready(&harness, json!({"generator": "quotes"}));
    app.keys("Ctrl+k");
    app.type_into("[data-testid=palette-input]", ">every mention");
    app.keys("Enter");
    app.one("[data-testid=mentions]");
    app.until("the field has the focus", || focus(&app) == "mentions-field");
    app.type_text("kiln");
    app.keys("Enter");
    app.until_text(HEADING, "1 file mentions “kiln”");
    let count = app.count(MENTION);
    assert!(count > 1, "the lease speaks of the kiln more than once");
    assert!(app.text(MENTION).contains("page "), "{}", app.text(MENTION));
    app.click(MENTION);
    app.one("[data-testid=viewer] .sheet .box.sentence.now");
    app.until("its sentence is marked", || app.text(MARKED).contains("kiln"));
    let first = app.text(MARKED);
    app.until_text("[data-testid=viewer]", "Sentence 1 of");
    app.keys("n");
    app.until("the next one is marked", || app.text(MARKED) != first && app.text(MARKED).contains("kiln"));
    let which = || app.text("[data-testid=viewer] .which");
    let (second, marked) = (which(), app.text(MARKED));
    app.press("Previous marked sentence");
    app.until("the first one again", || which() != second && app.text(MARKED) == first);
    app.press("Next marked sentence");
    app.until("another is shown", || which() == second && app.text(MARKED) == marked);
}
