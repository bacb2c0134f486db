//! Two processes on one store: one grows it and is killed, the other continues.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a test that fails may say so by panicking")]

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use oriel_store::{FolderRecord, Store, StoreError, StoreOptions};

/// A record of some hundred thousand bytes.
fn large(round: u32) -> FolderRecord {
    FolderRecord {
        path: format!("/documents/{round}").into(),
        excludes: vec!["x".repeat(200_000)],
        ..FolderRecord::default()
    }
}

/// The second process: it runs this test's own program.
#[test]
#[ignore = "a process of the tests below"]
fn work() {
    let Ok(what) = std::env::var("ORIEL_STORE_WORK") else { return };
    let folder = std::env::var("ORIEL_STORE_FOLDER").unwrap();
    let store = Store::open(Path::new(&folder), StoreOptions::default()).unwrap();
    if what == "grow" {
        (0..20).for_each(|round| store.write(|edit| edit.add_folder(&large(round))).unwrap());
    } else {
        store
            .read(|_| {
                println!("reading");
                std::io::stdin().lines().next();
                Ok::<_, StoreError>(())
            })
            .unwrap();
    }
}

fn other(what: &str, folder: &Path) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "work", "--ignored", "--nocapture"])
        .env("ORIEL_STORE_WORK", what)
        .env("ORIEL_STORE_FOLDER", folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap()
}

#[test]
fn a_copy_holds_what_another_process_let_the_data_grow_to() {
    let place = tempfile::tempdir().unwrap();
    let original = place.path().join("original");
    let store =
        Store::open(&original, StoreOptions { map_size: 1 << 20, ..StoreOptions::default() }).unwrap();
    assert!(other("grow", &original).wait_with_output().unwrap().status.success());
    assert!(store.size_on_disk().unwrap() > 2 << 20, "the data still fits into the map");
    let mut bytes = Vec::new();
    let count = store.copy(|piece| -> Result<(), StoreError> {
        bytes.extend_from_slice(piece);
        Ok(())
    });
    assert_eq!(count.unwrap(), bytes.len() as u64);
    let copied = place.path().join("copy");
    fs::create_dir(&copied).unwrap();
    fs::write(copied.join("data.mdb"), bytes).unwrap();
    let copy = Store::open(&copied, StoreOptions::default()).unwrap();
    assert_eq!(copy.read(|view| view.folders()).unwrap().len(), 20);
}

#[test]
fn a_reader_that_was_killed_keeps_nothing_from_whoever_indexes() {
    let place = tempfile::tempdir().unwrap();
    let store = Store::open(place.path(), StoreOptions::default()).unwrap();
    store.write(|edit| edit.add_folder(&large(0))).unwrap();
    let mut reading = other("read", place.path());
    let mut said = BufReader::new(reading.stdout.take().unwrap()).lines();
    assert!(said.any(|line| line.unwrap().ends_with("reading")));
    reading.kill().unwrap();
    reading.wait().unwrap();
    let _indexer = store.lock_writer().unwrap();
    for round in 0..40 {
        store.write(|edit| edit.put_folder(0, &large(round))).unwrap();
    }
    let size = store.size_on_disk().unwrap();
    assert!(size < 2 << 20, "the file has grown to {size} bytes: free pages are not used again");
}
