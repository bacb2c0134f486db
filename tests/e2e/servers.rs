//! A server writes the answers: one on this computer at once, another one only after it was named and confirmed.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};

use serde_json::json;

use crate::asking::{answered, ask};
use crate::harness::Harness;
use crate::library::{follow, read};
use crate::looks::look;
use crate::settings::open;

/// Answers one request as an OpenAI-compatible server with one model.
fn serve(mut stream: TcpStream) -> std::io::Result<()> {
    let mut input = BufReader::new(stream.try_clone()?);
    let (mut first, mut length) = (String::new(), 0);
    input.read_line(&mut first)?;
    loop {
        let mut line = String::new();
        input.read_line(&mut line)?;
        if let Some(value) = line.to_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().unwrap();
        }
        if line.trim().is_empty() {
            break;
        }
    }
    input.read_exact(&mut vec![0; length])?;
    let body = match first.split(' ').nth(1) {
        Some("/v1/models") => json!({"data": [{"id": "keeper-8b"}]}).to_string(),
        Some("/v1/chat/completions") => {
            let choice = json!({"delta": {"content": "The lamp turns once in nine seconds. [1]"}, "finish_reason": "stop"});
            format!("data: {}\n\ndata: [DONE]\n\n", json!({"choices": [choice]}))
        }
        _ => return write!(stream, "HTTP/1.1 404 Not Found\r\nconnection: close\r\n\r\n"),
    };
    write!(stream, "HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n{body}")
}

#[test]
fn a_server_is_connected_and_writes_and_another_computer_is_named_first() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let host = listener.local_addr().unwrap().to_string();
    std::thread::spawn(move || listener.incoming().flatten().for_each(|stream| drop(serve(stream))));
    let harness = Harness::new();
    harness.write("Harbour/lamp.md", "The lamp of Zennor Point turns once in nine seconds.");
    let app = follow(&harness, &["Harbour"]);
    read(&app, &["Harbour 1"]);
    open(&app, "Where it runs");
    app.press("Connect a server…");
    app.type_into("form.server input", "https://gpu.northwind.example/v1");
    app.press("Connect");
    app.until_text("[data-testid=send-ask]", "Send passages of your documents to gpu.northwind.example?");
    look(&app, "server-confirm");
    app.press("Stay offline");
    app.click("form.server input");
    app.keys("Ctrl+a");
    app.type_into("form.server input", &format!("http://{host}/v1"));
    app.press("Connect");
    app.until_text("[data-testid=settings]", "keeper-8b");
    app.until_text("[data-testid=status]", &format!("keeper-8b · {host}"));
    app.until_text("[data-testid=network]", "Offline");
    look(&app, "server");
    app.keys("Escape");
    ask(&app, "How often does the lamp turn?");
    answered(&app, 1);
    app.until_text("[data-turn]", "The lamp turns once in nine seconds.");
}
