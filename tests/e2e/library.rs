//! Folders: what has been read, changes on the disk, exclusions, files that cannot be read.

use std::fs;
use std::path::Path;
use std::time::Duration;

use serde_json::json;

use crate::harness::{App, Harness};

const LAMP: &str = "The lamp of Zennor Point turns once in nine seconds.";

/// The rail's folders with their counts: `Papers 3`.
pub fn followed(app: &App) -> Vec<String> {
    let script = "return [...document.querySelectorAll('[data-testid=folders] li [data-folder]')]
        .map(one => one.querySelector('.cut').innerText + ' ' + one.querySelector('small').innerText)";
    serde_json::from_value(app.run(script, json!([]))).unwrap()
}

/// Waits until these folders are followed and everything in them is indexed by words and by meaning.
pub fn read(app: &App, folders: &[&str]) {
    // Takes as long as the machine needs to embed.
    app.until_within(Duration::from_secs(120), &format!("{folders:?} are read"), || {
        followed(app) == folders && app.text("[data-testid=status] [role=status]") == "Up to date"
    });
}

/// Chooses from a folder's menu.
pub fn menu(app: &App, folder: &str, item: &str) {
    app.hover(&format!("[data-folder][aria-label^='Ask only in {folder},']"));
    app.click(&format!("[aria-label='What can be done with {folder}']"));
    app.press(item);
}

/// Asks in a new conversation and waits for passages; returns their text, or an empty text if the question failed.
pub fn passages(app: &App, question: &str) -> String {
    app.keys("Ctrl+n");
    app.one("[data-testid=empty], [data-testid=found]");
    app.type_into("[data-testid=ask-field]", question);
    app.keys("Enter");
    app.one("[data-testid=card], [data-testid=turn-error]");
    let found = app.text("[data-testid=passages]");
    // The answer itself is not part of this test.
    app.keys("Escape");
    found
}

/// Asks until the passages contain these words: indexing may still be running.
pub fn finds(app: &App, question: &str, words: &str) {
    app.until(&format!("'{words}' is found"), || passages(app, question).contains(words));
}

#[test]
#[ignore = "journey: make test-window"]
fn folders_have_counts_and_follow_the_disk() {
    let harness = Harness::new();
    let lamp = harness.write("Papers/lamp.md", LAMP);
    let boat = harness.write("Papers/boat.txt", "The keeper's boat is called Morwenna.");
    harness.write("Notes/tide.txt", "High water comes at noon on Friday.");
    let app = follow(&harness, &["Papers", "Notes"]);
    read(&app, &["Papers 2", "Notes 1"]);
    assert!(passages(&app, "What is the keeper's boat called?").contains("Morwenna"));

    fs::write(&lamp, "The lamp of Zennor Point turns once in fourteen seconds.").unwrap();
    fs::remove_file(&boat).unwrap();
    harness.write("Papers/fog.md", "The fog horn sounds every two minutes.");
    harness.write("Papers/paint.md", "The tower is painted white every third spring.");
    menu(&app, "Papers", "Look again");
    read(&app, &["Papers 3", "Notes 1"]);
    app.until_text("[data-testid=status]", "4 files");
    let found = passages(&app, "How often does the lamp turn?");
    assert!(found.contains("fourteen seconds") && !found.contains("nine seconds"), "{found}");
    assert!(!passages(&app, "What is the keeper's boat called?").contains("Morwenna"));
    assert!(passages(&app, "How often does the fog horn sound?").contains("two minutes"));
}

#[test]
#[ignore = "journey: make test-window"]
fn how_long_it_takes_by_meaning_is_said_while_words_are_read() {
    let harness = Harness::new();
    for number in 0..8_000 {
        let lines: String = (0..20)
            .map(|line| format!("Crate {line} of read_queue {number} holds {} clocks.\n\n", line * number))
            .collect();
        harness.write(&format!("Ledgers/{number:04}.md"), lines);
    }
    let app = follow(&harness, &["Ledgers"]);
    // Times of words and of meaning, and the rail, which shows the longer one.
    let said = "return ['[data-testid=found-row]:nth-child(1)', '[data-testid=found-row]:nth-child(2)', '[data-testid=going]']
        .map(css => document.querySelector(css)?.innerText.match(/about [0-9]+ (s|min)/)?.[0])";
    app.until("both estimates stand there", || {
        let said: Vec<Option<String>> = serde_json::from_value(app.run(said, json!([]))).unwrap();
        let [words, meaning, rail] = &said[..] else { panic!("{said:?}") };
        assert!(meaning.is_none() || words.is_some(), "it is said before all words are read: {said:?}");
        meaning.is_some() && meaning != words && meaning == rail
    });
}

#[test]
fn a_folder_follows_the_disk_and_leaves_out_what_is_excluded() {
    let harness = Harness::new();
    harness.write("Papers/lamp.md", LAMP);
    harness.write("Papers/drafts/one.md", "The first draft says the lamp is blue.");
    harness.write("Papers/drafts/two.md", "The second draft says the lamp is red.");
    harness.write("Notes/boat.txt", "The keeper's boat is called Morwenna.");
    let app = follow(&harness, &["Papers", "Notes"]);
    read(&app, &["Papers 3", "Notes 1"]);

    // A change on the disk is found without a click.
    let tide = harness.write("Papers/New/tide.txt", "High water comes at noon on Friday.");
    read(&app, &["Papers 4", "Notes 1"]);
    finds(&app, "When does high water come?", "at noon on Friday");
    fs::remove_file(tide).unwrap();
    read(&app, &["Papers 3", "Notes 1"]);

    // Patterns take effect while they are typed.
    menu(&app, "Papers", "Exclude files");
    app.until_text("[data-testid=excludes-count]", "0 files of 3 in the index leave it");
    app.type_text("drafts/one*");
    app.until_text("[data-testid=excludes-count]", "1 file of 3 in the index leaves it");
    app.keys("Enter");
    app.type_text("two.md");
    app.until_text("[data-testid=excludes-count]", "2 files of 3 in the index leave it");
    assert_eq!(followed(&app), ["Papers 3", "Notes 1"], "nothing is left out before it is applied");
    app.press("Apply");
    read(&app, &["Papers 1", "Notes 1"]);
    let found = passages(&app, "Which colour is the lamp in the drafts?");
    assert!(
        !found.contains("drafts/") && !found.contains("one.md") && found.contains("nine seconds"),
        "{found}"
    );
    // The patterns are shown again; without them everything is back.
    menu(&app, "Papers", "Exclude files");
    let patterns =
        app.run("return document.querySelector('[data-testid=excludes-dialog] textarea').value", json!([]));
    assert_eq!(patterns, "drafts/one*\ntwo.md");
    app.keys("Ctrl+a");
    app.keys("Delete");
    app.press("Apply");
    read(&app, &["Papers 3", "Notes 1"]);
}

#[test]
fn a_folder_is_removed_and_its_files_stay() {
    let harness = Harness::new();
    let lamp = harness.write("Papers/lamp.md", LAMP);
    harness.write("Papers/fog.md", "The fog horn sounds every two minutes.");
    harness.write("Notes/boat.txt", "The keeper's boat is called Morwenna.");
    let app = follow(&harness, &["Papers", "Notes"]);
    read(&app, &["Papers 2", "Notes 1"]);
    menu(&app, "Papers", "Remove");
    app.until_text(
        "[data-testid=rail]",
        "Remove Papers: 2 files leave the index, the files themselves stay.",
    );
    app.press("Keep it");
    app.until("nothing asks any more", || app.count("[data-testid=forget]") == 0);
    menu(&app, "Papers", "Remove");
    app.click("[data-testid=forget]");
    read(&app, &["Notes 1"]);
    app.until_text("[data-testid=status]", "1 file");
    let found = passages(&app, "How often does the lamp turn?");
    assert!(!found.contains("nine seconds") && found.contains("Morwenna"), "{found}");
    assert_eq!(fs::read_to_string(lamp).unwrap(), LAMP);
}

#[test]
fn files_that_cannot_be_read_are_listed_with_the_reason_until_they_are_mended() {
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/sample");
    let harness = Harness::new();
    harness.write("Papers/lamp.md", LAMP);
    let broken = harness.write("Papers/broken.pdf", "%PDF-1.7\nthe rest of this file was lost");
    // Word writes an OLE container instead of a zip if there is a password.
    let mut ole = b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1".to_vec();
    ole.extend("EncryptedPackage".encode_utf16().flat_map(u16::to_le_bytes));
    ole.resize(4096, 0);
    let locked = harness.write("Papers/locked.docx", ole);
    harness.write("Papers/blank page.txt", "\n");
    for tune in ["one.mp3", "two.MP3", "tune"] {
        harness.write(&format!("Papers/{tune}"), "no text");
    }
    let app = follow(&harness, &["Papers"]);
    read(&app, &["Papers 2"]);
    app.until_text("[data-testid=failed-row]", "2 files could not be read");
    app.click("[data-testid=failed-row]");
    app.until("both are listed", || app.count("[data-testid=failure]") == 2);
    let said = app.text("[data-testid=failures]");
    for words in
        ["broken.pdf", "Damaged", "locked.docx", "Locked with a password", "Save a copy without a password."]
    {
        assert!(said.contains(words), "{words}: {said}");
    }

    // Files without searchable text are listed beside them: documents by name, other files by extension.
    app.until_text("[data-testid=nothing-to-read]", "blank page.txt");
    assert_eq!(
        app.count("[data-testid=nothing-to-read] tbody tr"),
        1,
        "what has text or failed is not there"
    );
    let kinds = app.text("[data-testid=other-kinds] li");
    let kinds = kinds.split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(kinds, ".mp3 2 one.mp3, two.MP3 without an ending 1 tune");

    // One is repaired and tried again by itself, then the other one with "try all".
    fs::copy(sample.join("Finance/Price list 2025.pdf"), broken).unwrap();
    app.run("document.querySelector('[data-code=broken] button').click()", json!([]));
    app.until("one is left", || app.count("[data-testid=failure]") == 1);
    assert!(app.text("[data-testid=failure]").contains("locked.docx"));
    fs::copy(sample.join("Finance/Annual report 2023-24.docx"), locked).unwrap();
    app.run("document.querySelector('[data-testid=failures] .title .btn:not(.bare)').click()", json!([]));
    app.until_text("[data-testid=failures]", "Every file could be read");
    read(&app, &["Papers 4"]);
    app.press("Back to the questions");
    app.one("[data-testid=ask-field]");
    assert_eq!(app.count("[data-testid=failed-row]"), 0);
}

/// Starts the app with these folders of the harness.
pub fn follow<'d>(harness: &'d Harness, folders: &[&str]) -> App<'d> {
    for folder in folders {
        harness.oriel(&["add", harness.documents().join(folder).to_str().unwrap()]);
    }
    harness.start()
}
