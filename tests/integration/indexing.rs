//! A library follows the changes of its folder, and does no work twice.

use std::fs;
use std::time::Instant;

use serde_json::Value;

use crate::oriel::{Oriel, folded, text};

fn numbers(report: &Value) -> (u64, u64, u64) {
    (
        report["embedded"].as_u64().unwrap(),
        report["reused"].as_u64().unwrap(),
        report["documents"].as_u64().unwrap(),
    )
}

#[test]
fn every_format_of_the_sample_is_read() {
    let oriel = Oriel::with_sample();
    let status = oriel.json(&["status"]);
    assert_eq!(status["failed"], serde_json::json!([]));
    assert_eq!(status["pending"], 0);
    assert_eq!(status["documents"], 23);
    for kind in ["md", "txt", "html", "pdf", "docx"] {
        let found = oriel.search(&["Which clock?", "--kind", kind, "--mode", "sparse", "--rerank", "off"]);
        assert!(!found.is_empty(), "no {kind} was found");
    }
}

#[test]
fn a_run_on_an_unchanged_folder_embeds_nothing_and_is_fast() {
    let oriel = Oriel::new();
    for number in 0..1000 {
        oriel.write(
            &format!("{}/note {number}.txt", number % 10),
            format!("Note {} says little.", number % 7),
        );
    }
    oriel.json(&["add", oriel.documents().to_str().unwrap()]);
    let first = oriel.json(&["index"]);
    assert_eq!(numbers(&first), (7, 993, 1000), "a sentence that stands in many files is embedded once");
    let begun = Instant::now();
    let second = oriel.json(&["index"]);
    let seconds = begun.elapsed().as_secs_f64();
    assert_eq!(numbers(&second), (0, 0, 1000));
    assert!(seconds < 1.0, "it took {seconds} s");
}

#[test]
fn an_edit_embeds_only_what_is_new() {
    let sentences: Vec<String> = (0..200).map(|n| format!("Clock number {n} left the workshop.")).collect();
    let oriel = Oriel::with(&[("read_queue.txt", &sentences.join("\n\n"))]);
    let mut edited = sentences.clone();
    edited[100] = "Clock number 100 came back with a broken hand.".into();
    oriel.write("read_queue.txt", edited.join("\n\n"));
    assert_eq!(numbers(&oriel.json(&["index"])), (1, 199, 1));
    let found = oriel.search(&["Which clock came back with a broken hand?", "--window", "0", "--top", "1"]);
    assert_eq!(text(&found[0]["text"]), "Clock number 100 came back with a broken hand.");
    assert!(
        oriel
            .search(&["clock", "--mode", "sparse", "--candidates", "500", "--top", "500", "--window", "0"])
            .iter()
            .all(|passage| !text(&passage["text"]).contains("number 100 left")),
        "the old sentence is still found"
    );
}

#[test]
fn moving_touching_and_copying_embed_nothing() {
    let oriel = Oriel::with(&[("a.txt", "The lease ends in March. The rent rises in April.")]);
    fs::rename(oriel.documents().join("a.txt"), oriel.documents().join("b.txt")).unwrap();
    assert_eq!(numbers(&oriel.json(&["index"])).0, 0, "moved");
    let found = oriel.search(&["When does the lease end?"]);
    assert!(text(&found[0]["path"]).ends_with("b.txt"));
    fs::copy(oriel.documents().join("b.txt"), oriel.documents().join("c.txt")).unwrap();
    assert_eq!(numbers(&oriel.json(&["index"])), (0, 2, 2), "copied");
    let file = fs::File::options().append(true).open(oriel.documents().join("c.txt")).unwrap();
    file.set_modified(std::time::SystemTime::now() + std::time::Duration::from_secs(5)).unwrap();
    assert_eq!(numbers(&oriel.json(&["index"])), (0, 0, 2), "touched");
}

#[test]
fn what_is_deleted_is_not_found_any_more() {
    let oriel =
        Oriel::with(&[("a.txt", "The heron stands at the weir."), ("b.txt", "The pump was repaired.")]);
    assert!(!oriel.search(&["heron"]).iter().all(|passage| !text(&passage["text"]).contains("heron")));
    fs::remove_file(oriel.documents().join("a.txt")).unwrap();
    oriel.json(&["index"]);
    for mode in ["hybrid", "dense", "sparse", "two-step"] {
        let found = oriel.search(&["Where does the heron stand?", "--mode", mode]);
        assert!(found.iter().all(|passage| !text(&passage["text"]).contains("heron")), "{mode}");
    }
    assert_eq!(oriel.json(&["doctor"])["ok"], true);
}

#[test]
fn removing_a_folder_forgets_its_documents_but_not_those_of_another() {
    let oriel =
        Oriel::with(&[("inner/a.txt", "The inner tide is low."), ("b.txt", "The outer tide is high.")]);
    let inner = oriel.documents().join("inner");
    oriel.json(&["add", inner.to_str().unwrap()]);
    oriel.json(&["remove", oriel.documents().to_str().unwrap()]);
    let status = oriel.json(&["status"]);
    assert_eq!(status["documents"], 1);
    assert_eq!(status["folders"], serde_json::json!([inner.to_str().unwrap()]));
    assert!(
        oriel.search(&["outer tide", "--mode", "sparse"]).is_empty()
            || !oriel
                .search(&["outer tide", "--mode", "sparse"])
                .iter()
                .any(|one| text(&one["text"]).contains("outer"))
    );
    assert_eq!(oriel.json(&["doctor"])["ok"], true);
}

#[test]
fn hidden_files_links_and_unknown_kinds_are_passed_over() {
    let oriel = Oriel::new();
    oriel.write(".hidden/secret.txt", "The hidden word is albatross.");
    oriel.write("~$lock.docx", "lock");
    oriel.write("picture.xyz", "no text");
    oriel.write("plain.txt", "The plain word is gull.");
    #[cfg(unix)]
    std::os::unix::fs::symlink(oriel.documents(), oriel.documents().join("loop")).unwrap();
    oriel.json(&["add", oriel.documents().to_str().unwrap()]);
    let report = oriel.json(&["index"]);
    assert_eq!((report["documents"].as_u64(), report["skipped"].as_u64()), (Some(1), Some(1)));
    assert!(oriel.search(&["albatross", "--mode", "sparse"]).is_empty());
}

#[test]
fn one_bad_file_stops_nothing_and_is_listed_with_its_reason() {
    let oriel = Oriel::new();
    oriel.write("good.txt", "The good file tells of a lighthouse.");
    oriel.write("bad.pdf", "%PDF-1.7\nthis goes nowhere");
    oriel.write("not.docx", "no document at all");
    oriel.json(&["add", oriel.documents().to_str().unwrap()]);
    let report = oriel.json(&["index"]);
    assert_eq!((report["documents"].as_u64(), report["failed"].as_u64()), (Some(1), Some(2)));
    let status = oriel.json(&["status"]);
    let failed = status["failed"].as_array().unwrap();
    assert_eq!(failed.len(), 2);
    for failure in failed {
        assert_eq!(failure["code"], "broken", "{failure}");
        let reason = text(&failure["reason"]);
        assert!(reason.len() > 15 && !reason.contains('\n'), "{reason}");
    }
    assert!(!oriel.search(&["lighthouse"]).is_empty());
    // It is tried again only after a change.
    assert_eq!(oriel.json(&["index"])["failed"], 2);
    oriel.write("not.docx", "still no document, but other bytes");
    assert_eq!(oriel.json(&["index"])["failed"], 2);
    fs::remove_file(oriel.documents().join("bad.pdf")).unwrap();
    assert_eq!(oriel.json(&["index"])["failed"], 1);
}

#[test]
fn encodings_come_out_as_text() {
    let oriel = Oriel::new();
    oriel.write("latin.txt", b"Der Schl\xfcssel h\xe4ngt am Br\xfcckenwirt. Die T\xfcr ist gr\xfcn.");
    let utf16: Vec<u8> =
        "\u{feff}Zweiter Schlüssel im Safe.".encode_utf16().flat_map(u16::to_le_bytes).collect();
    oriel.write("wide.txt", utf16);
    oriel.json(&["add", oriel.documents().to_str().unwrap()]);
    oriel.json(&["index"]);
    let shown = |name: &str| {
        let shown = oriel.json(&["show", oriel.documents().join(name).to_str().unwrap()]);
        folded(text(&shown["text"]))
    };
    assert!(shown("latin.txt").contains("Schlüssel hängt am Brückenwirt"));
    assert!(shown("wide.txt").contains("Zweiter Schlüssel im Safe."));
}
