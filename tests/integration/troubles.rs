//! A watched library whose folder cannot be written for a while: one message, and it continues by itself.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{ChildStdin, Command};
use std::time::Duration;

use oriel_core::CancelToken;

use crate::failing_disk::failing_disk;
use crate::oriel::{Oriel, differences};
use crate::watch_command::Watching;
use crate::watching_drives::watching_in_a_namespace;

/// Longer than the interval between two attempts.
const TRIES: Duration = Duration::from_secs(3);

/// A document is written while the library cannot be written: that gives one message, however often it is tried. `over`
/// ends the trouble.
fn goes_on_by_itself(oriel: &Oriel, watching: &Watching, words: &[&str], over: impl FnOnce()) {
    oriel.write("meanwhile.txt", "The ladle hangs on the shelf.");
    let line = watching.says("oriel: ");
    for word in words {
        assert!(line.contains(word), "'{word}' is not in: {line}");
    }
    watching.rests(TRIES);
    let gone = oriel.documents().join("before.txt");
    fs::remove_file(&gone).unwrap();
    watching.rests(TRIES);
    over();
    let said = watching.says_at_last("up to date, 1 document");
    assert_eq!(said.len(), 1, "{said:?}");
    let later = oriel.write("later.txt", "It goes on as before.");
    watching.until("indexed", &later);
}

fn is_sound(oriel: &Oriel) {
    let library = oriel.open();
    assert_eq!(library.check(&CancelToken::new()).unwrap().problems, []);
    assert_eq!(differences(&library, &oriel.documents()), [""; 0]);
}

fn tell(shell: &mut ChildStdin, line: &str) {
    writeln!(shell, "{line}").unwrap();
}

#[test]
fn a_library_that_cannot_be_written_is_kept_up_once_it_can() {
    let oriel = Oriel::new();
    oriel.write("before.txt", "The kettle is on the stove.");
    let Some(mut watching) = watching_in_a_namespace(&oriel, "true") else { return };
    watching.until("indexed", &oriel.documents().join("before.txt"));
    watching.says("up to date, 1 document");
    let mut shell = watching.child.stdin.take().unwrap();
    // Mounted read-only, because the user of the tests may be root.
    tell(
        &mut shell,
        r#"mount --bind "$LIBRARY" "$LIBRARY" && mount -o remount,bind,ro "$LIBRARY" && echo "oriel: read-only" >&2"#,
    );
    watching.says("oriel: read-only");
    let words = ["the library", "Read-only file system", "permissions"];
    goes_on_by_itself(&oriel, &watching, &words, || tell(&mut shell, r#"umount "$LIBRARY""#));
    drop(watching);
    is_sound(&oriel);
}

#[test]
fn a_library_that_vanishes_is_kept_up_once_it_is_back() {
    let oriel = Oriel::new();
    oriel.write("before.txt", "The kettle is on the stove.");
    let watching = Watching::begin(&oriel);
    let away = oriel.beside("away");
    fs::rename(oriel.library(), &away).unwrap();
    goes_on_by_itself(&oriel, &watching, &["the library", "No such file"], || {
        assert!(!oriel.library().exists(), "none was begun in its place");
        fs::rename(&away, oriel.library()).unwrap();
    });
    watching.end();
    is_sound(&oriel);
}

/// The disk fails with this error from the write `at` on, perhaps in the middle of a commit.
fn a_disk_fails(errno: i32, word: &str, at: u32) {
    let oriel = Oriel::new();
    oriel.write("before.txt", "The kettle is on the stove.");
    oriel.json(&["add", oriel.documents().to_str().unwrap()]);
    let broken = oriel.beside("broken");
    let mut command: Command = oriel.command(&["watch", "--json"]);
    command.env("LD_PRELOAD", failing_disk(&oriel.beside(""))).env("ORIEL_FAULT_AT", at.to_string());
    command.env("ORIEL_FAULT_ERROR", errno.to_string()).env("ORIEL_FAULT_WHILE", &broken);
    let watching = Watching::spawn(command);
    watching.until("indexed", &oriel.documents().join("before.txt"));
    watching.says("up to date, 1 document");
    fs::write(&broken, "").unwrap();
    goes_on_by_itself(&oriel, &watching, &[word], || fs::remove_file(&broken).unwrap());
    watching.end();
    is_sound(&oriel);
}

/// Each of these disks fails from another write on.
fn disks_fail(writes: &[u32]) {
    std::thread::scope(|scope| {
        writes.iter().for_each(|&at| drop(scope.spawn(move || a_disk_fails(5, "failed", at))));
    });
}

#[test]
fn a_disk_that_fails_for_a_while_costs_nothing() {
    std::thread::scope(|scope| {
        scope.spawn(|| a_disk_fails(28, "full", 1));
        disks_fail(&[2, 5]);
    });
}

/// Some of these hit the page with which a commit ends: then the store refuses everything until it is opened again.
#[test]
#[ignore = "long: make stress"]
fn a_disk_that_fails_at_any_write_for_a_while_costs_nothing() {
    disks_fail(&[1, 2, 3, 4, 5, 6, 7]);
    disks_fail(&[8, 9, 10, 11, 12, 13, 14]);
}

#[test]
fn a_full_disk_that_gets_room_again_is_written_on() {
    let oriel = Oriel::new();
    oriel.write("before.txt", "The kettle is on the stove.");
    fs::create_dir(oriel.library()).unwrap();
    let documents = oriel.documents();
    let set_up = format!(
        r#"mount -t tmpfs -o size=20m tmpfs "$LIBRARY" &&
        "$ORIEL" --library "$LIBRARY" add '{}' > /dev/null"#,
        documents.display()
    );
    let Some(mut watching) = watching_in_a_namespace(&oriel, &set_up) else { return };
    watching.until("indexed", &documents.join("before.txt"));
    watching.says("up to date, 1 document");
    let mut shell = watching.child.stdin.take().unwrap();
    tell(&mut shell, r#"head -c 100M /dev/zero > "$LIBRARY/filler" 2> /dev/null; echo "oriel: filled" >&2"#);
    watching.says("oriel: filled");
    // Too much for the free pages of the data file.
    let large: String = (0..3_000).map(|line| format!("Entry {line} is of no use. ")).collect();
    oriel.write("large.txt", large);
    goes_on_by_itself(&oriel, &watching, &["disk with the library", "full", "free some space"], || {
        fs::remove_file(documents.join("large.txt")).unwrap();
        tell(&mut shell, r#"rm "$LIBRARY/filler""#);
    });
    // The mount disappears with the shell that made it.
    let report = oriel.beside("report");
    tell(
        &mut shell,
        &format!(
            r#"kill -INT $!; wait; "$ORIEL" --library "$LIBRARY" --json doctor > '{}'"#,
            report.display()
        ),
    );
    drop(shell);
    assert!(watching.child.wait().unwrap().success());
    let report: serde_json::Value = serde_json::from_str(&read(&report)).unwrap();
    assert_eq!(report["ok"], true, "{report}");
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap()
}
