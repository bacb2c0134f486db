//! Asking: what the user sees from Enter to the last word, and actions on an answer.

use std::fs;
use std::time::{Duration, SystemTime};

use serde_json::{Value, json};

use crate::harness::{App, Harness, sample};
use crate::looks::look;

pub const FIELD: &str = "[data-testid=ask-field]";
pub const BATTERY: &str = "How long does the battery keep the hands moving after a power cut?";
pub const SERIALS: &str = "Which serial numbers are covered by the recall?";
pub const MANUAL: &str = "Manuals/Petrel Harbour Clock - Installation and User Manual.pdf";
pub const LEASE: &str = "Contracts/Lease 4 Ropewalk (2019).pdf";
pub const RECALL: &str = "Letters/2024-03-14 Recall notice.txt";
pub const FREEZER: &str = "Projects/Curlew recall/Freezer test.md";

/// Copies files of the sample into the documents folder.
pub fn take(harness: &Harness, files: &[&str]) {
    for file in files {
        harness.write(file, fs::read(sample().join(file)).unwrap());
    }
}

/// Starts the app on the documents folder and waits until everything is read. `settings` are those that differ from the
/// defaults.
pub fn ready(harness: &Harness, settings: Value) -> App<'_> {
    harness.oriel(&["add", harness.documents().to_str().unwrap()]);
    ready_as_it_is(harness, settings)
}

/// The same for a library that already follows its folders.
pub fn ready_as_it_is(harness: &Harness, settings: Value) -> App<'_> {
    fs::write(harness.library().join("settings.json"), settings.to_string()).unwrap();
    let app = harness.start();
    app.until_text("footer", "Up to date");
    app
}

pub fn ask(app: &App, question: &str) {
    app.type_into(FIELD, question);
    app.keys("Enter");
}

/// Time limit for the answer of a model: it writes as fast as the machine allows, after the other work of the app.
pub const WRITING: Duration = Duration::from_secs(120);

/// Waits until there are so many questions, all of them answered or stopped.
pub fn answered(app: &App, turns: usize) {
    app.until_within(WRITING, "the answer is complete", || {
        app.count("[data-turn]") == turns
            && app.count("[data-testid=meta]") == turns
            && app.count("[data-testid=stop]") == 0
    });
}

/// Changes the stored first answer of the only conversation, because the text of a model varies.
pub fn rewrite(harness: &Harness, change: impl FnOnce(&mut Value)) {
    let folder = harness.library().join("conversations");
    let mut files = fs::read_dir(folder).unwrap().flatten().map(|one| one.path());
    let file = files.find(|path| path.extension().is_some_and(|end| end == "json")).unwrap();
    let mut kept: Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
    change(&mut kept["turns"][0]["answer"]);
    fs::write(file, kept.to_string()).unwrap();
}

/// The files of the passages that are shown.
fn files(app: &App) -> Vec<String> {
    let mut files: Vec<String> = app.text("[data-testid=card] h3").lines().map(str::to_owned).collect();
    files.sort();
    files.dedup();
    files
}

/// Records in the page, from now on, the contents of the last turn after each change: passages, words, whether it can
/// be stopped; and the announcements for a screen reader.
const WATCH: &str = "
    window.seen = []
    window.heard = []
    const look = () => {
        const turn = [...document.querySelectorAll('[data-turn]')].at(-1)
        const answer = turn?.querySelector('[data-testid=answer][aria-busy]')
        const provisional = turn?.querySelector('[data-testid=provisional]')
        window.seen.push({
            at: performance.now(),
            cards: turn?.querySelectorAll('[data-testid=card]').length ?? 0,
            text: answer?.textContent ?? '',
            stop: document.querySelector('[data-testid=stop]') !== null,
            writing: answer != null || provisional != null,
            provisional: provisional?.textContent ?? '',
        })
    }
    new MutationObserver(look).observe(document.body, {subtree: true, childList: true, characterData: true})
    const spoken = document.querySelector('[data-testid=spoken]')
    new MutationObserver((changes) => {
        for (const change of changes) {
            if (change.type === 'characterData') window.heard.push('CHANGED ' + change.target.data)
            for (const node of change.addedNodes) if (node.nodeType === 1) window.heard.push(node.textContent)
        }
    }).observe(spoken, {subtree: true, childList: true, characterData: true})
    document.addEventListener('keydown', (event) => {
        if (event.key === 'Escape') window.pressed = performance.now()
    }, true)";

#[test]
fn words_come_piece_by_piece_after_the_passages_and_a_screen_reader_hears_whole_sentences() {
    let harness = Harness::with_sample();
    let app = ready_as_it_is(&harness, json!({}));
    app.run(WATCH, json!([]));
    ask(&app, BATTERY);
    answered(&app, 1);
    let seen = app.run("return window.seen", json!([]));
    let seen = seen.as_array().unwrap();
    let words = |one: &Value| one["text"].as_str().unwrap().trim().len();
    let first = seen.iter().position(|one| words(one) > 0).expect("words were seen while it was written");
    assert!(seen[first]["cards"].as_u64() > Some(0), "{:?}", seen[first]);
    let before = seen[..first].iter().filter(|one| one["writing"] == true && one["cards"].as_u64() > Some(0));
    assert!(before.count() > 0, "no passage was shown before the first word");
    let expected = |one: &Value| one["provisional"].as_str().unwrap().contains("72 hours");
    assert!(seen[..first].iter().any(expected), "the words that the search expects come at once");
    let mut lengths: Vec<usize> = seen[first..].iter().map(words).filter(|&length| length > 0).collect();
    lengths.dedup();
    assert!(lengths.len() >= 4, "the answer came in {} pieces", lengths.len());
    assert!(lengths.is_sorted(), "words were taken back: {lengths:?}");
    hears_whole_sentences_once_each(&app);
}

#[test]
fn escape_ends_an_answer_within_a_second_and_keeps_what_is_there() {
    let harness = Harness::with_sample().alone();
    let app = ready_as_it_is(&harness, json!({}));
    app.run(WATCH, json!([]));
    // The answer is a whole sentence, which takes a while to write.
    ask(&app, "Why did the wheel lose its grip in the cold?");
    let said = || app.text("[data-testid=answer]").trim().to_owned();
    app.until("the first words are there", || !said().is_empty());
    app.keys("Escape");
    app.until_text("[data-testid=meta]", "Stopped");
    let kept = said();
    let took = app.run(
        "const end = window.seen.find(one => one.at > window.pressed && !one.stop && !one.writing)
         return end.at - window.pressed",
        json!([]),
    );
    assert!(took.as_f64().unwrap() < 1000.0, "it took {took} ms");
    let last = app.run("return window.seen.filter(one => one.at <= window.pressed).at(-1).text", json!([]));
    let bare = |text: &str| text.split_whitespace().collect::<String>();
    assert!(!kept.is_empty());
    assert!(bare(&kept).starts_with(&bare(last.as_str().unwrap())), "{kept:?} is not what was there: {last}");
    let app = app.restart();
    app.click("[data-talk]");
    app.until_text("[data-testid=meta]", "Stopped");
    assert_eq!(app.text("[data-testid=answer]").trim(), kept, "what was stopped is kept over a restart");
}

/// Checks the announcements for a screen reader during an answer.
fn hears_whole_sentences_once_each(app: &App) {
    let whole = |text: &str| text.trim().ends_with(['.', '!', '?', ':', '…', '”', '"', ')']);
    app.until("all of it was told", || {
        let heard = app.run("return window.heard", json!([]));
        heard.as_array().unwrap().len() > 1
    });
    let heard = app.run("return window.heard", json!([]));
    let heard: Vec<&str> = heard.as_array().unwrap().iter().map(|one| one.as_str().unwrap()).collect();
    assert!(heard[0].contains("found"), "first how many passages there are: {heard:?}");
    for sentence in &heard {
        assert!(whole(sentence), "{sentence:?} is no whole sentence of {heard:?}");
        assert!(!sentence.starts_with("CHANGED"), "what was told was changed: {sentence}");
    }
    let live =
        app.run("return document.querySelector('[data-testid=spoken]').getAttribute('aria-live')", json!([]));
    assert_eq!(live, "polite");
}

#[test]
fn a_question_leans_on_the_one_before_and_one_that_is_edited_takes_the_place_of_what_came_after_it() {
    let harness = Harness::new();
    take(&harness, &[LEASE, RECALL]);
    let app = ready(&harness, json!({"generator": "quotes"}));
    ask(&app, SERIALS);
    answered(&app, 1);
    let searched = |turn: usize| {
        let text = app.text(&format!("[data-turn='{turn}']"));
        text.lines().find(|line| line.contains("Searched for")).map(str::to_owned)
    };
    assert_eq!(searched(0), None, "a question that stands alone is searched for as it is");
    ask(&app, "And until when could they ask for a refund?");
    answered(&app, 2);
    assert!(searched(1).unwrap().contains("recall"), "{:?}", searched(1));
    assert_eq!(files(&app)[0], RECALL.rsplit('/').next().unwrap());
    // Asks again in the same place, with the keyboard shortcut.
    app.run(WATCH, json!([]));
    app.keys("Ctrl+r");
    app.until("it is asked again", || app.run("return window.seen.some(one => one.stop)", json!([])) == true);
    answered(&app, 2);
    assert!(searched(1).unwrap().contains("recall"), "{:?}", searched(1));
    app.keys("Ctrl+Up");
    app.one("[data-testid=edit-question]");
    app.keys("Ctrl+a");
    app.type_text("May we use the kiln in the middle of the night?");
    app.keys("Enter");
    app.until_text("[data-turn='1'] [data-testid=question]", "kiln");
    answered(&app, 2);
    assert!(
        app.text("[data-turn='1'] [data-testid=passages]")
            .contains("between ten at night and six in the morning")
    );
    // Edits the first question: the questions after it are deleted, after a warning.
    app.click("[data-turn='0'] [data-testid=edit]");
    app.until_text("main", "The question after it is forgotten");
    app.keys("Ctrl+a");
    app.type_text("Until when could an owner of a recalled clock ask for a refund?");
    app.keys("Enter");
    app.until_text("[data-turn='0'] [data-testid=question]", "refund");
    answered(&app, 1);
    assert!(app.text("[data-turn='0'] [data-testid=answer]").contains("30 June 2024"));
}

#[test]
fn a_question_that_asks_several_things_is_answered_under_each() {
    let harness = Harness::new();
    take(&harness, &[LEASE, RECALL]);
    let app = ready(&harness, json!({"generator": "quotes"}));
    ask(&app, "Which serial numbers are covered by the recall, and who won the world cup in 1998?");
    answered(&app, 1);
    let findings = app.run(
        "return [...document.querySelectorAll('[data-testid=parts] section')].map(one =>
            [one.querySelector('h2').innerText, one.querySelector('header span').innerText.trim()])",
        json!([]),
    );
    assert_eq!(
        findings,
        json!([
            ["Which serial numbers are covered by the recall?", "Found"],
            ["Who won the world cup in 1998?", "Not found"],
        ])
    );
    assert!(app.text("[data-testid=meta]").contains("1 of 2 parts answered"));
    look(&app, "parts");
    app.click("[data-testid=parts] section:first-child button");
    app.until_text("aside", "Recall notice");
}

#[test]
#[ignore = "journey: make test-window"]
fn the_two_sides_of_a_comparison_stand_beside_each_other() {
    let harness = Harness::new();
    for (name, text) in [
        ("Brandt.md", "# Brandt agreement\n\nThe notice period of Brandt is three months, in writing.\n"),
        ("Harbour Row.md", "# Lease of Harbour Row\n\nThe notice period of Harbour Row is six months.\n"),
    ] {
        harness.write(&format!("Contracts/{name}"), text);
    }
    let app = ready(&harness, json!({"generator": "quotes"}));
    ask(&app, "Which has the longer notice period, Brandt or Harbour Row?");
    answered(&app, 1);
    let sides = app.run(
        "return [...document.querySelectorAll('[data-testid=parts] section')].map(one =>
            [one.querySelector('h2').innerText, one.getBoundingClientRect().top])",
        json!([]),
    );
    assert_eq!((&sides[0][0], &sides[1][0]), (&json!("Brandt"), &json!("Harbour Row")));
    assert_eq!(sides[0][1], sides[1][1], "they stand beside each other");
    assert!(app.text("[data-testid=meta]").contains("2 of 2 sides found"));
    look(&app, "compare");
}

#[test]
fn what_nothing_answers_is_said_with_ways_on() {
    let harness = Harness::new();
    take(&harness, &[LEASE, RECALL]);
    harness.write("broken.pdf", "%PDF-1.4 and then nothing");
    let app = ready(&harness, json!({"generator": "quotes"}));
    // Only in the lease, which does not mention the recall.
    app.type_into(FIELD, "@Lease");
    app.until("the lease is offered", || app.text("[data-testid=mention-list]").contains("Lease 4 Ropewalk"));
    app.keys("Enter");
    app.until_text("[data-testid=scope-chip]", "Lease");
    ask(&app, "Which serial numbers are covered by the recall?");
    answered(&app, 1);
    let said = app.text("[data-testid=not-found]");
    assert!(said.contains("I could not find this in your documents."), "{said}");
    assert!(said.contains("Lease 4 Ropewalk"), "where it looked is said: {said}");
    let meta = app.text("[data-testid=meta]");
    let (confidence, limit) = meta.split_once("; Oriel needs ").unwrap_or_else(|| panic!("{meta}"));
    assert!(
        confidence.contains("Chance that the answer") && confidence.ends_with('%') && limit.contains('%'),
        "{meta}"
    );
    let because = app.text("[data-testid=because]");
    assert!(because.contains("Missing") && because.contains("serial"), "{because}");
    // Actions: show a file, show the failures, search everywhere.
    app.click("[data-testid=why-not]");
    app.one("[data-testid=why]");
    app.keys("Escape");
    app.until("the panel is closed", || app.count("aside") == 0);
    app.click("[data-testid=show-failures]");
    app.until_text("[data-testid=failures]", "broken.pdf");
    app.keys("Escape");
    // Every mention of some words, here and then everywhere, opened at its place.
    app.click("[data-testid=list-mentions]");
    app.until_text("[data-testid=mentions-words]", "recall nowhere");
    app.press("Search all folders");
    app.until_text("[data-testid=mentions-lead]", "2 files were looked through from end to end");
    app.click("[data-testid=mentions-field]");
    app.keys("Ctrl+a");
    app.type_text("kiln");
    app.keys("Enter");
    app.until_text("[data-testid=mentions] h1", "1 file mentions “kiln”");
    app.click("[data-testid=mention]");
    app.until_text("[data-testid=marked-sentence]", "kiln");
    app.keys("Escape");
    app.until("the viewer is closed", || app.count("[data-testid=viewer]") == 0);
    app.keys("Escape");
    app.click("[data-testid=search-all]");
    app.until_text("[data-testid=answer]", "C2-0411");
    answered(&app, 1);
    assert_eq!(app.count("[data-testid=scope-chip]"), 0);
}

#[test]
fn files_kinds_and_dates_narrow_what_is_found() {
    let harness = Harness::new();
    take(&harness, &[LEASE, RECALL, FREEZER]);
    let old = SystemTime::now() - Duration::from_secs(400 * 24 * 3600);
    let notice = fs::File::options().write(true).open(harness.documents().join(RECALL)).unwrap();
    notice.set_modified(old).unwrap();
    let app = ready(&harness, json!({"generator": "quotes"}));
    let question = "Why is the clock slow in a cold room?";
    let notice = "2024-03-14 Recall notice.txt";
    ask(&app, question);
    answered(&app, 1);
    let all = files(&app);
    assert!(all.contains(&"Freezer test.md".to_owned()) && all.contains(&notice.to_owned()), "{all:?}");
    // One file.
    app.type_into(FIELD, "@Recall n");
    app.until("the notice is offered", || app.text("[data-testid=mention-list]").contains(notice));
    app.keys("Enter");
    app.until_text("[data-testid=scope-chip]", notice);
    ask(&app, question);
    answered(&app, 2);
    let found = |turn: usize| {
        let mut all: Vec<_> = app
            .text(&format!("[data-turn='{turn}'] [data-testid=card] h3"))
            .lines()
            .map(str::to_owned)
            .collect();
        all.sort();
        all.dedup();
        all
    };
    assert_eq!(found(1), [notice]);
    app.click("[data-testid=scope-chip]");
    // Related kinds.
    app.click("[data-testid=kinds-chip]");
    app.press("Text and notes");
    app.keys("Escape");
    app.until_text("[data-testid=kinds-chip]", "Text and notes");
    ask(&app, question);
    answered(&app, 3);
    assert_eq!(found(2), [notice, "Freezer test.md"]);
    app.press("Remove Text and notes");
    // Changed recently.
    app.click("[data-testid=dates-chip]");
    app.press("Last 12 months");
    app.keys("Escape");
    app.until_text("[data-testid=dates-chip]", "Since");
    ask(&app, question);
    answered(&app, 4);
    assert!(
        found(3).contains(&"Freezer test.md".to_owned()) && !found(3).contains(&notice.to_owned()),
        "{:?}",
        found(3)
    );
}

#[test]
fn a_wider_window_shows_more_of_the_passages_at_once_and_leaves_the_answer() {
    let harness = Harness::new();
    take(&harness, &[MANUAL, RECALL]);
    let app = ready(&harness, json!({"generator": "quotes"}));
    ask(&app, BATTERY);
    answered(&app, 1);
    let (answer, cards) = (app.text("[data-testid=answer]"), app.text("[data-testid=passages]"));
    app.run(WATCH, json!([]));
    app.keys("Alt+=");
    app.until_text("[data-testid=widened]", "±3");
    let wider = app.text("[data-testid=passages]");
    assert!(wider.len() > cards.len(), "{wider}");
    app.keys("Alt+-");
    app.until("it is as before", || app.count("[data-testid=widened]") == 0);
    assert_eq!(app.text("[data-testid=passages]"), cards);
    app.keys("Alt+-");
    app.until_text("[data-testid=widened]", "±1");
    app.until("less is shown", || app.text("[data-testid=passages]").len() < cards.len());
    app.keys("Alt+=");
    app.until("it is as before", || app.count("[data-testid=widened]") == 0);
    assert_eq!(app.text("[data-testid=answer]"), answer);
    assert_eq!(
        app.run("return window.seen.some(one => one.stop)", json!([])),
        false,
        "nothing was asked again"
    );
}
