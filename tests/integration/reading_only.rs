//! A library that this user may not write can be searched and asked as usual, and is never changed.

use std::process::{Command, Output};

use crate::oriel::{Oriel, said};

/// Runs `oriel` with a read-only library folder. The test mounts it read-only, because the user of the tests may be
/// root. `None` if the system has no namespaces.
fn read_only(oriel: &Oriel, arguments: &[&str]) -> Option<Output> {
    let within = |script: &str| {
        let mut command = Command::new("unshare");
        command.args(["--user", "--map-root-user", "--mount", "sh", "-ec", script, "sh"]);
        command.env("LIBRARY", oriel.library()).env("XDG_DATA_HOME", oriel.beside("data"));
        command.env("ORIEL", env!("CARGO_BIN_EXE_oriel"));
        command
    };
    let mount = r#"mount --bind "$LIBRARY" "$LIBRARY"; mount -o remount,bind,ro "$LIBRARY""#;
    if !within(mount).output().is_ok_and(|output| output.status.success()) {
        println!("skipped: this system has no mount namespaces");
        return None;
    }
    let script = format!(r#"{mount}; exec "$ORIEL" --library "$LIBRARY" "$@""#);
    Some(within(&script).args(arguments).output().unwrap())
}

#[test]
fn a_library_that_cannot_be_written_is_searched_and_says_what_it_cannot_do() {
    let oriel = Oriel::new();
    let path = oriel.write("clock.txt", "The tide clock was made in Falmouth.");
    oriel.json(&["add", oriel.documents().to_str().unwrap()]);
    oriel.json(&["index"]);
    let question = "Where was the tide clock made?";
    let Some(asked) = read_only(&oriel, &["ask", question, "--model", "quotes"]) else { return };
    assert!(String::from_utf8_lossy(&asked.stdout).contains("Falmouth"), "{}", said(&asked));
    let again = read_only(&oriel, &["ask", "--continue", "And by whom?", "--model", "quotes"]).unwrap();
    assert!(again.status.success(), "the question before is kept elsewhere: {}", said(&again));
    for works in [
        &["status"][..],
        &["verify", "The clock was made in Falmouth."],
        &["show", path.to_str().unwrap()],
        &["doctor"],
    ] {
        let output = read_only(&oriel, works).unwrap();
        assert!(output.status.success(), "{works:?}: {}", said(&output));
    }
    for refused in [
        &["index"][..],
        &["watch"],
        &["add", "/tmp"],
        &["remove", oriel.documents().to_str().unwrap()],
        &["compact"],
        &["doctor", "--repair"],
    ] {
        let output = read_only(&oriel, refused).unwrap();
        assert!(
            !output.status.success() && said(&output).contains("can only be read here"),
            "{refused:?}: {}",
            said(&output)
        );
    }
    // A document that the library's owner adds is found at once.
    oriel.write("bell.txt", "The bell was cast in Truro.");
    oriel.json(&["index"]);
    let found = read_only(&oriel, &["search", "Where was the bell cast?"]).unwrap();
    assert!(String::from_utf8_lossy(&found.stdout).contains("Truro"), "{}", said(&found));
}
