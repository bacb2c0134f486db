//! Backup, restore, compacting and repair: the user's own data survives any damage of the index.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use oriel_core::CancelToken;
use oriel_engine::EngineError;
use serde_json::{Value, json};

use crate::oriel::{Oriel, open, said};

const QUESTIONS: [&str; 3] = [
    "How long does the battery keep the hands of a Petrel moving after a power cut?",
    "How many days off does everyone get in a year?",
    "Who painted the dials?",
];

/// The answers of a library, with their places.
fn answers(oriel: &Oriel) -> Vec<Value> {
    let places = |answer: Value| {
        let passages = answer["passages"].as_array().unwrap().clone();
        passages.iter().map(|one| json!([one["path"], one["start"], one["end"], one["hits"]])).collect()
    };
    oriel.batch("search", &QUESTIONS, &[]).into_iter().map(places).collect()
}

/// Writes a conversation and settings, as the app saves them.
fn written(library: &Path) {
    let folder = library.join("conversations");
    fs::create_dir_all(&folder).unwrap();
    let conversation = json!({"version": 1, "id": "0123456789abcdef", "title": "Dials", "created": 1, "changed": 1,
        "turns": [{"question": "Who painted the dials?", "asked": 1}]});
    fs::write(folder.join("0123456789abcdef.json"), conversation.to_string()).unwrap();
    fs::write(library.join("settings.json"), r#"{"theme":"dark"}"#).unwrap();
}

fn refused(output: &Output, words: &[&str]) {
    assert_eq!(output.status.code(), Some(1), "{}", said(output));
    let said = String::from_utf8(output.stderr.clone()).unwrap();
    // The lines before it are progress.
    let line = said.trim_end().lines().last().unwrap();
    assert!(line.starts_with("oriel: "), "{said}");
    for word in words {
        assert!(line.contains(word), "'{word}' is not in: {line}");
    }
}

/// Names in the folder beside the library and in it: no temporary file may remain.
fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn a_backup_that_is_made_while_indexing_is_a_whole_library() {
    let oriel = Oriel::with_sample();
    written(&oriel.library());
    let wanted = answers(&oriel);
    for number in 0..200 {
        oriel.write(&format!("{number}.txt"), format!("Crate {number} holds {} spare hands.", number * 7));
    }
    oriel.json(&["add", oriel.documents().to_str().unwrap()]);
    let mut indexing = oriel.command(&["index"]).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let file = oriel.beside("backup.tar");
    let done = oriel.json(&["backup", file.to_str().unwrap()]);
    assert_eq!(done["conversations"], 1);
    assert_eq!(done["bytes"], fs::metadata(&file).unwrap().len());
    assert!(indexing.wait().unwrap().success());
    // Other tools can open it.
    let listed = Command::new("tar").arg("-tf").arg(&file).output().unwrap();
    let listed = String::from_utf8(listed.stdout).unwrap();
    for name in ["data.mdb", "folders.json", "settings.json", "conversations/0123456789abcdef.json"] {
        assert!(listed.lines().any(|line| line == name), "{name} is not in {listed}");
    }

    let other = Oriel::new();
    let done = other.json(&["restore", file.to_str().unwrap()]);
    assert_eq!((&done["conversations"], &done["replaced"]), (&json!(1), &Value::Null));
    let checked = other.json(&["doctor"]);
    assert_eq!(checked["ok"], true, "{checked}");
    assert_eq!(answers(&other), wanted, "the sample's answers come from the copied vectors");
    assert_eq!(fs::read(other.library().join("settings.json")).unwrap(), br#"{"theme":"dark"}"#);
    let report = other.json(&["index"]);
    assert!(report["embedded"].as_u64().unwrap() <= 200, "only what was not in the backup: {report}");
}

/// A library of one document, and its backup beside it.
fn backed_up() -> (Oriel, PathBuf) {
    let oriel = Oriel::with(&[("a.txt", "The kettle is on the stove.")]);
    let file = oriel.beside("backup.tar");
    oriel.json(&["backup", file.to_str().unwrap()]);
    (oriel, file)
}

#[test]
fn a_library_that_is_there_is_replaced_on_request_alone_and_kept() {
    let (_first, file) = backed_up();
    let second = Oriel::with(&[("b.txt", "The ladder is in the shed.")]);
    refused(&second.run(&["restore", file.to_str().unwrap()]), &["there is a library", "library"]);
    assert_eq!(second.search(&["Where is the ladder?"]).len(), 1);

    let done = second.json(&["restore", file.to_str().unwrap(), "--replace"]);
    let passages = second.search(&["Where is the kettle?"]);
    assert!(passages[0]["path"].as_str().unwrap().ends_with("a.txt"), "{passages:?}");
    let kept = Path::new(done["replaced"].as_str().unwrap());
    let old = open(kept);
    assert_eq!(old.status().unwrap().documents, 1);
    assert_eq!(names(second.library().parent().unwrap()).len(), 3, "documents, library, the replaced one");
}

/// A folder that the user named as a library by mistake.
#[test]
fn whatever_else_lies_in_a_library_is_never_removed() {
    let (_first, file) = backed_up();
    let other = Oriel::new();
    fs::create_dir(other.library()).unwrap();
    fs::write(other.library().join("Cargo.lock"), "Dear Ann").unwrap();
    other.json(&["status"]);
    refused(&other.run(&["restore", file.to_str().unwrap()]), &["there is a library", "library"]);
    assert!(other.library().join("Cargo.lock").exists());
    let done = other.json(&["restore", file.to_str().unwrap(), "--replace"]);
    let kept = Path::new(done["replaced"].as_str().unwrap());
    assert_eq!(fs::read(kept.join("Cargo.lock")).unwrap(), b"Dear Ann");
}

#[test]
fn a_library_that_was_never_used_gives_way_and_leaves_nothing() {
    let (_first, file) = backed_up();
    let other = Oriel::new();
    other.json(&["status"]);
    fs::create_dir(other.library().join("conversations")).unwrap();
    let done = other.json(&["restore", file.to_str().unwrap()]);
    assert_eq!(done["replaced"], Value::Null);
    assert_eq!(other.json(&["status"])["documents"], 1);
    assert_eq!(names(&other.beside("")), ["documents", "library"]);
}

#[test]
fn a_library_that_is_begun_while_the_backup_is_read_is_not_replaced() {
    let (_first, file) = backed_up();
    let other = Oriel::new();
    other.json(&["status"]);
    let mut begun = false;
    let mut begin = |_, _| {
        if !std::mem::replace(&mut begun, true) {
            other.open().add(&[other.documents()]).unwrap();
        }
    };
    let outcome = oriel_engine::restore(&file, &other.library(), false, &mut begin, &CancelToken::new());
    assert!(matches!(outcome, Err(EngineError::Occupied { .. })), "{outcome:?}");
    assert_eq!(other.open().folders().unwrap(), [other.documents()]);
    assert_eq!(names(&other.beside("")), ["documents", "library"]);
}

/// Replaces all occurrences of some bytes in the index by as many others.
pub fn edit(library: &Path, from: &[u8], to: &[u8]) {
    let data = library.join("data.mdb");
    let mut bytes = fs::read(&data).unwrap();
    let places: Vec<_> = (0..bytes.len()).filter(|&at| bytes[at..].starts_with(from)).collect();
    assert!(!places.is_empty(), "there is no such thing in the index");
    for at in places {
        bytes[at..at + from.len()].copy_from_slice(to);
    }
    fs::write(&data, bytes).unwrap();
}

#[test]
fn a_library_of_a_newer_oriel_is_replaced_on_request_alone_and_kept() {
    let (_first, file) = backed_up();
    let other = Oriel::new();
    other.json(&["status"]);
    edit(&other.library(), b"version\0\0\0\x06", b"version\0\0\0\x63");
    refused(&other.run(&["status"]), &["format 99"]);
    refused(&other.run(&["restore", file.to_str().unwrap()]), &["there is a library"]);
    let done = other.json(&["restore", file.to_str().unwrap(), "--replace"]);
    assert!(Path::new(done["replaced"].as_str().unwrap()).join("data.mdb").exists());
    assert_eq!(other.json(&["status"])["documents"], 1);
}

#[cfg(unix)]
#[test]
fn a_library_behind_a_link_is_replaced_where_the_link_leads() {
    let (_first, file) = backed_up();
    let other = Oriel::new();
    let elsewhere = other.beside("elsewhere");
    fs::create_dir(&elsewhere).unwrap();
    std::os::unix::fs::symlink(&elsewhere, other.library()).unwrap();
    other.json(&["add", other.documents().to_str().unwrap()]);
    let done = other.json(&["restore", file.to_str().unwrap(), "--replace"]);
    assert!(other.library().is_symlink());
    assert_eq!(open(&elsewhere).status().unwrap().documents, 1);
    let kept = Path::new(done["replaced"].as_str().unwrap());
    assert!(kept.file_name().unwrap().to_str().unwrap().starts_with("elsewhere.replaced-"), "{done}");
}

#[test]
fn a_backup_leaves_nothing_out_that_it_cannot_read() {
    let oriel = Oriel::with(&[("a.txt", "The kettle is on the stove.")]);
    written(&oriel.library());
    let file = oriel.beside("backup.tar");
    let kept = oriel.library().join("conversations");
    // A folder in place of the file, which no user can read, not even root.
    fs::create_dir(kept.join("fedcba9876543210.json")).unwrap();
    refused(&oriel.run(&["backup", file.to_str().unwrap()]), &["fedcba9876543210.json", "cannot be read"]);
    fs::remove_dir_all(&kept).unwrap();
    fs::write(&kept, "no folder").unwrap();
    refused(&oriel.run(&["backup", file.to_str().unwrap()]), &["conversations", "cannot be read"]);
    assert_eq!(names(&oriel.beside("")), ["documents", "library"], "half a backup is left");
    fs::remove_file(&kept).unwrap();
    assert_eq!(oriel.json(&["backup", file.to_str().unwrap()])["conversations"], 0);
}

#[test]
fn what_kills_left_of_backups_to_the_same_name_goes_with_the_next() {
    let oriel = Oriel::with(&[("a.txt", "The kettle is on the stove.")]);
    for left in [".backup.tar.writing-abc", ".other.tar.writing-abc"] {
        fs::write(oriel.beside(left), "half").unwrap();
    }
    // One that is being written is locked.
    let written = fs::File::create(oriel.beside(".backup.tar.writing-def")).unwrap();
    written.lock().unwrap();
    oriel.json(&["backup", oriel.beside("backup.tar").to_str().unwrap()]);
    let there = names(&oriel.beside(""));
    assert_eq!(
        there,
        [".backup.tar.writing-def", ".other.tar.writing-abc", "backup.tar", "documents", "library"]
    );
}

#[test]
fn a_backup_that_is_damaged_cut_off_or_none_changes_nothing() {
    let (_oriel, file) = backed_up();
    let whole = fs::read(&file).unwrap();
    let other = Oriel::new();
    let restore = |bytes: &[u8]| {
        let path = other.beside("wrong.tar");
        fs::write(&path, bytes).unwrap();
        other.run(&["restore", path.to_str().unwrap()])
    };
    let mut flipped = whole.clone();
    flipped[20_000] ^= 1;
    refused(&restore(&flipped), &["wrong.tar", "damaged"]);
    refused(&restore(&whole[..whole.len() / 2]), &["wrong.tar", "cut off"]);
    refused(&restore(&whole[..whole.len() - 4096]), &["wrong.tar"]);
    refused(&restore(b"no archive at all"), &["wrong.tar", "no backup"]);
    refused(&other.run(&["restore", "/no/such/file.tar"]), &["file.tar", "does not exist"]);
    assert!(!other.library().exists());
    assert_eq!(names(other.beside("").as_path()), ["documents", "wrong.tar"], "nothing is left over");

    // The same files packed by `tar`; its pax format has extra header entries, which no backup has.
    fs::create_dir(other.beside("files")).unwrap();
    let run = |command: &mut Command| assert!(command.status().unwrap().success());
    run(Command::new("tar").arg("-xf").arg(&file).arg("-C").arg(other.beside("files")));
    for (format, restores) in [("gnu", true), ("pax", false)] {
        let path = other.beside("packed.tar");
        run(Command::new("tar")
            .arg(format!("--format={format}"))
            .arg("-cf")
            .arg(&path)
            .arg("-C")
            .arg(other.beside("files"))
            .args(["data.mdb", "folders.json", "contents.json"]));
        let output = Oriel::new().run(&["restore", path.to_str().unwrap()]);
        assert_eq!(output.status.success(), restores, "{format}: {}", said(&output));
    }

    // An archive that tries to write outside its folder.
    let evil = other.beside("evil");
    fs::create_dir(&evil).unwrap();
    fs::write(evil.join("x"), "x").unwrap();
    let path = other.beside("evil.tar");
    let made = Command::new("tar")
        .args(["--transform", "s,x,../../escaped,", "-P", "-cf"])
        .arg(&path)
        .args(["-C", evil.to_str().unwrap(), "x"])
        .status();
    assert!(made.unwrap().success());
    refused(&other.run(&["restore", path.to_str().unwrap()]), &["evil.tar", "no backup"]);
    assert!(!other.beside("escaped").exists());
}

#[test]
fn a_backup_replaces_a_backup_and_nothing_else() {
    let (oriel, file) = backed_up();
    oriel.json(&["backup", file.to_str().unwrap()]);
    let letter = oriel.write("letter.txt", "Dear Ann");
    refused(&oriel.run(&["backup", letter.to_str().unwrap()]), &["letter.txt", "choose another name"]);
    assert_eq!(fs::read(&letter).unwrap(), b"Dear Ann");
    refused(&oriel.run(&["backup", "/no/such/folder/b.tar"]), &["b.tar", "cannot be written"]);
}

#[test]
fn compacting_gives_room_back_keeps_every_answer_and_waits_for_nobody_who_has_it_open() {
    let oriel = Oriel::with_sample();
    // Few distinct sentences, which are quickly embedded, in many files, which take long to store.
    let text: String = (0..200).map(|line| format!("Line {line} of the read_queue is of no use. ")).collect();
    for number in 0..300 {
        oriel.write(&format!("{number}.txt"), &text);
    }
    oriel.json(&["add", oriel.documents().to_str().unwrap()]);
    oriel.json(&["index"]);
    oriel.json(&["remove", oriel.documents().to_str().unwrap()]);
    oriel.json(&["index"]);
    let wanted = answers(&oriel);
    let open = oriel.open();
    refused(&oriel.run(&["compact"]), &["is open in another Oriel"]);
    drop(open);
    let done = oriel.json(&["compact"]);
    assert!(done["after"].as_u64().unwrap() * 2 < done["before"].as_u64().unwrap(), "{done}");
    assert_eq!(answers(&oriel), wanted);
    assert_eq!(oriel.json(&["doctor"])["ok"], true);
}

#[test]
fn an_index_that_is_damaged_beyond_use_costs_time_and_nothing_else() {
    let oriel = Oriel::with_sample();
    written(&oriel.library());
    let (wanted, folders) = (answers(&oriel), oriel.json(&["status"])["folders"].clone());
    let data = oriel.library().join("data.mdb");
    let length = usize::try_from(fs::metadata(&data).unwrap().len()).unwrap();
    fs::write(&data, vec![0xa5; length]).unwrap();
    refused(&oriel.run(&["status"]), &["is not an Oriel library or is damaged"]);
    let output = oriel.command(&["doctor", "--repair", "--json"]).output().unwrap();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["ok"], true, "{report}");
    let aside = report["repaired"]["set_aside"].as_str().unwrap();
    assert_eq!(fs::metadata(aside).unwrap().len(), length as u64);
    assert_eq!(oriel.json(&["status"])["folders"], folders);
    oriel.json(&["index"]);
    assert_eq!(answers(&oriel), wanted);
    assert!(oriel.library().join("conversations/0123456789abcdef.json").exists());
}

#[test]
fn a_repair_of_a_sound_library_changes_no_answer_and_embeds_nothing() {
    let oriel = Oriel::with_sample();
    let wanted = answers(&oriel);
    let report = oriel.json(&["doctor", "--repair"]);
    assert_eq!(report["ok"], true);
    assert_eq!((&report["repaired"]["reread"], &report["repaired"]["unembedded"]), (&json!(0), &json!(0)));
    assert_eq!(answers(&oriel), wanted);
    assert_eq!(oriel.json(&["index"])["embedded"], 0);
}

/// Half of the pages are missing: their contents come back with the next indexing.
#[test]
fn an_index_that_was_cut_off_is_repaired() {
    let oriel = Oriel::with_sample();
    let wanted = answers(&oriel);
    let data = oriel.library().join("data.mdb");
    let length = fs::metadata(&data).unwrap().len();
    fs::OpenOptions::new().write(true).open(&data).unwrap().set_len(length / 2).unwrap();
    let output = oriel.run(&["doctor", "--repair"]);
    assert!(output.status.success(), "{}", said(&output));
    oriel.json(&["index"]);
    assert_eq!(oriel.json(&["doctor"])["ok"], true);
    assert_eq!(answers(&oriel), wanted);
}

/// The record of a folder is unreadable: the list beside the index still has the folder.
#[test]
fn a_repair_goes_on_following_what_was_followed_or_says_that_it_does_not() {
    let oriel = Oriel::with(&[("a.txt", "The kettle is on the stove.")]);
    let record = format!("{{\"path\":\"{}\",\"is_file\"", oriel.documents().display());
    let damage = || edit(&oriel.library(), record.as_bytes(), record.replace('{', "x").as_bytes());
    let folders = json!([oriel.documents()]);
    damage();
    let repaired = oriel.json(&["doctor", "--repair"])["repaired"].clone();
    assert_eq!((&repaired["refollowed"], &repaired["unfollowed"]), (&json!(1), &json!(0)));
    assert_eq!(oriel.json(&["status"])["folders"], folders);
    let report = oriel.json(&["index"]);
    assert_eq!((&report["documents"], &report["embedded"]), (&json!(1), &json!(0)));

    damage();
    fs::remove_file(oriel.library().join("folders.json")).unwrap();
    let output = oriel.run(&["doctor", "--repair"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("1 folder had been lost") && text.contains("oriel add"), "{text}");
    assert_eq!(oriel.json(&["status"])["documents"], 1, "nothing is forgotten yet");
}
