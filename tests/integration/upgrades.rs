//! A store of the first version is upgraded without loss; a store of a version in between is refused.

use std::fs;

use serde_json::{Value, json};

use crate::keeping::edit;
use crate::oriel::{Oriel, repository, said, text};

fn of_version_1() -> Oriel {
    let oriel = Oriel::new();
    fs::create_dir(oriel.library()).unwrap();
    fs::copy(repository().join("tests/upgrade/v1/data.mdb"), oriel.library().join("data.mdb")).unwrap();
    oriel
}

fn goes_on_as_it_was(oriel: &Oriel) {
    let status = oriel.json(&["status"]);
    assert_eq!(status["folders"], json!(["/documents"]));
    // They are read again for their headings, and are found as before until then.
    assert_eq!((&status["documents"], &status["pending"]), (&json!(2), &json!(2)));
    // A citation needs to know which file version the text was read from.
    let library = oriel.open();
    for row in library.documents("", 10).unwrap() {
        assert!(library.hash_of(row.id).unwrap().is_some(), "{}", row.path.display());
    }
    drop(library);
    let question = "Which serial numbers are covered by the recall?";
    for mode in ["dense", "sparse", "hybrid"] {
        let passages = oriel.search(&[question, "--mode", mode]);
        assert!(text(&passages[0]["path"]).starts_with("/documents/2024-03-1"), "{mode}: {passages:?}");
    }
    let checked = oriel.json(&["doctor"]);
    assert_eq!(checked["ok"], true, "{checked}");
    assert_eq!(checked["library"]["waiting"], 0, "its vectors are still its vectors");
}

#[test]
fn a_store_of_the_first_version_goes_on_as_it_was() {
    let oriel = of_version_1();
    goes_on_as_it_was(&oriel);
    // The folder is missing; the list of folders is still kept for a new index.
    oriel.json(&["index"]);
    let followed: Value =
        serde_json::from_slice(&fs::read(oriel.library().join("folders.json")).unwrap()).unwrap();
    assert_eq!(followed["folders"][0]["path"], "/documents");
    assert_eq!(oriel.json(&["status"])["documents"], 2);
}

#[cfg(target_os = "linux")]
#[test]
fn an_upgrade_that_a_full_disk_ends_at_any_write_is_made_later() {
    let oriel = of_version_1();
    let mut at = 1;
    loop {
        let output = crate::faults::run_failing(&oriel, &["status"], at, 28);
        if output.status.success() {
            break;
        }
        assert!(said(&output).contains("full"), "write {at}: {}", said(&output));
        at += 1;
    }
    assert!(at > 5, "only writes before {at} were disturbed");
    goes_on_as_it_was(&oriel);
}

#[test]
fn a_store_of_a_development_build_is_refused_and_a_repair_reads_its_folders_anew() {
    let oriel = Oriel::with(&[("a.txt", "The kettle is on the stove.")]);
    edit(&oriel.library(), b"version\0\0\0\x06", b"version\0\0\0\x05");
    let data = oriel.library().join("data.mdb");
    let before = fs::read(&data).unwrap();
    let refusal = oriel.run(&["status"]);
    assert_eq!(refusal.status.code(), Some(1));
    for word in ["format 5", "development builds", "nothing is lost", "run 'oriel doctor --repair'"] {
        assert!(said(&refusal).contains(word), "{}", said(&refusal));
    }
    assert!(fs::read(&data).unwrap() == before, "it was touched");
    let repaired = oriel.json(&["doctor", "--repair"]);
    let aside = text(&repaired["repaired"]["set_aside"]);
    assert!(fs::read(aside).unwrap() == before, "the old index is kept");
    oriel.json(&["index"]);
    assert!(text(&oriel.search(&["Where is the kettle?"])[0]["text"]).contains("on the stove"));
}
