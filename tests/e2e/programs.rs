//! Other programs: one is set up with the lines that the page shows, asks while the app is open, and sees what is not hidden.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::Stdio;

use serde_json::{Value, json};

use crate::harness::Harness;
use crate::library::{follow, read};
use crate::looks::look;
use crate::settings::open;

/// What a program finds that starts the command in `setup`: the names of the files.
fn found(harness: &Harness, setup: &Value, query: &str) -> Vec<String> {
    let oriel = &setup["mcpServers"]["oriel"];
    let arguments = oriel["args"].as_array().unwrap().iter().map(|one| one.as_str().unwrap());
    let mut command = harness.command(oriel["command"].as_str().unwrap());
    let mut server = command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let (mut input, output) = (server.stdin.take().unwrap(), BufReader::new(server.stdout.take().unwrap()));
    let client = json!({"name": "test", "version": "1"});
    for (id, method, params) in [
        (1, "initialize", json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client})),
        (2, "tools/call", json!({"name": "search", "arguments": {"query": query}})),
    ] {
        let request = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        writeln!(input, "{request}").unwrap();
    }
    let mut lines = output.lines().map(|line| serde_json::from_str::<Value>(&line.unwrap()).unwrap());
    let answer = lines.find(|message| message["id"] == 2).unwrap();
    drop(input);
    assert!(server.wait().unwrap().success());
    let results = answer["result"]["structuredContent"]["results"].as_array().unwrap().clone();
    results.iter().map(|one| one["title"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_program_asks_with_the_lines_that_are_shown_and_sees_what_is_not_hidden() {
    let harness = Harness::new();
    harness.write("Harbour/lamp.md", "The lamp of Zennor Point turns once in nine seconds.");
    harness.write("Tax/refund.md", "The tax refund for the lamp is 300 pounds.");
    let app = follow(&harness, &["Harbour", "Tax"]);
    read(&app, &["Harbour 1", "Tax 1"]);
    open(&app, "Other programs");
    app.until_text("[data-testid=program-cursor]", "Not set up");
    app.click("[data-testid=program-cursor] button");
    let setup: Value = serde_json::from_str(&app.text(".lines pre")).unwrap();
    app.press("Copy");
    app.until_text("[data-testid=copy-setup]", "Copied");

    let mut titles = found(&harness, &setup, "lamp");
    titles.sort();
    assert_eq!(titles, ["lamp.md", "refund.md"]);
    app.press("Tax");
    app.until_text("[data-testid=settings]", "1 file, hidden from them");
    assert_eq!(found(&harness, &setup, "lamp"), ["lamp.md"]);

    fs::create_dir(harness.home().join(".cursor")).unwrap();
    fs::write(harness.home().join(".cursor/mcp.json"), setup.to_string()).unwrap();
    open(&app, "General");
    open(&app, "Other programs");
    app.until("Cursor is set up", || !app.text("[data-testid=program-cursor]").contains("Not set up"));
    assert!(app.text("[data-testid=asked-log]").contains("“lamp”"));
    app.until_text("[data-testid=settings]", "1 file, hidden from them");
    app.click("[data-testid=program-cursor] button");
    app.one(".lines pre");
    look(&app, "programs");
}
