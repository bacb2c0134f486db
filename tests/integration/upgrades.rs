//! Stores of every earlier version are opened, brought to this one, and lose nothing.

use std::fs;

use serde_json::json;

use crate::oriel::{Oriel, repository, text};

#[test]
fn a_store_of_the_first_version_goes_on_as_it_was() {
    goes_on_as_it_was("v1");
}

#[test]
fn a_store_of_the_second_version_goes_on_as_it_was() {
    goes_on_as_it_was("v2");
}

#[test]
fn a_store_of_the_third_version_goes_on_as_it_was() {
    goes_on_as_it_was("v3");
}

#[test]
fn a_store_of_the_fourth_version_goes_on_as_it_was() {
    goes_on_as_it_was("v4");
}

#[test]
fn a_store_of_the_fifth_version_goes_on_as_it_was() {
    goes_on_as_it_was("v5");
}

fn goes_on_as_it_was(version: &str) {
    let oriel = Oriel::new();
    fs::create_dir(oriel.library()).unwrap();
    let frozen = repository().join("tests/upgrade").join(version).join("data.mdb");
    fs::copy(frozen, oriel.library().join("data.mdb")).unwrap();
    let status = oriel.json(&["status"]);
    assert_eq!(status["folders"], json!(["/documents"]));
    // Those before the third are read again for their headings, and are found as they were until then.
    let pending = if ["v1", "v2"].contains(&version) { 2 } else { 0 };
    assert_eq!((&status["documents"], &status["pending"]), (&json!(2), &json!(pending)));
    // A citation needs to know which file the text was read from.
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
    // The folder is not there; the list of folders is kept for a new index all the same.
    oriel.json(&["index"]);
    let followed: serde_json::Value =
        serde_json::from_slice(&fs::read(oriel.library().join("folders.json")).unwrap()).unwrap();
    assert_eq!(followed["folders"][0]["path"], "/documents");
    assert_eq!(oriel.json(&["status"])["documents"], 2);
}
