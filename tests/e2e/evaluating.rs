//! Evaluating: questions opened, reviewed and asked; the figures; the report; and all of it after a restart.

use std::fs;
use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};

use crate::asking::{FREEZER, RECALL, ready, take};
use crate::harness::{App, Harness, wait};
use crate::looks::look;

const ROW: &str = "[data-testid=evaluation-question]";
const REVIEWED: &str = "[data-testid=evaluation-reviewed]";
const SENTENCES: &str = "[data-testid=evaluation-sentences]";
const RUN: &str = "[data-testid=evaluation-run]";
const STOP: &str = "[data-testid=evaluation-stop]";
/// Time limit for a run on a busy machine.
const PATIENCE: Duration = Duration::from_secs(420);

const PORTS: [&str; 9] =
    ["Lannow", "Trewin", "Porthmeor", "Mullion", "Cadgwith", "Helford", "Falmouth", "Looe", "Fowey"];

/// Writes a log of ferries, and a file with a question about each of its sentences.
fn ferries(harness: &Harness) -> std::path::PathBuf {
    let (mut text, mut lines) = (String::from("# Ferries\n\n"), String::new());
    for (at, port) in (1..).zip(PORTS.iter().cycle().take(31)) {
        let start = text.len();
        let sentence = format!("Ferry {at} brought {} carts to the harbour of {port}.", 11 * at);
        text.push_str(&sentence);
        let span = json!({"byte_start": start, "byte_end": text.len()});
        text.push_str("\n\n");
        // Some do not name their ferry, so that not all are found.
        let question = match at % 3 {
            0 => format!("What came to {port} on day {}?", at / 3),
            _ => format!("How many carts did ferry {at} bring to {port}?"),
        };
        let line = json!({"id": at, "question": question, "file": "Ferries.md", "spans": [span]});
        lines.push_str(&format!("{line}\n"));
    }
    harness.write("Harbour/Ferries.md", text);
    let path = harness.home().join("exam.jsonl");
    fs::write(&path, lines).unwrap();
    path
}

/// The app with its documents indexed by the command: in the app indexing would wait for other work.
fn indexed(harness: &Harness, settings: Value) -> App<'_> {
    harness.oriel(&["add", harness.documents().to_str().unwrap()]);
    harness.oriel(&["index"]);
    ready(harness, settings)
}

fn open(app: &App) {
    app.click("[data-testid=rail-evaluation]");
    app.one("[data-testid=evaluation] h1");
}

/// Opens a file of 31 questions, leaves one out and changes another, by the keyboard.
fn review(app: &App, exam: &Path) {
    app.choose(|| app.click("[data-testid=evaluation-add]"), exam.to_str().unwrap());
    app.until("the questions are there", || app.count(ROW) == 31);
    app.until_text(REVIEWED, "31 kept, 0 left out, 0 to review");
    app.run("document.activeElement.blur()", json!([]));
    app.keys("j");
    app.keys("x");
    app.until_text(REVIEWED, "30 kept, 1 left out");
    app.keys("e");
    app.one("[data-testid=evaluation-field]");
    app.keys("Ctrl+a");
    app.type_into("[data-testid=evaluation-field]", "How many carts came to Trewin on ferry 2?");
    app.keys("Enter");
    app.until_text(ROW, "How many carts came to Trewin on ferry 2?");
    app.keys("Enter");
    app.until_text("[data-testid=marked-sentence]", "Ferry 2 brought 22 carts to the harbour of Trewin.");
}

/// Stops a run; the results until then are kept.
fn stop(app: &App) {
    app.until_text("[data-testid=evaluation-progress]", "of 30, about");
    app.click(STOP);
    app.until_within(PATIENCE, "the run has stopped", || app.count(STOP) == 0);
    app.until_text("[data-testid=evaluation-stopped]", "Stopped");
    app.until_text(SENTENCES, "The right sentence comes first for");
}

#[test]
fn questions_are_reviewed_and_what_a_run_measured_before_it_was_stopped_stays() {
    let harness = Harness::new();
    let exam = ferries(&harness);
    let app = indexed(&harness, json!({"generator": "quotes", "language": "en"}));
    open(&app);
    review(&app, &exam);
    app.click(RUN);
    stop(&app);
    let said = app.text(SENTENCES);
    let app = app.restart();
    open(&app);
    app.until_text(SENTENCES, said.lines().next().unwrap());
    app.press("Questions 31");
    app.until_text(REVIEWED, "30 kept, 1 left out");
}

#[test]
#[ignore = "journey: make test-window"]
fn questions_are_reviewed_asked_and_their_figures_stay() {
    let harness = Harness::new();
    let exam = ferries(&harness);
    let app = indexed(&harness, json!({"generator": "quotes", "language": "en"}));
    open(&app);
    app.until_text("[data-testid=evaluation-no-model]", "none is in use");
    look(&app, "evaluation-empty");
    review(&app, &exam);
    look(&app, "evaluation-questions");

    app.click(RUN);
    app.until_within(PATIENCE, "the run has ended", || {
        app.count(STOP) == 0 && app.count("[data-testid=evaluation-settings] svg") == 5
    });
    let said = app.text(SENTENCES);
    assert!(said.contains("of 30 questions.") && said.contains("are supported by their passage"), "{said}");
    look(&app, "evaluation");

    let report = harness.home().join("report.html");
    app.press("Save report");
    app.save_as(&report);
    wait("the report is written", || report.is_file());
    let page = fs::read_to_string(&report).unwrap();
    assert!(page.contains("30 questions from <b>this library</b>"), "{}", &page[..2000.min(page.len())]);

    // Everything is there after a restart.
    let app = app.restart();
    app.until_text("footer", "Up to date");
    open(&app);
    app.until_text(SENTENCES, said.lines().next().unwrap());
    app.press("Questions 31");
    app.until_text(REVIEWED, "30 kept, 1 left out");

    // The results before a stop are kept too.
    app.click(RUN);
    stop(&app);
    app.press("Earlier runs 1");
    app.until("both runs are listed", || app.count("[data-testid=evaluation-runs] tbody tr") == 2);
}

#[test]
#[ignore = "journey: make test-window"]
fn questions_made_from_documents_are_kept_at_once() {
    let harness = Harness::new();
    take(&harness, &[RECALL, FREEZER]);
    let app = indexed(&harness, json!({"language": "en"}));
    open(&app);
    app.click("[data-testid=evaluation-make]");
    app.until_within(PATIENCE, "two questions are made", || app.count(ROW) >= 2);
    app.click(STOP);
    app.until_within(PATIENCE, "making has stopped", || app.count("[data-testid=evaluation-making]") == 0);
    let made = app.count(ROW);
    app.until_text(REVIEWED, &format!("{made} to review. Keep 30 more for a run."));
    app.close();

    // After a restart, and in German.
    fs::write(harness.library().join("settings.json"), json!({"language": "de"}).to_string()).unwrap();
    let app = harness.start();
    open(&app);
    app.until("the questions are still there", || app.count(ROW) == made);
    app.until_text(REVIEWED, &format!("{made} durchzusehen. Für einen Lauf fehlen noch 30 behaltene."));
    look(&app, "evaluation-made");
}
