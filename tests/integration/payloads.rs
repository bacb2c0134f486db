//! The shape of what scripts and other programs are given, held against a file. `ORIEL_WRITE_PAYLOADS=1` writes it.

use serde_json::{Map, Value, json};

use crate::mcp::Client;
use crate::oriel::{Oriel, repository};

const FILE: &str = "tests/fixtures/payloads.json";
const QUESTION: &str = "Who calibrates the instruments?";

#[test]
fn payloads_keep_their_shape() {
    let oriel = Oriel::with(&[
        (
            "lab.md",
            "# Lab\n\nMs Okafor calibrates the instruments twice a year.\nThe balance stands in room 4.\n",
        ),
        ("prices.csv", "item,price\nrope,4\npaint,9\n"),
        ("broken.pdf", "no PDF"),
    ]);
    let command = |arguments: &[&str]| oriel.json(arguments);
    let claim = "Ms Okafor calibrates the instruments three times a year.";
    let mut client = Client::new(&oriel, &["--model", "quotes"]);
    let mut tool = |name: &str, arguments: Value| client.result(name, &arguments);
    let shown = json!({
        "status": command(&["status"]),
        "search": command(&["search", QUESTION]),
        "ask": command(&["ask", "--model", "quotes", QUESTION]),
        "row": command(&["search", "What is the price of the rope?"]),
        "verify": command(&["verify", claim]),
        "verified": command(&["verify", "The balance stands in room 4."]),
        "mentions": command(&["mentions", "instruments"]),
        "table": command(&["table", "Where does the balance stand?"]),
        "show": command(&["show", oriel.documents().join("lab.md").to_str().unwrap()]),
        "doctor": command(&["doctor"]),
        "mcp": {
            "status": tool("status", json!({})),
            "search": tool("search", json!({"query": QUESTION})),
            "ask": tool("ask", json!({"question": QUESTION, "quotes": true})),
            "sum": tool("ask", json!({"question": "How many documents do I have?", "quotes": true})),
            "verify": tool("verify", json!({"claim": claim})),
            "words": tool("mentions", json!({"thing": "instruments"})),
            "meaning": tool("mentions", json!({"thing": "an instrument", "by": "meaning"})),
            "fetch": tool("fetch", json!({"id": "1"})),
        },
    });
    let shown = serde_json::to_string_pretty(&shape(shown)).unwrap() + "\n";
    let file = repository().join(FILE);
    if std::env::var_os("ORIEL_WRITE_PAYLOADS").is_some() {
        std::fs::write(&file, &shown).unwrap();
    }
    assert_eq!(shown, std::fs::read_to_string(&file).unwrap_or_default(), "{FILE}");
}

/// Each value as its type; of a list its first entry. Words that are one of a few stay.
fn shape(value: Value) -> Value {
    match value {
        Value::Object(fields) => fields
            .into_iter()
            .map(|(key, value)| {
                let value = match key.as_str() {
                    // What the machine has.
                    "recognition" | "backend" => "…".into(),
                    "verdict" | "model" | "kind" | "state" if value.is_string() => value,
                    _ => shape(value),
                };
                (key, value)
            })
            .collect::<Map<_, _>>()
            .into(),
        Value::Array(list) => list.into_iter().next().map(shape).into_iter().collect(),
        Value::String(_) => "text".into(),
        Value::Number(_) => "number".into(),
        other => other,
    }
}
