//! Nothing leaves the machine: no command but `models pull` opens a socket.

#![cfg(target_os = "linux")]

use std::fs;
use std::process::Command;

use crate::oriel::{Oriel, said, sample};

/// Runs the command under strace and returns every call that has to do with the network, of all its processes.
fn sockets(oriel: &Oriel, arguments: &[&str]) -> Option<String> {
    if Command::new("strace").arg("--version").output().is_err() {
        println!("skipped: strace is not here");
        return None;
    }
    let log = oriel.beside("strace.log");
    let output = Command::new("strace")
        .args(["--follow-forks", "--seccomp-bpf", "--trace=%network,execve", "--output"])
        .arg(&log)
        .arg(env!("CARGO_BIN_EXE_oriel"))
        .arg("--library")
        .arg(oriel.library())
        .args(arguments)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", said(&output));
    let calls = fs::read_to_string(&log).unwrap();
    assert!(calls.contains("execve("), "strace saw nothing: {calls}");
    let network = calls.lines().filter(|line| !line.contains("execve(") && line.contains('('));
    Some(
        network
            .filter(|line| !line.contains("+++") && !line.contains("---"))
            .map(|line| format!("{line}\n"))
            .collect(),
    )
}

#[test]
fn indexing_searching_and_answering_open_no_socket() {
    let oriel = Oriel::new();
    oriel.json(&["add", sample().to_str().unwrap()]);
    let (exam, page) = (oriel.beside("exam.jsonl"), oriel.beside("report.html"));
    fs::write(&exam, "{\"id\": 1, \"question\": \"Who is the king?\", \"answerable\": false}\n").unwrap();
    for arguments in [
        &["index"][..],
        &["search", "How long does the battery last?"],
        &["ask", "How many days off does everyone get in a year?"],
        &["ask", "How many days off does everyone get in a year?", "--model", "quotes"],
        &["eval", exam.to_str().unwrap(), "--compare", "chunks-100", "--report", page.to_str().unwrap()],
        &["doctor"],
        &["models", "list"],
    ] {
        let Some(calls) = sockets(&oriel, arguments) else { return };
        assert_eq!(calls, "", "oriel {arguments:?} touched the network");
    }
}
