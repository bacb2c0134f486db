//! First run: the sample, then a question; folders and files added by drag and drop or the system's dialog.

use std::fs;

use crate::harness::{App, Harness, wait};
use crate::library::{finds, followed, menu, read};

#[test]
fn the_sample_is_one_click_away_and_answers() {
    let harness = Harness::new();
    let app = harness.start();
    assert!(app.text("[data-testid=first-run]").contains("Add a folder to begin"));
    app.press("Try the sample");
    // Figures are shown from the first moment; the ask field has the focus.
    app.until_text("[data-testid=found]", "23 documents found in Sample");
    app.until_text("[data-testid=found-row]", "of 23");
    assert_eq!(focus(&app), "ask-field");
    read(&app, &["Sample 23"]);
    finds(&app, "How long does the battery keep the hands moving after a power cut?", "72 hours");
}

#[test]
#[ignore = "journey: make test-window"]
fn removing_the_sample_says_what_is_forgotten_and_leaves_ones_own_files() {
    let harness = Harness::new();
    let own = harness.write("lamp.md", "The lamp of Zennor Point turns once in nine seconds.");
    harness.oriel(&["add", harness.documents().to_str().unwrap()]);
    let app = harness.start();
    read(&app, &["documents 1"]);
    app.keys("Ctrl+k");
    app.type_text("add the sample");
    app.keys("Enter");
    read(&app, &["documents 1", "Sample 23"]);
    let sample = harness.library().join("sample/Pellow & Daughters");
    assert!(sample.join("Workshop Handbook.md").is_file());
    menu(&app, "Sample", "Remove");
    app.until_text(
        "[role=group]:has([data-testid=forget])",
        "Remove Sample: 23 files leave the index and are deleted.",
    );
    app.click("[data-testid=forget]");
    read(&app, &["documents 1"]);
    wait("the sample's files are gone", || !sample.exists());
    assert!(own.is_file());
    finds(&app, "How often does the lamp turn?", "nine seconds");
}

#[test]
fn a_folder_dropped_on_the_window_is_followed_and_a_file_of_unknown_kind_is_named() {
    let harness = Harness::new();
    harness
        .write("Größe #1 100%/Übersicht #2 50%.md", "The lamp of Zennor Point turns once in nine seconds.");
    let app = harness.start();
    app.drop_files(&[&harness.documents().join("Größe #1 100%")], |app| {
        app.until_text("[data-testid=zone]", "Let go to add it");
    });
    app.until_text("[data-testid=notice]", "Added: Größe #1 100%");
    read(&app, &["Größe #1 100% 1"]);
    finds(&app, "How often does the lamp turn?", "nine seconds");
    assert!(app.text("[data-testid=passages]").contains("Übersicht #2 50%.md"));
    assert_eq!(harness.oriel(&["status"])["folders"][0], path(&harness, "Größe #1 100%"));
    let song = harness.write("Gänsemarsch.mp3", "no text");
    let fog = harness.write("fog.md", "The fog horn sounds every two minutes.");
    app.drop_files(&[&song, &fog], |_| ());
    app.until_text("[data-testid=drop-dialog]", "Add 1 file");
    app.until_text("[data-testid=drop-dialog]", "1 file cannot be read");
    let said = app.text("[data-testid=drop-dialog]");
    assert!(said.contains("Gänsemarsch.mp3") && said.contains("Oriel does not read .mp3 files"), "{said}");
    app.press("Read them where they lie");
    app.click("[data-testid=drop-dialog] [type=submit]");
    read(&app, &["Größe #1 100% 1", "fog.md 1"]);
}

#[test]
#[ignore = "journey: make test-window"]
fn files_dropped_are_read_where_they_lie() {
    let harness = Harness::new();
    let lamp = harness.write("Lämpchen #1.md", "The lamp of Zennor Point turns once in nine seconds.");
    let boat = harness.write("boat.txt", "The keeper's boat is called Morwenna.");
    let app = harness.start();
    app.drop_files(&[&lamp, &boat], |_| ());
    app.until_text("[data-testid=drop-dialog]", "Add 2 files");
    app.press("Read them where they lie");
    app.click("[data-testid=drop-dialog] [type=submit]");
    read(&app, &["Lämpchen #1.md 1", "boat.txt 1"]);
    // The file is watched: a change is found.
    fs::write(&lamp, "The lamp of Zennor Point turns once in fourteen seconds.").unwrap();
    menu(&app, "boat.txt", "Look again");
    finds(&app, "How often does the lamp turn?", "fourteen seconds");
}

#[test]
#[ignore = "journey: make test-window"]
fn files_dropped_can_be_copied_into_the_library() {
    let harness = Harness::new();
    let lamp = harness.write("Lämpchen #1.md", "The lamp of Zennor Point turns once in nine seconds.");
    let app = harness.start();
    app.drop_files(&[&lamp], |_| ());
    app.until_text("[data-testid=drop-dialog]", "Add 1 file");
    app.press("Copy them into the library");
    app.press("Copy and add 1 file");
    read(&app, &["Copies 1"]);
    fs::remove_file(&lamp).unwrap();
    menu(&app, "Copies", "Look again");
    finds(&app, "How often does the lamp turn?", "nine seconds");
    let copy = harness.library().join("files/Lämpchen #1.md");
    assert!(copy.is_file());
    // Removed copies stay removed: the next copy does not bring them back.
    menu(&app, "Copies", "Remove");
    app.until_text(
        "[role=group]:has([data-testid=forget])",
        "everything that was copied into Oriel leaves the index and is deleted",
    );
    app.click("[data-testid=forget]");
    app.until("nothing is followed", || followed(&app).is_empty());
    wait("the copy is deleted", || !copy.exists());
    // If one cannot be copied, none is, and the user can try again.
    let boat = harness.write("boat.txt", "The keeper's boat is called Morwenna.");
    let fog = harness.write("fog.txt", "The fog horn sounds every two minutes.");
    app.drop_files(&[&boat, &fog], |_| ());
    app.until_text("[data-testid=drop-dialog]", "Add 2 files");
    app.press("Copy them into the library");
    fs::remove_file(&fog).unwrap();
    app.press("Copy and add 2 files");
    app.until_text("[role=alert]", "fog.txt");
    assert!(followed(&app).is_empty());
    harness.write("fog.txt", "The fog horn sounds every two minutes.");
    app.press("Copy and add 2 files");
    read(&app, &["Copies 2"]);
    assert_eq!(fs::read_dir(harness.library().join("files")).unwrap().count(), 2, "each is there once");
}

#[test]
#[ignore = "journey: make test-window"]
fn a_folder_is_chosen_in_the_systems_dialog() {
    let harness = Harness::new();
    harness.write("Papers/lamp.md", "The lamp of Zennor Point turns once in nine seconds.");
    let app = harness.start();
    // Nothing follows the last slash, so the dialog has nothing to complete.
    app.choose(|| app.press("Choose a folder"), &format!("{}/", path(&harness, "Papers")));
    read(&app, &["Papers 1"]);
    assert_eq!(followed(&app), ["Papers 1"]);
}

fn focus(app: &App) -> String {
    app.run("return document.activeElement.dataset.testid ?? ''", serde_json::json!([]))
        .as_str()
        .unwrap()
        .into()
}

fn path(harness: &Harness, name: &str) -> String {
    harness.documents().join(name).to_str().unwrap().to_owned()
}
