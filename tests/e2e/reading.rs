//! A folder that takes a while: progress, pause, resume, cancel, and a crash in the middle.

use std::time::{Duration, Instant};

use crate::asking::{answered, ask};
use crate::harness::{App, Harness};
use crate::library::{follow, followed, menu, passages, read};

/// Sentences in each file of [`Papers`].
const SENTENCES: usize = 8;

/// A folder of files without a common sentence.
struct Papers {
    files: usize,
}

impl Papers {
    /// Writes enough files for about ten seconds of work on this machine: long enough to be paused, cancelled and
    /// killed in the middle, and for a rate to be measured.
    fn new(harness: &Harness) -> Self {
        const SECONDS: f64 = 12.0;
        let sample = Self { files: 150 };
        sample.write(harness, "Sample");
        // In a separate library: the app starts with none.
        let library = harness.home().join("sample library");
        let in_it = |arguments: &[&str]| {
            harness.oriel(&[&["--library", library.to_str().unwrap()], arguments].concat())
        };
        in_it(&["add", harness.documents().join("Sample").to_str().unwrap()]);
        let report = in_it(&["index"]);
        let each = report["seconds"].as_f64().unwrap() / sample.files as f64;
        let papers = Self { files: sample.files.max((SECONDS / each) as usize) };
        papers.write(harness, "Papers");
        papers
    }

    fn write(&self, harness: &Harness, folder: &str) {
        let things: [&str; SENTENCES] =
            ["lamp", "lens", "boat", "rope", "stair", "window", "engine", "log book"];
        for file in 0..self.files {
            let line = |(at, thing): (usize, &&str)| {
                format!(
                    "In year {} the {thing} of tower {file} was mended for {} pounds. ",
                    1700 + at,
                    7 * file + at
                )
            };
            let text: String = things.iter().enumerate().map(line).collect();
            harness.write(&format!("{folder}/tower {file}.txt"), text);
        }
    }

    fn sentences(&self) -> usize {
        self.files * SENTENCES
    }

    /// Waits until everything is indexed, exactly once.
    fn assert_read(&self, harness: &Harness, app: &App) {
        read(app, &[&format!("Papers {}", figure(self.files))]);
        app.until_text("[data-testid=status]", &format!("{} files", figure(self.files)));
        app.until_text("[data-testid=status]", &format!("{} sentences", figure(self.sentences())));
        let status = harness.oriel(&["status"]);
        assert_eq!(
            (status["documents"].as_u64(), status["pending"].as_u64()),
            (Some(self.files as u64), Some(0)),
            "{status}"
        );
        assert_eq!(status["sentences"], self.sentences());
        let health = harness.oriel(&["doctor"]);
        assert_eq!(health["library"]["vectors"], self.sentences(), "{health}");
        assert_eq!(health["library"]["waiting"], 0, "{health}");
    }
}

/// A number below a million in the format of the page.
fn figure(number: usize) -> String {
    match number / 1000 {
        0 => number.to_string(),
        thousands => format!("{thousands},{:03}", number % 1000),
    }
}

/// The number of sentences searchable by meaning, as shown on the page.
fn by_meaning(app: &App) -> usize {
    let rows = app.text("[data-testid=found-row]:last-child");
    let figure = rows.lines().find_map(|line| line.split_once(" of "));
    figure.and_then(|(done, _)| done.replace(',', "").parse().ok()).unwrap_or(0)
}

fn state(app: &App) -> String {
    app.text("[data-testid=status] [role=status]")
}

/// Waits until the embedder has embedded some sentences.
fn midway(app: &App) -> usize {
    let mut done = 0;
    app.until("some sentences are read by meaning", || {
        done = by_meaning(app);
        done > 0
    });
    assert_eq!(state(app), "Reading");
    done
}

#[test]
#[ignore = "journey: make test-window"]
fn reading_shows_how_far_it_is_pauses_within_a_second_and_goes_on() {
    let harness = Harness::new().alone();
    let papers = Papers::new(&harness);
    let app = follow(&harness, &["Papers"]);
    app.until_text("[data-testid=found]", &format!("{} documents found in Papers", figure(papers.files)));
    let first = midway(&app);
    app.until("the figures move", || by_meaning(&app) > first);
    app.until_text("[data-testid=status]", "sentences/s");
    app.until_text("[data-testid=going]", "left");

    let pressed = Instant::now();
    app.keys("Ctrl+p");
    app.until("reading is paused", || state(&app) == "Paused");
    let took = pressed.elapsed();
    assert!(took < Duration::from_secs(1), "it took {took:?}");
    let paused = by_meaning(&app);
    // Documents that are read can be searched meanwhile, and no more are read.
    assert!(passages(&app, "What was the lens of tower 12 mended for?").contains("tower 12"));
    app.keys("Ctrl+n");
    app.one("[data-testid=found]");
    assert_eq!((state(&app).as_str(), by_meaning(&app)), ("Paused", paused));

    // The pause survives a restart.
    let app = app.restart();
    app.until("it is still paused", || state(&app) == "Paused");
    assert_eq!(by_meaning(&app), paused);
    app.press("Resume");
    app.until("it goes on from there", || by_meaning(&app) > paused);
    papers.assert_read(&harness, &app);
}

#[test]
#[ignore = "journey: make test-window"]
fn reading_waits_while_an_answer_is_written() {
    /// Sentences that are embedded between two commits; so many may be in progress.
    const BATCH: u64 = 512;
    let unembedded = |harness: &Harness| harness.oriel(&["status"])["unembedded"].as_u64().unwrap();
    let harness = Harness::new().alone();
    let papers = Papers::new(&harness);
    let app = follow(&harness, &["Papers"]);
    midway(&app);
    ask(&app, "What was the lens of tower 12 mended for?");
    app.until_text("[data-testid=status]", "waits until the answer is written");
    let before = unembedded(&harness);
    app.until("the first words are there", || !app.text("[data-testid=answer]").trim().is_empty());
    let after = unembedded(&harness);
    assert!(before - after <= BATCH, "{before} waited, {after} wait: it went on");
    assert!(after > 0, "it was at its end before");
    answered(&app, 1);
    papers.assert_read(&harness, &app);
}

#[test]
#[ignore = "journey: make test-window"]
fn reading_can_be_cancelled_and_goes_on_when_told() {
    let harness = Harness::new().alone();
    let papers = Papers::new(&harness);
    harness.write("Notes/tide.txt", "High water comes at noon on Friday.");
    let app = follow(&harness, &["Notes", "Papers"]);
    midway(&app);
    let pressed = Instant::now();
    app.press("Cancel");
    app.until("reading has stopped", || state(&app) == "Paused");
    let took = pressed.elapsed();
    assert!(took < Duration::from_secs(1), "it took {took:?}");
    let kept = by_meaning(&app);
    assert!(kept > 0 && kept < papers.sentences(), "{kept}");
    // Removing another folder must not resume it.
    menu(&app, "Notes", "Remove");
    app.click("[data-testid=forget]");
    app.until("it is removed", || followed(&app).len() == 1);
    assert_eq!(state(&app), "Paused");
    assert!(by_meaning(&app) <= kept);
    app.press("Resume");
    app.until("it goes on from there", || by_meaning(&app) > kept);
    papers.assert_read(&harness, &app);
}

#[test]
#[ignore = "journey: make test-window"]
fn an_app_that_was_killed_while_it_read_finishes_by_itself() {
    let harness = Harness::new();
    let papers = Papers::new(&harness);
    let app = follow(&harness, &["Papers"]);
    midway(&app);
    app.kill();
    let before = harness.oriel(&["doctor"])["library"]["vectors"].as_u64().unwrap();
    assert!(before > 0 && before < papers.sentences() as u64, "{before}");
    let app = harness.start();
    papers.assert_read(&harness, &app);
}
