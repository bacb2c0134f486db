//! `oriel mcp` as other programs see it: JSON-RPC over the pipe, with clients of several protocol versions.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::oriel::{Oriel, text};

/// A client of one server.
pub(crate) struct Client {
    server: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    asked: u64,
}

impl Client {
    /// Starts the server and initialises the session.
    pub(crate) fn new(oriel: &Oriel, flags: &[&str]) -> Self {
        let arguments = [&["mcp"], flags].concat();
        let mut command = oriel.command(&arguments);
        let mut server = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let input = server.stdin.take();
        let output = BufReader::new(server.stdout.take().unwrap());
        let mut client = Self { server, input, output, asked: 0 };
        client.ask("initialize", &initialize("2025-06-18"));
        client.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}).to_string());
        client
    }

    fn send(&mut self, line: &str) {
        writeln!(self.input.as_ref().unwrap(), "{line}").unwrap();
    }

    fn receive(&mut self) -> Value {
        let mut line = String::new();
        assert!(self.output.read_line(&mut line).unwrap() > 0, "the server has gone");
        serde_json::from_str(&line).unwrap()
    }

    /// The response to a request; it must be the next message.
    fn ask(&mut self, method: &str, params: &Value) -> Value {
        self.asked += 1;
        let id = self.asked;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).to_string());
        let answer = self.receive();
        assert_eq!(answer["id"], id, "{answer}");
        answer
    }

    /// The whole result of a tool.
    fn call(&mut self, tool: &str, arguments: &Value) -> Value {
        self.ask("tools/call", &json!({"name": tool, "arguments": arguments}))["result"].take()
    }

    /// The content of a tool's result; the tool must succeed.
    pub(crate) fn result(&mut self, tool: &str, arguments: &Value) -> Value {
        let mut result = self.call(tool, arguments);
        assert_eq!(result["isError"], false, "{tool} {arguments}: {result}");
        result["structuredContent"].take()
    }

    /// The message of a tool's error.
    fn failure(&mut self, tool: &str, arguments: &Value) -> String {
        let result = self.call(tool, arguments);
        assert_eq!(result["isError"], true, "{tool} {arguments}: {result}");
        text(&result["content"][0]["text"]).to_owned()
    }

    /// Closes the input and returns the remaining messages of the server.
    fn rest(mut self) -> Vec<Value> {
        self.input = None;
        let mut rest = String::new();
        self.output.read_to_string(&mut rest).unwrap();
        assert!(self.server.wait().unwrap().success());
        rest.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

fn initialize(version: &str) -> Value {
    json!({"protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}})
}

fn titles(results: &Value) -> Vec<&str> {
    results.as_array().unwrap().iter().map(|one| text(&one["title"])).collect()
}

#[test]
fn clients_of_every_version_are_served_and_the_server_is_there_at_once() {
    let oriel = Oriel::with(&[("a.txt", "The tide is low.")]);
    let begun = Instant::now();
    drop(Client::new(&oriel, &[]));
    assert!(begun.elapsed() < Duration::from_secs(1), "{:?}", begun.elapsed());
    for (asked, spoken) in [
        ("2024-11-05", "2024-11-05"),
        ("2025-03-26", "2025-03-26"),
        ("2025-11-25", "2025-11-25"),
        ("1999-01-01", "2025-11-25"),
    ] {
        let mut client = Client::new(&oriel, &[]);
        let answer = client.ask("initialize", &initialize(asked));
        assert_eq!(answer["result"]["protocolVersion"], spoken);
        assert_eq!(client.ask("ping", &json!({}))["result"], json!({}));
    }
}

#[test]
fn a_wrong_line_is_answered_and_the_next_one_is_heard() {
    let oriel = Oriel::with(&[("a.txt", "The tide is low.")]);
    let mut client = Client::new(&oriel, &[]);
    for (line, id, code) in [
        ("{\"jsonrpc\": \"2.0\", \"id\": 7,".to_owned(), Value::Null, -32700),
        ("[]".to_owned(), Value::Null, -32600),
        ("{\"id\": 8}".to_owned(), json!(8), -32600),
        (format!("{{\"id\": \"{}\"}}", "x".repeat(2 << 20)), Value::Null, -32600),
        (
            json!({"jsonrpc": "2.0", "id": 9, "method": "tools/call", "params": {"name": 3}}).to_string(),
            json!(9),
            -32602,
        ),
        (json!({"jsonrpc": "2.0", "id": 10, "method": "tools/write"}).to_string(), json!(10), -32601),
        (
            json!({"jsonrpc": "2.0", "id": 11, "method": "tools/call", "params": {"name": "write"}})
                .to_string(),
            json!(11),
            -32602,
        ),
    ] {
        client.send(&line);
        let answer = client.receive();
        assert_eq!((&answer["id"], &answer["error"]["code"]), (&id, &json!(code)), "{answer}");
        assert!(!text(&answer["error"]["message"]).contains('\n'), "{answer}");
    }
    for (tool, arguments, word) in [
        ("search", json!({"query": " "}), "empty"),
        ("search", json!({"query": "tide", "limit": 0}), "50"),
        ("search", json!({"query": "tide", "folder": "/"}), "scope"),
        ("search", json!({"query": "tide", "scope": {"since": "yesterday"}}), "yesterday"),
        ("search", json!({"query": "tide", "scope": {"kinds": ["exe"]}}), "pdf"),
        ("search", json!({"query": "tide", "scope": {"within": ["/nowhere"]}}), "/nowhere"),
        ("fetch", json!({"id": "first"}), "17:340-402@5f0c1a"),
        ("fetch", json!({"id": "0", "start": 5000}), "16 bytes"),
    ] {
        let failure = client.failure(tool, &arguments);
        assert!(failure.contains(word) && !failure.contains('\n'), "{tool} {arguments}: {failure}");
    }
    // The last line has no line break, and is still answered.
    let last = json!({"jsonrpc": "2.0", "id": 12, "method": "tools/call",
        "params": {"name": "search", "arguments": {"query": "When is the tide low?"}}});
    write!(client.input.as_ref().unwrap(), "{last}").unwrap();
    let rest = client.rest();
    assert_eq!(rest.len(), 1, "{rest:?}");
    assert_eq!(rest[0]["result"]["structuredContent"]["results"][0]["sentence"], "The tide is low.");
}

#[test]
fn a_hidden_folder_is_as_if_it_were_not_there() {
    let oriel = Oriel::with(&[
        ("open/harbour.txt", "The harbour office opens at nine."),
        ("tax/refund.txt", "The harbour refund is 300 euros."),
    ]);
    let tax = oriel.documents().join("tax");
    let mut all = Client::new(&oriel, &[]);
    let found = all.result("search", &json!({"query": "harbour refund"}));
    assert_eq!(titles(&found["results"])[0], "refund.txt");
    let secret = found["results"][0].clone();

    let mut told = Client::new(&oriel, &["--without", tax.to_str().unwrap()]);
    // The same through the settings, also for a server that is already running.
    let list = json!({"hidden": [tax]}).to_string();
    fs::write(oriel.library().join("programs.json"), list).unwrap();
    for client in [&mut all, &mut told] {
        let found = client.result("search", &json!({"query": "harbour refund"}));
        assert_eq!(titles(&found["results"]), ["harbour.txt"]);
        let asked = json!({"question": "How much is the harbour refund?", "quotes": true});
        assert!(!client.result("ask", &asked).to_string().contains("300 euros"));
        let verified = client.result("verify", &json!({"claim": "The harbour refund is 300 euros."}));
        assert!(!verified.to_string().contains("refund.txt"), "{verified}");
        for by in ["words", "meaning"] {
            let counted = client.result("mentions", &json!({"thing": "harbour", "by": by}));
            assert_eq!(counted["coverage"]["searched"], 1, "by {by}");
            assert!(!counted.to_string().contains("refund.txt"), "by {by}: {counted}");
        }
        let status = client.result("status", &json!({}));
        assert_eq!(status["documents"]["read"], 1);
        let resources = client.ask("resources/list", &json!({}))["result"]["resources"].take();
        assert_eq!(resources.as_array().unwrap().len(), 1, "{resources}");
        // It looks the same as a document that never existed.
        let hidden = client.failure("fetch", &json!({"id": secret["id"]}));
        let number = text(&secret["id"]).split(':').next().unwrap();
        assert_eq!(hidden.replace(number, "99"), client.failure("fetch", &json!({"id": "99"})));
        let error = client.ask("resources/read", &json!({"uri": secret["url"]}));
        assert_eq!(error["error"]["code"], -32002, "{error}");
        let within = |name: &str| json!({"query": "refund", "scope": {"within": [tax.join(name)]}});
        let hidden = client.failure("search", &within("refund.txt")).replace("refund.txt", "");
        assert_eq!(hidden, client.failure("search", &within("none.txt")).replace("none.txt", ""));
    }
    // A list that cannot be read hides everything.
    fs::write(oriel.library().join("programs.json"), "half of a l").unwrap();
    assert!(told.failure("search", &json!({"query": "harbour"})).contains("programs.json"));
}

#[test]
fn what_was_indexed_since_is_there_and_a_cancelled_request_is_not_answered() {
    let oriel = Oriel::new();
    let mut client = Client::new(&oriel, &[]);
    let nothing = client.failure("search", &json!({"query": "kettle"}));
    assert!(nothing.contains("oriel add"), "{nothing}");
    assert!(!oriel.library().exists(), "a question made a library");
    oriel.write("a.txt", "The kettle is on the stove.");
    oriel.json(&["add", oriel.documents().to_str().unwrap()]);
    oriel.json(&["index"]);
    let found = client.result("search", &json!({"query": "Where is the kettle?"}));
    assert_eq!(titles(&found["results"]), ["a.txt"]);
    oriel.write("b.txt", "The ladle hangs at the smithy.");
    oriel.json(&["index"]);
    let found = client.result("search", &json!({"query": "Where does the ladle hang?", "limit": 1}));
    assert_eq!(titles(&found["results"]), ["b.txt"]);

    // Changed since, so its bytes differ from those that were read.
    assert_eq!(text(&found["results"][0]["sha256"]).len(), 64);
    oriel.write("b.txt", "The ladle was sold.");
    let found = client.result("search", &json!({"query": "Where does the ladle hang?", "limit": 1}));
    assert_eq!(found["results"][0]["sha256"], Value::Null);
    let old = found["results"][0].clone();
    client.result("fetch", &json!({"id": old["id"]}));
    oriel.json(&["index"]);
    assert!(client.failure("fetch", &json!({"id": old["id"]})).contains("read anew"));
    let error = client.ask("resources/read", &json!({"uri": old["url"]}))["error"]["message"].take();
    assert!(text(&error).contains("read anew"), "{error}");
    client.ask("resources/list", &json!({}));
    let log = fs::read_to_string(oriel.library().join("asked-by-programs.jsonl")).unwrap();
    let noted = log.lines().map(|line| serde_json::from_str(line).unwrap()).collect::<Vec<Value>>();
    let tools: Vec<_> = noted.iter().rev().take(4).map(|one| text(&one["tool"])).collect();
    assert_eq!(tools, ["list", "fetch", "fetch", "fetch"]);

    let question = json!({"name": "ask", "arguments": {"question": "Where is the kettle?"}});
    let (ask, cancel) = (
        json!({"jsonrpc": "2.0", "id": 1000, "method": "tools/call", "params": question}),
        json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1000}}),
    );
    client.send(&ask.to_string());
    client.send(&cancel.to_string());
    let begun = Instant::now();
    client.result("status", &json!({}));
    assert_eq!(client.rest(), Vec::<Value>::new(), "the cancelled request was answered");
    assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
}
