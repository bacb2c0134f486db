//! A disk that fails at each write to the library: one clear line, and no committed data is lost.
//!
//! `ORIEL_FAULTS` sets the number of places (5 by default; `make stress` tests all).

use std::fs;
use std::process::Output;

use serde_json::Value;

use crate::failing_disk::failing_disk;
use crate::oriel::{Oriel, said};
use crate::prng::from_environment;

/// The write from which on the disk fails; each run continues where the one before stopped.
const MOMENTS: [u32; 14] = [1, 3, 5, 12, 40, 2, 4, 7, 9, 16, 24, 80, 3, 1];

/// Number of these to test.
fn moments() -> usize {
    usize::try_from(from_environment("ORIEL_FAULTS", 5)).unwrap().min(MOMENTS.len())
}

pub fn run_failing(oriel: &Oriel, arguments: &[&str], at: u32, errno: i32) -> Output {
    oriel
        .command(arguments)
        .env("LD_PRELOAD", failing_disk(&oriel.beside("")))
        .env("ORIEL_FAULT_AT", at.to_string())
        .env("ORIEL_FAULT_ERROR", errno.to_string())
        .output()
        .unwrap()
}

fn answers(oriel: &Oriel) -> Vec<Value> {
    let questions = ["Which harbour is named in read_queue 7?", "Entry 3 of read_queue 11"];
    let mut answers = oriel.batch("search", &questions, &[]);
    for answer in &mut answers {
        answer.as_object_mut().unwrap().remove("timings");
        // The paths of the two libraries differ.
        let rename = |place: &mut Value| {
            let name = place["path"].as_str().unwrap().rsplit('/').next().unwrap().to_owned();
            place["path"] = name.into();
        };
        for passage in answer["passages"].as_array_mut().unwrap() {
            rename(passage);
            passage["also"].as_array_mut().into_iter().flatten().for_each(rename);
        }
    }
    answers
}

fn fill(oriel: &Oriel) {
    for number in 0..25 {
        let text: String = (0..30)
            .map(|n| format!("Entry {n} of read_queue {number} names harbour {}. ", n * number))
            .collect();
        oriel.write(&format!("{number:02}.txt"), text);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_disk_that_fails_at_any_write_costs_that_write_alone() {
    // EIO, for a broken disk, and ENOSPC, for a full one.
    for (errno, word) in [(5, "failed"), (28, "full")] {
        let oriel = Oriel::new();
        fill(&oriel);
        oriel.json(&["add", oriel.documents().to_str().unwrap()]);
        let mut failed = 0;
        for (round, at) in MOMENTS.into_iter().take(moments()).enumerate() {
            oriel.write("changing.txt", format!("Round {round} has its own words."));
            let output = run_failing(&oriel, &["index"], at, errno);
            if !output.status.success() {
                failed += 1;
                assert_eq!(output.status.code(), Some(1), "write {at}: {}", said(&output));
                let said = String::from_utf8_lossy(&output.stderr);
                let line = said.trim_end().lines().last().unwrap();
                assert!(line.starts_with("oriel: ") && line.contains(word), "write {at}: {line}");
            }
            let checked = oriel.json(&["doctor"]);
            assert_eq!(checked["ok"], true, "after write {at} failed with {errno}: {checked}");
        }
        assert!(failed * 2 > moments(), "only {failed} runs were disturbed");
        oriel.write("changing.txt", "The last word.");
        oriel.json(&["index"]);

        let undisturbed = Oriel::new();
        fill(&undisturbed);
        undisturbed.write("changing.txt", "The last word.");
        undisturbed.json(&["add", undisturbed.documents().to_str().unwrap()]);
        undisturbed.json(&["index"]);
        assert_eq!(answers(&oriel), answers(&undisturbed));
    }
}

/// Runs a command with a failure at the first write, the fifth and so on (also the second and the fourth, if all places
/// are tested) until it succeeds, with alternating kinds of failure. `unchanged` checks after each.
fn fail_until_done(oriel: &Oriel, arguments: &[&str], mut unchanged: impl FnMut(u32)) {
    let (mut at, times) = (1, if moments() == MOMENTS.len() { 2 } else { 5 });
    for errno in [5, 28].into_iter().cycle() {
        let output = run_failing(oriel, arguments, at, errno);
        if output.status.success() {
            break;
        }
        assert_eq!(output.status.code(), Some(1), "write {at}: {}", said(&output));
        let said = String::from_utf8_lossy(&output.stderr);
        let line = said.trim_end().lines().last().unwrap();
        assert!(line.starts_with("oriel: "), "write {at}: {line}");
        unchanged(at);
        at *= times;
    }
    assert!(at > times, "only writes before {at} were disturbed");
}

/// The names in the library's folder and beside it, and its answers.
fn whole(oriel: &Oriel) -> (Vec<String>, Vec<Value>) {
    assert_eq!(oriel.json(&["doctor"])["ok"], true);
    let answers = answers(oriel);
    let folders = [oriel.beside(""), oriel.library()];
    let entries = folders.iter().flat_map(|folder| fs::read_dir(folder).unwrap());
    let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    (names, answers)
}

#[cfg(target_os = "linux")]
#[test]
fn a_repair_a_compacting_or_a_backup_that_cannot_be_written_changes_nothing() {
    let oriel = Oriel::new();
    fill(&oriel);
    oriel.json(&["add", oriel.documents().to_str().unwrap()]);
    oriel.json(&["index"]);
    failing_disk(&oriel.beside(""));
    let wanted = whole(&oriel);
    let file = oriel.beside("backup.tar");
    for arguments in [&["backup", file.to_str().unwrap()][..], &["doctor", "--repair"], &["compact"]] {
        fail_until_done(&oriel, arguments, |at| {
            assert!(whole(&oriel) == wanted, "{arguments:?} at write {at}");
        });
        // The successful run changes no answer either; the backup exists then.
        assert!(whole(&oriel).1 == wanted.1, "{arguments:?}");
        if arguments[0] == "backup" {
            fs::rename(&file, oriel.documents().join("backup.tar")).unwrap();
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_restore_that_cannot_be_written_changes_nothing() {
    let other = Oriel::new();
    fill(&other);
    other.json(&["add", other.documents().to_str().unwrap()]);
    other.json(&["index"]);
    let file = other.beside("backup.tar");
    other.json(&["backup", file.to_str().unwrap()]);
    let oriel = Oriel::with(&[("a.txt", "Ledger 7 is lost.")]);
    failing_disk(&oriel.beside(""));
    let wanted = whole(&oriel);
    fail_until_done(&oriel, &["restore", file.to_str().unwrap(), "--replace"], |at| {
        assert!(whole(&oriel) == wanted, "at write {at}");
    });
    assert_eq!(answers(&oriel), answers(&other));
}
