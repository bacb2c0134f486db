//! Kills during a restore and a backup: the library is the old or the new one, complete, and half a backup is never
//! accepted as one.
//!
//! `ORIEL_KILLS` sets how many of each (6 by default; `make stress` takes more).

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::oriel::{Oriel, open};
use crate::prng::from_environment;

/// Kills of each kind; they are spread over the duration of a restore and over the bytes of a backup.
fn kills() -> u32 {
    u32::try_from(from_environment("ORIEL_KILLS", 6)).unwrap()
}

/// Beginning of the name of an unfinished backup.
const UNFINISHED: &str = ".backup.tar.writing-";

/// A library that takes a while to copy.
fn large() -> Oriel {
    let oriel = Oriel::new();
    for number in 0..60 {
        // Words that do not compress; few distinct sentences, which are quickly embedded.
        let text: String = (0..400).map(|line| format!("{:x}. ", (line % 40) * 2_654_435_761_u64)).collect();
        oriel.write(&format!("{number}.txt"), text);
    }
    oriel.json(&["add", oriel.documents().to_str().unwrap()]);
    oriel.json(&["index"]);
    oriel
}

/// Runs a command and kills it after this time, if it is still running.
fn killed_after(oriel: &Oriel, arguments: &[&str], life: Duration) {
    let mut child = oriel.command(arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    #[expect(clippy::disallowed_methods, reason = "the moment of the kill is what is tested")]
    std::thread::sleep(life);
    // No effect if it has already ended.
    let _ = child.kill();
    child.wait().unwrap();
}

/// Runs a backup and kills it once it has written so many bytes, if it is still running.
fn killed_at(oriel: &Oriel, arguments: &[&str], bytes: u64) {
    let unfinished = || beginning(&oriel.beside(""), UNFINISHED);
    let left = unfinished();
    // It may be renamed before its size is read.
    let size = |path: PathBuf| fs::metadata(path).map_or(0, |file| file.len());
    let mut child = oriel.command(arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let written =
        || unfinished().into_iter().filter(|path| !left.contains(path)).any(|path| size(path) >= bytes);
    while !written() && child.try_wait().unwrap().is_none() {}
    // No effect if it has already ended.
    let _ = child.kill();
    child.wait().unwrap();
}

fn lasts(oriel: &Oriel, arguments: &[&str]) -> Duration {
    let begun = Instant::now();
    oriel.json(arguments);
    begun.elapsed()
}

/// The entries of the folder whose names begin with `with`.
fn beginning(folder: &Path, with: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    let entries = entries.filter(|entry| entry.file_name().to_str().unwrap().starts_with(with));
    entries.map(|entry| entry.path()).collect()
}

#[test]
fn a_restore_that_is_killed_leaves_the_one_library_or_the_other() {
    let new = large();
    let documents = new.json(&["status"])["documents"].as_u64().unwrap();
    let file = new.beside("backup.tar");
    new.json(&["backup", file.to_str().unwrap()]);
    let oriel = Oriel::with(&[("a.txt", "The kettle is on the stove.")]);
    let before = oriel.beside("before.tar");
    oriel.json(&["backup", before.to_str().unwrap()]);
    let replace = ["restore", file.to_str().unwrap(), "--replace"];
    let take_back = ["restore", before.to_str().unwrap(), "--replace"];
    let whole = lasts(&oriel, &replace);
    oriel.json(&take_back);
    let (kills, mut disturbed) = (kills(), 0);
    for kill in 0..kills {
        killed_after(&oriel, &replace, whole.mul_f64(f64::from(kill + 1) / f64::from(kills)));
        let status = oriel.json(&["status"]);
        assert_eq!(oriel.json(&["doctor"])["ok"], true, "kill {kill}");
        match status["documents"].as_u64().unwrap() {
            1 => disturbed += 1,
            found => {
                assert_eq!(found, documents, "kill {kill}");
                oriel.json(&take_back);
            }
        }
    }
    assert!(disturbed > 1, "{disturbed} of {kills} came before the end");
    oriel.json(&replace);
    let left = beginning(&oriel.beside(""), "library.");
    for kept in &left {
        let name = kept.file_name().unwrap().to_str().unwrap();
        assert!(name.starts_with("library.replaced-"), "{name} is left over");
        let found = open(kept).status().unwrap().documents as u64;
        assert!(found == 1 || found == documents, "{name} has {found} documents");
    }
}

#[test]
fn a_backup_that_is_killed_is_not_there_or_whole() {
    let oriel = large();
    let documents = oriel.json(&["status"])["documents"].clone();
    let file = oriel.beside("backup.tar");
    let backup = ["backup", file.to_str().unwrap()];
    oriel.json(&backup);
    let whole = fs::metadata(&file).unwrap().len();
    fs::remove_file(&file).unwrap();
    let (kills, mut halves) = (kills(), 0);
    for kill in 0..kills {
        killed_at(&oriel, &backup, whole * u64::from(kill) / u64::from(kills));
        let unfinished = beginning(&oriel.beside(""), UNFINISHED);
        assert!(unfinished.len() <= 1, "those before are not removed: {unfinished:?}");
        for (path, may_be_refused) in
            unfinished.iter().map(|path| (path, true)).chain(file.exists().then_some((&file, false)))
        {
            let other = Oriel::new();
            let output = other.run(&["restore", path.to_str().unwrap()]);
            if output.status.success() {
                assert_eq!(other.json(&["doctor"])["ok"], true, "kill {kill}");
                assert_eq!(other.json(&["status"])["documents"], documents, "kill {kill}");
            } else {
                assert!(may_be_refused, "kill {kill}: {}", crate::oriel::said(&output));
                assert!(!other.library().exists());
                halves += 1;
            }
        }
        // In the second half of the kills a backup already exists.
        if kill < kills / 2 && file.exists() {
            fs::remove_file(&file).unwrap();
        }
    }
    assert!(halves > 0, "no kill came while the file was written");
    oriel.json(&backup);
    assert!(beginning(&oriel.beside(""), ".backup.tar.").is_empty());
}
