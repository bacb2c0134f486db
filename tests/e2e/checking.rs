//! Checking an answer: the marks of a citation, how the answer was made, why a file is missing from it, and sentences
//! in doubt.

use std::fs;

use serde_json::{Value, json};

use crate::asking::{FREEZER, LEASE, RECALL, SERIALS, answered, ask, ready, rewrite, take};
use crate::harness::{App, Harness};

/// The app with the answer to [`SERIALS`] from these files.
fn asked<'d>(harness: &'d Harness, files: &[&str], settings: Value) -> App<'d> {
    take(harness, files);
    let app = ready(harness, settings);
    ask(&app, SERIALS);
    answered(&app, 1);
    app
}

/// The text of each element.
pub fn words(app: &App, css: &str) -> Vec<String> {
    let script = "return [...document.querySelectorAll(arguments[0])].map(one => one.innerText.trim())";
    serde_json::from_value(app.run(script, json!([css]))).unwrap()
}

#[test]
#[ignore = "journey: make test-window"]
fn a_citation_under_the_pointer_lights_its_card_and_a_card_its_citations() {
    let harness = Harness::new();
    let app = asked(&harness, &[LEASE, RECALL], json!({"generator": "quotes"}));
    let cited = words(&app, "[data-testid=answer] button");
    app.hover("[data-testid=answer] button");
    app.until("its card is lit", || words(&app, ".card.lit .cite").contains(&cited[0]));
    assert_eq!(app.count(".card.lit"), 1, "and no other");
    app.hover("[data-testid=question]");
    app.until("nothing is lit", || app.count(".card.lit") == 0);
    app.hover("[data-testid=card] header button");
    app.until("its citations are lit", || app.count("[data-testid=answer] .cite.lit") > 0);
    let number = words(&app, ".card:first-child .cite").remove(0);
    assert!(words(&app, "[data-testid=answer] .cite.lit").iter().all(|one| *one == number));
}

#[test]
fn why_shows_scores_prompt_and_times_of_the_search_that_the_command_makes() {
    let harness = Harness::new();
    let app = asked(&harness, &[LEASE, RECALL], json!({}));
    let found = harness.oriel(&["search", SERIALS]);
    let passages = found["passages"].as_array().unwrap();
    app.keys("Ctrl+i");
    app.one("[data-testid=why-table]");
    // The values that determine the order, from 0 to 1, of each passage with a number.
    let rows = "const rows = [...document.querySelectorAll('[data-testid=why-table] tbody tr:not(.kind)')]
        const numbered = rows.filter(row => row.querySelector('.cite'))
        const cells = numbered.map(row => [row.querySelector('.cite'), row, row.querySelector('td:last-child')])
        return cells.map(three => three.map(one => one.innerText.trim()))";
    let rows: Vec<[String; 3]> = serde_json::from_value(app.run(rows, json!([]))).unwrap();
    assert_eq!(rows.len(), passages.len(), "{rows:?}");
    let mut scores = Vec::new();
    for passage in passages {
        let name = passage["path"].as_str().unwrap().rsplit('/').next().unwrap();
        let number = passage["n"].to_string();
        let [_, row, score] = rows.iter().find(|row| row[0] == number).unwrap_or_else(|| panic!("{rows:?}"));
        let expected = 1.0 / (1.0 + (-passage["score"].as_f64().unwrap()).exp());
        assert!(row.contains(name), "{row} is not of {name}");
        assert_eq!(*score, format!("{expected:.2}"), "{row}");
        scores.push(score.as_str());
    }
    assert!(scores.is_sorted_by(|a, b| a >= b), "the best comes first: {scores:?}");
    // Cited passages come first among the cards.
    let cards = app.text(".card .n");
    let mut cards: Vec<&str> = cards.lines().collect();
    cards.sort_unstable_by(|a, b| b.cmp(a));
    assert_eq!(cards, scores, "cards and table agree");
    let prompt = app.text("[data-testid=why-prompt]");
    let bare = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    // For each passage the generator reads the text around the sentence that is expected to answer.
    let at = |of: &Value, key: &str| of[key].as_u64().unwrap() as usize;
    let (answer, start) = (&passages[0]["answer"], at(&passages[0], "start"));
    let answering =
        &passages[0]["text"].as_str().unwrap()[at(answer, "start") - start..at(answer, "end") - start];
    assert!(bare(&prompt).contains(&bare(answering)), "{prompt}");
    assert!(prompt.contains(SERIALS), "{prompt}");
    let times = app.text("[data-testid=why-times]");
    for stage in ["in all", "First word after", "Search", "Rerank", "Read", "Write", "Check"] {
        assert!(times.contains(stage), "{stage} is missing: {times}");
    }
}

#[test]
#[ignore = "journey: make test-window"]
fn a_row_of_why_is_pressed_as_a_whole_and_opens_its_place() {
    let harness = Harness::new();
    let app = asked(&harness, &[LEASE, RECALL, FREEZER], json!({"generator": "quotes"}));
    app.keys("Ctrl+i");
    app.one("[data-testid=why-table]");
    for at in [0, app.count("[data-testid=why-table] .open") - 1] {
        let row = format!("[data-testid=why-table] tr:has([data-row='{}'])", at + 1);
        let name = words(&app, &format!("{row} .open")).remove(0);
        app.click(&format!("{row} td:last-child"));
        app.until_text("[data-testid=viewer] header", &name);
        app.keys("Escape");
        app.one("[data-testid=why-table]");
    }
}

#[test]
fn why_a_file_was_not_found_and_a_sentence_has_no_support_is_said() {
    let harness = Harness::new();
    harness.write("broken.pdf", "%PDF-1.4 and then nothing");
    let app = asked(&harness, &[LEASE, RECALL, FREEZER], json!({"generator": "quotes"}));
    app.keys("Ctrl+i");
    app.press("Why was a file not found?");
    app.type_into("[data-testid=why-not] input", "freez");
    app.until_text("[data-testid=why-not]", "Freezer test.md");
    app.keys("Enter");
    app.until_text("[data-testid=why-not-facts]", "By meaning its best sentence is");
    let best = app.text("[data-testid=why-not] .quote");
    let bare = |text: &str| text.chars().filter(|one| one.is_alphanumeric()).collect::<String>();
    let file = fs::read_to_string(harness.documents().join(FREEZER)).unwrap();
    assert!(!best.is_empty() && bare(&file).contains(&bare(&best)), "{best}");
    app.press("Open at this sentence");
    app.until_text("[data-testid=marked-sentence]", &best);
    // A file that could not be read says so.
    app.keys("Escape");
    app.press("Another file");
    app.keys("Ctrl+a");
    app.type_text("broken");
    app.until_text("[data-testid=why-not]", "broken.pdf");
    app.keys("Enter");
    app.until_text("[data-testid=why-not-facts]", "It could not be read");
    // A sentence that its passages do not support.
    assert_eq!(app.count("[data-testid=doubt-why]"), 0, "what is quoted is supported");
    app.close();
    rewrite(&harness, |answer| {
        for sentence in answer["sentences"].as_array_mut().unwrap() {
            sentence["supported"] = json!(false);
            sentence["reason"] = json!("number");
        }
    });
    let app = harness.start();
    app.click("[data-talk]");
    app.until_text("[data-testid=doubt-why]", "A number was not found");
    app.click("[data-testid=doubt-why]");
    app.until_text("[data-testid=why-check]", "A number was not found");
}

#[test]
#[ignore = "journey: make test-window"]
fn the_words_of_the_answer_are_marked_in_the_card_and_in_the_document() {
    let harness = Harness::new();
    take(&harness, &[LEASE, RECALL]);
    let app = ready(&harness, json!({"generator": "quotes", "reranker": "oriel-reader-v3"}));
    ask(&app, "Whom should the owner of a recalled clock telephone?");
    answered(&app, 1);
    let marked = words(&app, "[data-testid=card] .k").remove(0);
    let sentence = words(&app, "[data-testid=card]:has(.k) .s").concat();
    assert!(marked.contains("Demelza Pellow") && marked.len() < sentence.len(), "{marked} of {sentence}");
    let deep = app.count("[data-testid=card]:has(.s)");
    assert!(deep < app.count("[data-testid=card]"), "a passage that does not answer has no deep sentence");
    app.click("[data-testid=card] .k");
    app.until_text("[data-testid=viewer] .k", &marked);
}
