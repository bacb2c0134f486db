//! Attachments and files in archives are documents of their own, and follow the file that contains them.

use std::fs;
use std::io::{Cursor, Write};
use std::path::Path;

use oriel_core::{ByteSpan, CancelToken};
use oriel_engine::EngineError;
use oriel_store::{Store, StoreOptions};
use serde_json::Value;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use crate::oriel::{Oriel, sample, text};

pub fn zipped(parts: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in parts {
        archive.start_file(*name, SimpleFileOptions::default()).unwrap();
        archive.write_all(content).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

/// A mail with one attachment.
fn mail(name: &str, attachment: &[u8]) -> Vec<u8> {
    let mut mail = format!(
        "From: Ann <ann@example.org>\r\nSubject: The weir\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n\
         --x\r\nContent-Type: text/plain\r\n\r\nThe weir was painted green.\r\n\
         --x\r\nContent-Type: application/octet-stream\r\nContent-Disposition: attachment; filename=\"{name}\"\r\n\r\n"
    )
    .into_bytes();
    mail.extend_from_slice(attachment);
    mail.extend_from_slice(b"\r\n--x--\r\n");
    mail
}

/// The paths of a library's documents below its folder.
fn names(oriel: &Oriel) -> Vec<String> {
    let root = oriel.documents();
    let rows = oriel.open().documents("", usize::MAX).unwrap();
    let mut names: Vec<_> =
        rows.iter().map(|row| row.path.strip_prefix(&root).unwrap().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

pub fn first_path(oriel: &Oriel, question: &str) -> String {
    let found = oriel.search(&[question, "--top", "1", "--window", "0"]);
    let path = Path::new(text(&found[0]["path"])).strip_prefix(oriel.documents()).unwrap().to_owned();
    path.to_string_lossy().into_owned()
}

const HERON: &[u8] = b"The heron stands at the weir.";
const PUMP: &[u8] = b"The pump was repaired in March.";

fn with_archive() -> Oriel {
    let oriel = Oriel::new();
    let inner = zipped(&[("deep/pump.txt", PUMP)]);
    let letter = mail("rent.txt", b"The rent rises in April.");
    oriel.write(
        "old/all.zip",
        zipped(&[("heron.txt", HERON), ("inner.zip", &inner), ("letter.eml", &letter), ("bad.pdf", b"no")]),
    );
    oriel.json(&["add", oriel.documents().to_str().unwrap()]);
    oriel.json(&["index"]);
    oriel
}

fn embedded(report: &Value) -> u64 {
    report["embedded"].as_u64().unwrap()
}

#[test]
fn files_in_files_are_found_and_opened_where_they_are() {
    let oriel = with_archive();
    assert_eq!(
        names(&oriel),
        [
            "old/all.zip",
            "old/all.zip/bad.pdf",
            "old/all.zip/heron.txt",
            "old/all.zip/inner.zip",
            "old/all.zip/inner.zip/deep/pump.txt",
            "old/all.zip/letter.eml",
            "old/all.zip/letter.eml/rent.txt",
        ]
    );
    assert_eq!(first_path(&oriel, "When was the pump repaired?"), "old/all.zip/inner.zip/deep/pump.txt");
    assert_eq!(first_path(&oriel, "When does the rent rise?"), "old/all.zip/letter.eml/rent.txt");
    let status = oriel.json(&["status"]);
    let failed = status["failed"].as_array().unwrap();
    assert_eq!(failed.len(), 1, "{failed:?}");
    assert!(text(&failed[0]["path"]).ends_with("all.zip/bad.pdf"));
    let within = oriel.documents().join("old/all.zip/letter.eml");
    let found = oriel.search(&["weir", "--in", within.to_str().unwrap(), "--mode", "sparse"]);
    assert!(text(&found[0]["text"]).contains("painted green"));
    assert_eq!(oriel.json(&["doctor"])["ok"], true);
}

#[test]
fn archives_of_other_formats_are_opened_like_zip() {
    let oriel = Oriel::new();
    let seeds = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds/read");
    let seed = |name: &str| fs::read(seeds.join(name)).unwrap().split_off(4);
    let formats =
        [("a.7z", "7z"), ("a.rar", "rar"), ("a.tar", "tar"), ("a.tar.xz", "tar-xz"), ("a.tgz", "tar-gz")];
    for (name, from) in formats {
        oriel.write(name, seed(from));
    }
    oriel.write("b.tzst", seed("tide-zst"));
    oriel.write("c.zip", zipped(&[("in/a.tar.gz", &seed("tar-gz")), ("in/pump.txt.gz", &seed("gz"))]));
    oriel.write("locked.7z", seed("found-7z-locked"));
    oriel.json(&["add", oriel.documents().to_str().unwrap()]);
    oriel.json(&["index"]);
    let names = names(&oriel);
    for (name, _) in formats {
        for inner in ["deep/turn.md", "tide.txt"] {
            assert!(names.contains(&format!("{name}/{inner}")), "{name}/{inner}: {names:?}");
        }
    }
    for inner in ["c.zip/in/a.tar.gz/deep/turn.md", "c.zip/in/pump.txt.gz/tide.txt"] {
        assert!(names.contains(&inner.to_owned()), "{inner}: {names:?}");
    }
    let member = oriel.documents().join("a.7z/tide.txt");
    let shown = oriel.json(&["show", member.to_str().unwrap()]);
    assert_eq!(shown["text"], "The tide is low.\n");
    let found = oriel.search(&["tide", "--in", oriel.documents().join("a.rar").to_str().unwrap()]);
    assert!(text(&found[0]["path"]).ends_with("a.rar/tide.txt"));
    let failed = oriel.json(&["status"])["failed"].as_array().unwrap().clone();
    assert!(
        !failed.is_empty() && failed.iter().all(|one| text(&one["path"]).contains("locked.7z")),
        "{failed:?}"
    );
    assert!(text(&failed[0]["reason"]).contains("password"));
    assert_eq!(oriel.json(&["doctor"])["ok"], true);
}

#[test]
fn the_mails_of_a_mailbox_are_found_by_sender_and_lead_to_what_is_inside_them() {
    let oriel = Oriel::new();
    let green = String::from_utf8(mail("heron.txt", HERON)).unwrap();
    let red =
        green.replace("Ann <ann", "Ben <ben").replace("green", "red").replace("Subject: The weir\r\n", "");
    let path = oriel
        .write("inbox.mbox", format!("From ann@example.org\r\n{green}\r\nFrom ben@example.org\r\n{red}"));
    oriel.json(&["add", oriel.documents().to_str().unwrap()]);
    oriel.json(&["index"]);
    let all =
        ["inbox.mbox", "inbox.mbox/The weir.eml", "inbox.mbox/The weir.eml/heron.txt", "inbox.mbox/mail.eml"];
    assert_eq!(names(&oriel), [&all[..], &["inbox.mbox/mail.eml/heron.txt"]].concat());
    let found = oriel.search(&["In which colour was the weir painted?", "--from", "ben"]);
    assert!(found.iter().all(|passage| text(&passage["path"]).contains("mail.eml")), "{found:?}");
    assert!(text(&found[0]["text"]).contains("painted red"));

    let library = oriel.open();
    let named = |rows: Vec<oriel_engine::DocumentRow>| {
        let rows = rows.iter().map(|row| row.path.file_name().unwrap().to_string_lossy().into_owned());
        rows.collect::<Vec<_>>()
    };
    let heron = library.document_at(&path.join("mail.eml/heron.txt")).unwrap().id;
    assert_eq!(named(library.containers_of(heron).unwrap()), ["inbox.mbox", "mail.eml"]);
    let inside = |path: &Path| named(library.members_of(library.document_at(path).unwrap().id, 2).unwrap());
    assert_eq!(inside(&path), ["The weir.eml", "mail.eml"]);
    assert_eq!(inside(&path.join("The weir.eml")), ["heron.txt"]);
    assert_eq!(inside(&path.join("mail.eml/heron.txt")), [""; 0]);
}

#[test]
fn members_follow_their_file_when_it_is_changed_moved_and_deleted() {
    let oriel = with_archive();
    let inner = zipped(&[("deep/pump.txt", PUMP), ("new.txt", b"The gull is new.")]);
    let path = oriel.write("old/all.zip", zipped(&[("heron.txt", HERON), ("inner.zip", &inner)]));
    assert_eq!(embedded(&oriel.json(&["index"])), 1, "only what is new is embedded");
    let all = ["all.zip", "all.zip/heron.txt", "all.zip/inner.zip", "all.zip/inner.zip/deep/pump.txt"];
    let all = [&all[..], &["all.zip/inner.zip/new.txt"]].concat();
    assert_eq!(names(&oriel), all.iter().map(|name| format!("old/{name}")).collect::<Vec<_>>());

    fs::rename(&path, oriel.documents().join("all.zip")).unwrap();
    let moved = oriel.json(&["index"]);
    assert_eq!((embedded(&moved), &moved["documents"]), (0, &serde_json::json!(5)));
    assert_eq!(names(&oriel), all);
    assert_eq!(first_path(&oriel, "When was the pump repaired?"), "all.zip/inner.zip/deep/pump.txt");
    assert_eq!(oriel.json(&["doctor"])["ok"], true);

    // A folder replaces the archive, with a file at the path of a member.
    fs::remove_file(oriel.documents().join("all.zip")).unwrap();
    oriel.write("all.zip/heron.txt", "The heron has left.");
    oriel.json(&["index"]);
    assert_eq!(names(&oriel), ["all.zip/heron.txt"]);
    assert_eq!(oriel.json(&["doctor"])["ok"], true);
}

#[test]
fn what_does_not_fit_into_the_limits_fails_by_itself() {
    let oriel = Oriel::new();
    let mut deep = zipped(&[("pump.txt", PUMP)]);
    for _ in 0..4 {
        deep = zipped(&[("in.zip", &deep), ("heron.txt", HERON)]);
    }
    oriel.write("deep.zip", &deep);
    oriel.json(&["add", oriel.documents().to_str().unwrap()]);
    oriel.json(&["index"]);
    let failed = oriel.json(&["status"])["failed"].as_array().unwrap().clone();
    assert_eq!(failed.len(), 1, "{failed:?}");
    assert!(text(&failed[0]["path"]).ends_with("deep.zip/in.zip/in.zip/in.zip/in.zip/pump.txt"));
    assert_eq!(names(&oriel).iter().filter(|name| name.ends_with("heron.txt")).count(), 4);
}

#[test]
fn an_archive_that_cannot_be_read_any_more_takes_its_members_along() {
    let oriel = with_archive();
    oriel.write("old/all.zip", "PK\x03\x04 and nothing else");
    oriel.json(&["index"]);
    assert_eq!(names(&oriel), ["old/all.zip"]);
    assert_eq!(oriel.json(&["doctor"])["ok"], true);
}

#[test]
fn a_damaged_library_with_members_is_repaired() {
    let oriel = with_archive();
    let before = names(&oriel);
    let lost = oriel.open().document_at(&oriel.documents().join("old/all.zip/heron.txt")).unwrap().id;
    let store = Store::open(&oriel.library(), StoreOptions::default()).unwrap();
    store.write(|edit| edit.remove_document(lost)).unwrap();
    drop(store);
    assert!(!oriel.run(&["doctor"]).status.success(), "the file lists what is not there");
    oriel.json(&["doctor", "--repair"]);
    oriel.json(&["index"]);
    assert_eq!(names(&oriel), before);
    assert_eq!(oriel.json(&["doctor"])["ok"], true);
    let broken = oriel.open().failures().unwrap()[0].id;
    assert_eq!(oriel.open().retry(&[broken]).unwrap(), 1);
    oriel.json(&["index"]);
    assert_eq!(names(&oriel), before);
}

#[test]
fn a_sentence_of_an_attached_pdf_is_marked() {
    let oriel = Oriel::new();
    let manual = fs::read(sample().join("Manuals/Petrel Harbour Clock - Installation and User Manual.pdf"));
    let manual = manual.unwrap();
    let path = oriel.write("letters.zip", zipped(&[("offer.eml", &mail("manual.pdf", &manual))]));
    oriel.json(&["add", oriel.documents().to_str().unwrap()]);
    oriel.json(&["index"]);
    let library = oriel.open();
    let shown = library.show(&path.join("offer.eml/manual.pdf")).unwrap();
    let (id, first) = (shown.row.id, shown.sentences[0]);
    let marks = |span: ByteSpan| library.highlights(id, &[span], &CancelToken::new());
    assert_eq!(Some(marks(first.span).unwrap()[0].page), first.page);
    assert_eq!(library.pages_of(id, &CancelToken::new()).unwrap().len() as u64, shown.row.bytes);
    assert_eq!(library.file_of(id).unwrap(), path);
    fs::write(&path, zipped(&[("other.txt", HERON)])).unwrap();
    assert!(matches!(marks(first.span), Err(EngineError::Changed { .. })));
}
