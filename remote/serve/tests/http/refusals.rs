//! Refused requests and their error responses.

use std::io::{BufReader, Read as _, Write as _};

use crate::setup::{Parent, TOKEN, head, response};

#[test]
fn who_does_not_know_the_token_or_comes_from_a_page_is_refused() {
    let parent = Parent::new();
    let [host, key] = parent.good();
    let (host, key) = (host.as_str(), key.as_str());
    let port = parent.port;
    let wrong_port = format!("host: 127.0.0.1:{}", port.wrapping_add(1));
    let longer = format!("{key}0");
    let shorter = key[..key.len() - 1].to_owned();
    let basic = format!("authorization: Basic {TOKEN}");
    let elsewhere = format!("host: evil.example:{port}");
    let cases: [(&str, &[&str], u16, &str); 12] = [
        ("GET /v1/models", &[host], 401, "invalid_api_key"),
        ("GET /", &[host], 401, "invalid_api_key"),
        ("GET /v1/models", &[host, "authorization: Bearer"], 401, "invalid_api_key"),
        ("GET /v1/models", &[host, &longer], 401, "invalid_api_key"),
        ("GET /v1/models", &[host, &shorter], 401, "invalid_api_key"),
        ("GET /v1/models", &[host, &basic], 401, "invalid_api_key"),
        ("GET /v1/models", &[&elsewhere, key], 403, "wrong_host"),
        ("GET /v1/models", &[&wrong_port, key], 403, "wrong_host"),
        ("GET /v1/models", &["host: 127.0.0.1", key], 403, "wrong_host"),
        ("GET /v1/models", &[host, key, "origin: http://localhost:3000"], 403, "no_browser"),
        ("OPTIONS /v1/models", &[host, key], 403, "no_browser"),
        ("GET http://evil.example/v1/models", &[host, key], 403, "wrong_host"),
    ];
    for (first, lines, status, code) in cases {
        let (found, head, body) = response(parent.send(first, lines, ""));
        assert_eq!((found, body["error"]["code"].as_str()), (status, Some(code)), "{first} {lines:?}");
        assert!(body["error"]["message"].as_str().is_some_and(|line| !line.contains('\n')));
        assert!(!head.contains("access-control"), "no page is let in: {head}");
    }
    assert!(parent.frames.try_recv().is_err(), "Oriel hears nothing of it");
}

#[test]
fn what_cannot_be_answered_is_said_in_one_line() {
    let parent = Parent::new();
    let chat = "POST /v1/chat/completions";
    let embed = "POST /v1/embeddings";
    let long = format!(
        r#"{{"model": "oriel", "messages": [{{"role": "user", "content": "{}"}}]}}"#,
        "x".repeat(20_000)
    );
    let many = format!(r#"{{"model": "m", "input": [{}"x"]}}"#, r#""x","#.repeat(3_000));
    let user = r#"[{"role": "user", "content": "Why?"}]"#;
    let with = |rest: &str| format!(r#"{{"model": "oriel", "messages": {user}, {rest}}}"#);
    let cases: [(&str, String, u16, &str, &str); 18] = [
        ("GET /v1/files", String::new(), 404, "unknown_url", "/v1/embeddings"),
        ("GET /v1/embeddings", String::new(), 405, "wrong_method", "GET"),
        (chat, "x".repeat((1 << 20) + 1), 413, "too_large", "1024 KiB"),
        (chat, "{".into(), 400, "invalid_json", "JSON"),
        (chat, "\u{0}\u{7f}ÿ".into(), 400, "invalid_json", "JSON"),
        (chat, r#"{"model": "oriel"}"#.into(), 400, "invalid_json", "messages"),
        (chat, r#"{"model": "gpt-5", "messages": []}"#.into(), 404, "model_not_found", "oriel"),
        (chat, r#"{"model": "oriel", "messages": []}"#.into(), 400, "invalid_value", "user"),
        (
            chat,
            r#"{"model": "oriel", "messages": [{"role": "user", "content": " "}]}"#.into(),
            400,
            "invalid_value",
            "empty",
        ),
        (
            chat,
            r#"{"model": "oriel", "messages": [{"role": "user", "content": [{"type": "image_url"}]}]}"#
                .into(),
            400,
            "invalid_value",
            "pictures",
        ),
        (chat, long, 400, "invalid_value", "16000"),
        (chat, with(r#""n": 2"#), 400, "invalid_value", "n is 1"),
        (chat, with(r#""response_format": {"type": "json_object"}"#), 400, "invalid_value", "text"),
        (chat, with(r#""tool_choice": "required""#), 400, "invalid_value", "tools"),
        (embed, r#"{"model": "m", "input": [[1, 2]]}"#.into(), 400, "invalid_value", "tokens"),
        (embed, r#"{"model": "m", "input": []}"#.into(), 400, "invalid_value", "empty"),
        (
            embed,
            r#"{"model": "m", "input": "x", "encoding_format": "int8"}"#.into(),
            400,
            "invalid_value",
            "base64",
        ),
        (embed, many, 400, "invalid_value", "2048"),
    ];
    for (first, body, status, code, part) in cases {
        let (found, _, json) = response(parent.request(first, &body));
        let message = json["error"]["message"].as_str().unwrap_or_default();
        let begin: String = body.chars().take(80).collect();
        assert_eq!((found, json["error"]["code"].as_str()), (status, Some(code)), "{begin}: {message}");
        assert!(message.contains(part) && !message.contains('\n'), "{begin}: {message}");
    }
    assert!(parent.frames.try_recv().is_err(), "Oriel hears nothing of it");
}

#[test]
fn garbage_and_clients_that_never_finish_keep_nobody_out() {
    let parent = Parent::new();
    // Some never finish a head or a body, and some do not speak HTTP.
    let mut slow: Vec<_> = (0..40).map(|_| parent.connect()).collect();
    let [host, key] = parent.good();
    for (at, stream) in slow.iter_mut().enumerate() {
        let begin = match at % 3 {
            0 => "GET /v1/models HTTP/1.1\r\nhost: ".to_owned(),
            1 => format!("POST /v1/embeddings HTTP/1.1\r\n{host}\r\n{key}\r\ncontent-length: 99\r\n\r\n{{"),
            _ => "\u{16}\u{3}\u{1}\u{2}no HTTP at all\r\n\r\n".to_owned(),
        };
        stream.write_all(begin.as_bytes()).unwrap();
    }
    let (status, _, _) = response(parent.send("GET /", &[&host], ""));
    assert_eq!(status, 401, "others are served meanwhile");
    // The head never ends, so the program gives up on it.
    let mut rest = Vec::new();
    slow.swap_remove(0).read_to_end(&mut rest).unwrap();
    assert!(!String::from_utf8_lossy(&rest).contains("200 OK"));
    let mut huge = parent.connect();
    let line = format!("x: {}\r\n", "y".repeat(1_000));
    let sent = huge.write_all(format!("GET / HTTP/1.1\r\n{}\r\n", line.repeat(200)).as_bytes());
    // The program may close the connection while this is sent.
    if sent.is_ok() {
        let mut huge = BufReader::new(huge);
        assert_eq!(head(&mut huge).0, 431);
    }
    assert!(parent.frames.try_recv().is_err(), "Oriel hears nothing of it");
}
