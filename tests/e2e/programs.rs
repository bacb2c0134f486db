//! Other programs: one is set up with the configuration that the page shows, asks while the app is open, and does not
//! see hidden folders. Another one asks at the local address while that is switched on.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::process::Stdio;

use serde_json::{Value, json};

use crate::harness::Harness;
use crate::library::{follow, read};
use crate::looks::look;
use crate::settings::open;

/// Starts the command in `setup` as a program would and searches; returns the names of the files.
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
#[ignore = "journey: make test-window"]
fn a_program_asks_with_the_lines_that_are_shown_and_sees_what_is_not_hidden() {
    let harness = Harness::new();
    harness.write("Harbour/lamp.md", "The lamp of Zennor Point turns once in nine seconds.");
    harness.write("Tax/refund.md", "The tax refund for the lamp is 300 pounds.");
    let app = follow(&harness, &["Harbour", "Tax"]);
    read(&app, &["Harbour 1", "Tax 1"]);
    open(&app, "Other programs");
    app.until_text("[data-testid=program-cursor]", "Not set up");
    app.click("[data-testid=program-cursor] button");
    let setup: Value = serde_json::from_str(&app.text("[data-testid=settings] pre")).unwrap();
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
    app.one("[data-testid=settings] pre");
    look(&app, "programs");
}

/// The response at the local address: status line and body. `None` if no process listens.
fn asked(port: u16, key: &str, question: &str) -> Option<String> {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).ok()?;
    let body = json!({"model": "oriel", "messages": [{"role": "user", "content": question}]}).to_string();
    write!(
        stream,
        "POST /v1/chat/completions HTTP/1.1\r\nhost: localhost:{port}\r\nauthorization: Bearer {key}\r\n\
         connection: close\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    )
    .unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    Some(answer)
}

#[test]
fn the_local_address_is_off_until_it_is_switched_on_and_ends_with_the_app() {
    let harness = Harness::new();
    harness.write("Harbour/lamp.md", "The lamp of Zennor Point turns once in nine seconds.");
    let app = follow(&harness, &["Harbour"]);
    read(&app, &["Harbour 1"]);
    open(&app, "Other programs");
    let local = "[data-testid=local-address]";
    app.until_text(local, "any program on this computer that has the key can ask");
    let key_file = harness.library().join("serve-token");
    assert!(!key_file.exists() && harness.running("oriel-serve").is_empty(), "it is off");

    // Another program may have the port already; this test makes sure that one has.
    let taken = TcpListener::bind("127.0.0.1:7766");
    app.press("Programs on this computer can ask");
    app.until_text(local, "port 7766 of this computer is in use");
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    app.run("document.querySelector('input[type=number]').value = ''", json!([]));
    app.type_into("input[type=number]", &port.to_string());
    app.press("Try this port");
    app.until_text(local, &format!("http://127.0.0.1:{port}/v1"));
    drop(taken);

    let key = fs::read_to_string(&key_file).unwrap();
    let answer = asked(port, key.trim(), "How fast does the lamp of Zennor Point turn?").unwrap();
    assert!(answer.starts_with("HTTP/1.1 200") && answer.contains("nine seconds"), "{answer}");
    assert!(asked(port, "or-wrong", "?").unwrap().starts_with("HTTP/1.1 401"));
    open(&app, "General");
    open(&app, "Other programs");
    app.until_text("[data-testid=asked-log]", "How fast does the lamp of Zennor Point turn?");
    look(&app, "local-address");

    let app = app.restart();
    app.until("it answers again", || asked(port, "or-wrong", "?").is_some());
    open(&app, "Other programs");
    app.until_text(local, &format!("http://127.0.0.1:{port}/v1"));
    app.press("Programs on this computer can ask");
    app.until("it is off", || harness.running("oriel-serve").is_empty());
    assert_eq!(asked(port, key.trim(), "?"), None);
    app.press("Programs on this computer can ask");
    app.until("it is on", || !harness.running("oriel-serve").is_empty());
    app.close();
    assert!(harness.running("oriel-serve").is_empty(), "it ends with the app");
}
