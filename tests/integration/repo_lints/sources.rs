//! Contents of files: no traces of the machine on which they were written, and command-line advice only in the command
//! line.

use std::path::PathBuf;
use std::process::Command;

use crate::oriel::repository;

/// The files of the git repository below these folders; `None` without a repository.
fn committed(folders: &[&str]) -> Option<Vec<PathBuf>> {
    if !repository().join(".git").exists() {
        println!("skipped: there is no repository here");
        return None;
    }
    let listed = Command::new("git")
        // The checkout may belong to another user than the one who runs the tests.
        .args(["-c", "safe.directory=*", "ls-files", "-z", "--"])
        .args(folders)
        .current_dir(repository())
        .output()
        .expect("git is here where its repository is");
    assert!(listed.status.success(), "git ls-files failed: {}", String::from_utf8_lossy(&listed.stderr));
    let names = String::from_utf8(listed.stdout).expect("names are UTF-8");
    Some(names.split_terminator('\0').map(PathBuf::from).collect())
}

/// The lines for which `is_wrong` is true, with file and line number.
fn found(files: &[PathBuf], is_wrong: impl Fn(&str) -> bool) -> Vec<String> {
    let mut found = Vec::new();
    for file in files {
        let bytes = std::fs::read(repository().join(file)).unwrap_or_default();
        if !bytes.iter().take(8_000).any(|byte| *byte == 0) {
            let text = String::from_utf8_lossy(&bytes);
            let lines = (1..).zip(text.lines()).filter(|(_, line)| is_wrong(line));
            found.extend(lines.map(|(at, line)| format!("{}:{at}: {line}", file.display())));
        }
    }
    found
}

#[test]
fn nothing_committed_names_the_machine_it_was_written_on() {
    // Split, so that this file itself does not match.
    let known = [["/wo", "rk/"], ["/ro", "ot/"], ["artif", "actory"], ["/api/", "pypi/"], ["/api/", "npm/"]];
    let known = known.map(|parts| parts.concat());
    let Some(files) = committed(&[]) else { return };
    assert!(files.len() > 30, "{} files are not all", files.len());
    let wrong = found(&files, |line| known.iter().any(|trace| line.to_lowercase().contains(trace)));
    assert!(wrong.is_empty(), "these belong to one machine:\n{}", wrong.join("\n"));
}

/// Whether a line tells the reader to type a command of ours.
fn tells_to_type(line: &str) -> bool {
    !line.trim_start().starts_with("//")
        && line.match_indices("oriel ").any(|(at, command)| {
            let is_part = |letter: char| letter.is_alphanumeric() || "-_/".contains(letter);
            let after = &line[at + command.len()..];
            !line[..at].ends_with(is_part) && after.starts_with(|letter: char| letter.is_ascii_lowercase())
        })
}

/// Messages of the engine are also shown in the app window.
#[test]
fn only_the_command_line_has_words_for_a_terminal() {
    assert!(tells_to_type("run 'oriel index'") && tells_to_type("oriel models pull x"));
    assert!(!tells_to_type("this Oriel reads it") && !tells_to_type("target/release/oriel is there"));
    let Some(mut files) = committed(&["crates", "remote", "src-tauri"]) else { return };
    let is_rust = |file: &PathBuf| file.extension().is_some_and(|end| end == "rs");
    files.retain(|file| {
        is_rust(file) && !["crates/cli", "crates/api"].iter().any(|one| file.starts_with(one))
    });
    assert!(files.len() > 100, "{} sources are not all", files.len());
    let wrong = found(&files, tells_to_type);
    assert!(wrong.is_empty(), "this is for crates/cli/src/advice.rs to say:\n{}", wrong.join("\n"));
}
