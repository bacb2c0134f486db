//! Nothing leaves the machine: no command except `models pull` opens a socket.

#![cfg(target_os = "linux")]

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::oriel::{Oriel, said, sample};

/// Runs the command under strace until it has answered all `requests`, and returns every network system call of all its
/// processes.
fn sockets(oriel: &Oriel, arguments: &[&str], requests: &[Value]) -> Option<String> {
    if Command::new("strace").arg("--version").output().is_err() {
        println!("skipped: strace is not here");
        return None;
    }
    let log = oriel.beside("strace.log");
    let mut process = Command::new("strace")
        .args(["--follow-forks", "--seccomp-bpf", "--trace=%network,execve", "--output"])
        .arg(&log)
        .arg(env!("CARGO_BIN_EXE_oriel"))
        .arg("--library")
        .arg(oriel.library())
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let (mut input, mut lines) =
        (process.stdin.take().unwrap(), BufReader::new(process.stdout.take().unwrap()));
    for request in requests {
        writeln!(input, "{request}").unwrap();
    }
    let mut waiting: Vec<&Value> = requests.iter().map(|request| &request["id"]).collect();
    while !waiting.is_empty() {
        let mut line = String::new();
        assert!(lines.read_line(&mut line).unwrap() > 0, "not answered: {waiting:?}");
        let answer: Value = serde_json::from_str(&line).unwrap();
        assert!(answer["result"].is_object() && answer["result"]["isError"] != true, "{answer}");
        waiting.retain(|id| **id != answer["id"]);
    }
    drop(input);
    process.stdout = Some(lines.into_inner());
    let output = process.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", said(&output));
    let calls = fs::read_to_string(&log).unwrap();
    assert!(calls.contains("execve("), "strace saw nothing: {calls}");
    let network = calls.lines().filter(|line| !line.contains("execve(") && line.contains('('));
    // A thread that ends with its process leaves a call without a name.
    Some(
        network
            .filter(|line| !["+++", "---", "???("].iter().any(|mark| line.contains(mark)))
            .map(|line| format!("{line}\n"))
            .collect(),
    )
}

#[test]
fn indexing_searching_and_answering_open_no_socket() {
    let oriel = Oriel::new();
    // One of each format.
    for name in [
        "Contracts/Lease 4 Ropewalk (2019).pdf",
        "Finance/Annual report 2023-24.docx",
        "Intranet/Who does what.html",
        "Letters/2024-03-14 Recall notice.txt",
        "Workshop Handbook.md",
    ] {
        oriel.write(name, fs::read(sample().join(name)).unwrap());
    }
    oriel.json(&["add", oriel.documents().to_str().unwrap()]);
    let (exam, page) = (oriel.beside("exam.jsonl"), oriel.beside("report.html"));
    fs::write(&exam, "{\"id\": 1, \"question\": \"Who is the king?\", \"answerable\": false}\n").unwrap();
    let call = |id: u32, tool: &str, arguments: Value| {
        let params = json!({"name": tool, "arguments": arguments});
        json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params})
    };
    let initialize = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}});
    let requests = [
        json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": initialize}),
        call(2, "search", json!({"query": "How long does the battery last?"})),
        call(3, "ask", json!({"question": "How many days off does everyone get in a year?"})),
        call(4, "verify", json!({"claim": "The battery lasts a year."})),
    ];
    for arguments in [
        &["index"][..],
        &["mcp"],
        &["search", "How long does the battery last?"],
        &["ask", "How many days off does everyone get in a year?"],
        &["ask", "How many days off does everyone get in a year?", "--model", "quotes"],
        &["eval", exam.to_str().unwrap(), "--compare", "chunks-100", "--report", page.to_str().unwrap()],
        &["doctor"],
        &["models", "list"],
    ] {
        let requests = if arguments == ["mcp"] { &requests[..] } else { &[] };
        let Some(calls) = sockets(&oriel, arguments, requests) else { return };
        assert_eq!(calls, "", "oriel {arguments:?} touched the network");
    }
}
