//! The answers to requests.

use std::io::BufReader;
use std::io::Read as _;

use oriel_wire::serve::{Asked, ChatAnswer, FailureKind, Models, ToServer};
use serde_json::{Value, json};

use crate::setup::{Parent, head, response};

fn answer() -> ChatAnswer {
    let citation = json!({ "n": 1, "title": "a.txt", "url": "oriel://document/3", "path": "/d/a.txt" });
    let details = json!({ "abstained": false, "sentences": [] });
    ChatAnswer {
        text: "It fell to 14%. [1]\nIt rose later. [1]\n\n? no passage says this: It rose.".into(),
        citations: vec![citation],
        details: details.as_object().unwrap().clone(),
        prompt_tokens: 40,
        completion_tokens: 9,
    }
}

const CHAT: &str = "POST /v1/chat/completions";

#[test]
fn models_and_one_model() {
    let mut parent = Parent::new();
    for (first, status) in [("GET /v1/models", 200), ("GET /v1/models/mini", 200), ("GET /v1/models/x", 404)]
    {
        let stream = parent.request(first, "");
        let (number, program, asked) = parent.asked();
        assert_eq!((program.as_str(), asked), ("Test/1.0", Asked::Models));
        parent.answer(number, &Models { generator: "quotes".into(), embedder: Some("mini".into()) });
        let (found, _, body) = response(stream);
        assert_eq!(found, status, "{body}");
        if first == "GET /v1/models" {
            let ids: Vec<_> =
                body["data"].as_array().unwrap().iter().map(|model| model["id"].clone()).collect();
            assert_eq!(ids, ["oriel", "mini"]);
            assert_eq!(body["data"][0]["generator"], "quotes");
        }
    }
}

#[test]
fn an_answer_comes_whole_with_its_citations() {
    let mut parent = Parent::new();
    let body = json!({
        "model": "oriel", "temperature": 0.2, "tools": [], "n": null,
        "messages": [
            { "role": "system", "content": "Be brief." },
            { "role": "user", "content": "What was the ROI?" },
            { "role": "assistant", "content": "15%. [1]" },
            { "role": "user", "content": [
                { "type": "text", "text": "And" }, { "type": "text", "text": "in 2023?" },
            ] },
        ],
    });
    let stream = parent.request(CHAT, &body.to_string());
    let (number, _, asked) = parent.asked();
    assert_eq!(asked, Asked::Chat { questions: vec!["What was the ROI?".into(), "And\nin 2023?".into()] });
    parent.draft(number, "It fell to 12%");
    parent.answer(number, &answer());
    let (status, _, body) = response(stream);
    let message = &body["choices"][0]["message"];
    assert_eq!((status, &message["content"]), (200, &json!(answer().text)));
    assert_eq!(message["citations"][0]["path"], "/d/a.txt");
    let marks = message["annotations"].as_array().unwrap();
    assert_eq!((marks.len(), &marks[0]["url_citation"]["url"]), (2, &json!("oriel://document/3")));
    assert_eq!(body["usage"]["total_tokens"], 49);
    assert!(!body.to_string().contains("12%"), "a draft is no answer");
}

#[test]
fn an_answer_streams_and_only_what_is_checked_is_content() {
    let mut parent = Parent::new();
    let body = json!({
        "model": "oriel", "stream": true, "stream_options": { "include_usage": true },
        "messages": [{ "role": "user", "content": "Why?" }],
    });
    let mut stream = BufReader::new(parent.request(CHAT, &body.to_string()));
    let number = parent.asked().0;
    parent.draft(number, "It fell to 12%");
    let (status, lines) = head(&mut stream);
    assert!(status == 200 && lines.contains("text/event-stream"), "{lines}");
    parent.answer(number, &answer());
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    let data: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("data: ")).collect();
    assert_eq!(data.last(), Some(&"[DONE]"));
    let parts: Vec<Value> =
        data[..data.len() - 1].iter().map(|data| serde_json::from_str(data).unwrap()).collect();
    let of = |field: &str| -> String {
        parts.iter().filter_map(|part| part["choices"][0]["delta"][field].as_str()).collect()
    };
    assert_eq!((of("content"), of("reasoning_content")), (answer().text, "It fell to 12%".into()));
    let [.., last, usage] = parts.as_slice() else { panic!("{text}") };
    assert_eq!((&last["choices"][0]["finish_reason"], &usage["choices"]), (&json!("stop"), &json!([])));
    assert_eq!(last["choices"][0]["delta"]["citations"][0]["n"], 1);
    assert_eq!(usage["usage"]["prompt_tokens"], 40);
}

#[test]
fn a_failure_has_a_status_before_the_first_word_and_an_event_after_it() {
    let mut parent = Parent::new();
    let body =
        json!({ "model": "oriel", "stream": true, "messages": [{ "role": "user", "content": "Why?" }] });
    let failed = |number| {
        let message = "there is no library yet".to_owned();
        ToServer::Failed { number, kind: FailureKind::Unavailable, message }
    };
    let stream = parent.request(CHAT, &body.to_string());
    let number = parent.asked().0;
    parent.say(&failed(number), &[]);
    let (status, lines, json) = response(stream);
    assert_eq!((status, &json["error"]["message"]), (503, &json!("there is no library yet")));
    assert!(lines.contains("retry-after: 1"), "{lines}");
    let mut stream = BufReader::new(parent.request(CHAT, &body.to_string()));
    let number = parent.asked().0;
    parent.draft(number, "It");
    head(&mut stream);
    parent.say(&failed(number), &[]);
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    assert!(text.contains(r#"data: {"error":"#) && text.contains("data: [DONE]"), "{text}");
}

#[test]
fn vectors_come_as_numbers_and_as_base64() {
    let mut parent = Parent::new();
    let mut embed = |body: Value| {
        let stream = parent.request("POST /v1/embeddings", &body.to_string());
        let (number, _, asked) = parent.asked();
        let bytes: Vec<u8> = [1.0_f32, -0.5, 0.25, 0.0].iter().flat_map(|one| one.to_le_bytes()).collect();
        parent.say(&ToServer::Vectors { number, dimensions: 2, tokens: 6, length: 16 }, &bytes);
        (asked, response(stream).2)
    };
    let (asked, body) = embed(json!({ "model": "mini", "input": ["a", "b"], "input_type": "query" }));
    let texts = vec!["a".to_owned(), "b".to_owned()];
    assert_eq!(asked, Asked::Embeddings { model: "mini".into(), texts, are_queries: true });
    assert_eq!(body["data"][1]["embedding"], json!([0.25, 0.0]));
    assert_eq!((&body["usage"]["prompt_tokens"], &body["model"]), (&json!(6), &json!("mini")));
    let (_, body) = embed(json!({ "model": "mini", "input": "a", "encoding_format": "base64" }));
    assert_eq!(body["data"][0]["embedding"], "AACAPwAAAL8=");
    let (_, body) = embed(json!({ "model": "mini", "input": "a", "dimensions": 256 }));
    assert_eq!(body["error"]["param"], "dimensions");
}
