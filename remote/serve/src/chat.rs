//! Answers, whole or as a stream of events.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::time::Duration;

use axum::Json;
use axum::body::Body;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse as _, Response};
use futures_util::{Stream, stream};
use oriel_wire::serve::{Asked, CHAT_MODEL, ChatAnswer, MAX_QUESTION_CHARS};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::asker::{Asker, Working, body, now, of_parent};
use crate::errors::Refusal;
use crate::pipe::Said;

/// Number of questions of a conversation that are used: a follow-up refers to the last few.
const MAX_QUESTIONS: usize = 9;
/// How often a stream without data sends a keep-alive.
const KEEP_ALIVE: Duration = Duration::from_secs(10);

/// The fields of a request that matter. Others, such as the temperature, are ignored.
#[derive(Debug, Deserialize)]
pub(crate) struct ChatBody {
    model: String,
    messages: Vec<Message>,
    stream: Option<bool>,
    stream_options: Option<StreamOptions>,
    n: Option<u32>,
    response_format: Option<Value>,
    tool_choice: Option<Value>,
}

#[derive(Debug, Deserialize)]
struct StreamOptions {
    include_usage: Option<bool>,
}

#[derive(Debug, Deserialize)]
struct Message {
    role: String,
    content: Option<Content>,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Content {
    Text(String),
    Parts(Vec<Part>),
}

#[derive(Debug, Deserialize)]
struct Part {
    r#type: String,
    text: Option<String>,
}

impl ChatBody {
    /// The questions of the conversation, oldest first.
    fn questions(&self) -> Result<Vec<String>, Refusal> {
        if self.model != CHAT_MODEL {
            return Err(Refusal::no_model(format!(
                "there is no chat model of this name; it is '{CHAT_MODEL}'"
            )));
        }
        if self.n.is_some_and(|n| n != 1) {
            return Err(Refusal::parameter("n", "there is one answer to a question; n is 1"));
        }
        if self.response_format.as_ref().is_some_and(|format| format["type"] != "text") {
            return Err(Refusal::parameter(
                "response_format",
                "answers are text; response_format is {\"type\": \"text\"}",
            ));
        }
        let tools =
            self.tool_choice.as_ref().filter(|choice| !matches!(choice.as_str(), Some("auto" | "none")));
        if tools.is_some() {
            return Err(Refusal::parameter(
                "tool_choice",
                "Oriel calls no tools; tool_choice is auto or none",
            ));
        }
        let asked = self.messages.iter().filter(|message| message.role == "user");
        let mut questions: Vec<String> = asked.map(Message::text).collect::<Result<_, _>>()?;
        let Some(last) = questions.last() else {
            return Err(Refusal::parameter(
                "messages",
                "the messages have none of the user; the last one is asked",
            ));
        };
        if last.trim().is_empty() {
            return Err(Refusal::parameter(
                "messages",
                "the question is empty; it is the last message of the user",
            ));
        }
        let length = last.chars().count();
        if length > MAX_QUESTION_CHARS {
            let why = format!("the question has {length} characters; {MAX_QUESTION_CHARS} are read at most");
            return Err(Refusal::parameter("messages", why));
        }
        questions.drain(..questions.len().saturating_sub(MAX_QUESTIONS));
        // A long text that was asked earlier is not a question to refer to.
        let last = questions.len() - 1;
        let mut at = 0;
        questions.retain(|one| {
            at += 1;
            at > last || one.chars().count() <= MAX_QUESTION_CHARS
        });
        Ok(questions)
    }
}

impl Message {
    fn text(&self) -> Result<String, Refusal> {
        match &self.content {
            None => Ok(String::new()),
            Some(Content::Text(text)) => Ok(text.clone()),
            Some(Content::Parts(parts)) => {
                let text = |part: &Part| match (part.r#type.as_str(), &part.text) {
                    ("text", Some(text)) => Ok(text.clone()),
                    _ => Err(Refusal::parameter(
                        "messages",
                        "messages are read as text alone, without pictures, sound or files",
                    )),
                };
                Ok(parts.iter().map(text).collect::<Result<Vec<_>, _>>()?.join("\n"))
            }
        }
    }
}

pub(crate) async fn complete(
    State(asker): State<Asker>,
    headers: HeaderMap,
    request: Body,
) -> Result<Response, Refusal> {
    let body: ChatBody = body(request).await?;
    let asked = Asked::Chat { questions: body.questions()? };
    let mut working = asker.ask(&headers, &asked)?;
    let completion = Completion::new();
    if body.stream != Some(true) {
        loop {
            if let Said::Answered(json) = working.next().await? {
                return Ok(Json(completion.whole(of_parent(&json)?)).into_response());
            }
        }
    }
    // An error before the first word gets its own status code.
    let first = working.next().await?;
    let with_usage = body.stream_options.is_some_and(|options| options.include_usage == Some(true));
    let mut streamed = Streamed { completion, with_usage, working: Some(working), events: VecDeque::new() };
    streamed.begin();
    streamed.add(Ok(first));
    let keep_alive = KeepAlive::new().interval(KEEP_ALIVE);
    Ok(Sse::new(streamed.events()).keep_alive(keep_alive).into_response())
}

/// The fields that are the same in all parts of an answer.
struct Completion {
    id: String,
    created: u64,
}

impl Completion {
    fn new() -> Self {
        use std::sync::atomic::{AtomicU64, Ordering};

        static LAST: AtomicU64 = AtomicU64::new(0);
        let created = now();
        Self { id: format!("chatcmpl-{created:x}-{}", LAST.fetch_add(1, Ordering::Relaxed)), created }
    }

    fn whole(&self, mut answer: ChatAnswer) -> Value {
        let usage = usage(&answer);
        let content = std::mem::take(&mut answer.text);
        let mut message = provenance(answer, &content);
        message.extend([
            ("role".to_owned(), Value::from("assistant")),
            ("content".to_owned(), Value::from(content)),
            ("refusal".to_owned(), Value::Null),
        ]);
        json!({
            "id": self.id, "object": "chat.completion", "created": self.created, "model": CHAT_MODEL,
            "choices": [{ "index": 0, "message": message, "logprobs": null, "finish_reason": "stop" }],
            "usage": usage,
        })
    }

    fn part(&self, delta: impl Into<Value>, finish: Option<&str>) -> Value {
        json!({
            "id": self.id, "object": "chat.completion.chunk", "created": self.created, "model": CHAT_MODEL,
            "choices": [{ "index": 0, "delta": delta.into(), "logprobs": null, "finish_reason": finish }],
        })
    }
}

/// An answer as events. Only the checked text counts, and it comes at the end; the text before is a draft, which
/// programs show as reasoning.
struct Streamed {
    completion: Completion,
    with_usage: bool,
    /// `None` when everything is sent.
    working: Option<Working>,
    events: VecDeque<Event>,
}

impl Streamed {
    fn events(self) -> impl Stream<Item = Result<Event, Infallible>> {
        stream::unfold(self, |mut streamed| async {
            loop {
                if let Some(event) = streamed.events.pop_front() {
                    return Some((Ok(event), streamed));
                }
                let said = streamed.working.as_mut()?.next().await;
                streamed.add(said);
            }
        })
    }

    fn begin(&mut self) {
        let part = self.completion.part(json!({ "role": "assistant", "content": "" }), None);
        self.push(&part);
    }

    fn add(&mut self, said: Result<Said, Refusal>) {
        let answer = match said {
            Ok(Said::Draft(text)) => {
                let part = self.completion.part(json!({ "reasoning_content": text }), None);
                return self.push(&part);
            }
            Ok(Said::Answered(json)) => of_parent::<ChatAnswer>(&json),
            Ok(Said::Vectors { .. } | Said::Failed(..)) => Err(Refusal::closing()),
            Err(refusal) => Err(refusal),
        };
        match answer {
            Ok(answer) => self.answer(answer),
            Err(refusal) => self.push(&refusal.json()),
        }
        self.events.push_back(Event::default().data("[DONE]"));
        self.working = None;
    }

    fn answer(&mut self, mut answer: ChatAnswer) {
        let usage = usage(&answer);
        let content = std::mem::take(&mut answer.text);
        for line in content.split_inclusive('\n') {
            let part = self.completion.part(json!({ "content": line }), None);
            self.push(&part);
        }
        let last = self.completion.part(provenance(answer, &content), Some("stop"));
        self.push(&last);
        if self.with_usage {
            let mut part = self.completion.part(Value::Null, None);
            part["choices"] = json!([]);
            part["usage"] = usage;
            self.push(&part);
        }
    }

    fn push(&mut self, data: &Value) {
        // JSON is one line, so this is one event.
        self.events.push_back(Event::default().data(data.to_string()));
    }
}

fn usage(answer: &ChatAnswer) -> Value {
    let (read, written) = (answer.prompt_tokens, answer.completion_tokens);
    json!({ "prompt_tokens": read, "completion_tokens": written, "total_tokens": read + written })
}

/// The sources of an answer: citations with all that Oriel knows, and annotations as in OpenAI's API.
fn provenance(answer: ChatAnswer, content: &str) -> Map<String, Value> {
    let annotations = annotations(content, &answer.citations);
    let mut message = answer.details;
    message.insert("citations".into(), answer.citations.into());
    message.insert("annotations".into(), annotations.into());
    message
}

/// The marks such as `[1]` in a text, with positions in characters from 0.
fn annotations(content: &str, citations: &[Value]) -> Vec<Value> {
    let (mut annotations, mut characters, mut read) = (Vec::new(), 0, 0);
    for (start, _) in content.match_indices('[') {
        let Some(length) = content[start..].find(']') else { break };
        let number = content[start + 1..start + length].parse::<u64>().ok();
        let Some(cited) = number.and_then(|n| citations.iter().find(|one| one["n"] == n)) else { continue };
        characters += content[read..start].chars().count();
        read = start;
        annotations.push(json!({
            "type": "url_citation",
            "url_citation": {
                "start_index": characters, "end_index": characters + length + 1,
                "title": cited["title"], "url": cited["url"],
            },
        }));
    }
    annotations
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn annotations_count_characters_and_take_only_what_is_cited() {
        let citations = [json!({ "n": 2, "title": "ö.txt", "url": "oriel://document/1" })];
        let found = annotations("Größe [1] [x] [2][2", &citations);
        let at = |one: &Value| {
            (one["url_citation"]["start_index"].clone(), one["url_citation"]["end_index"].clone())
        };
        assert_eq!(found.iter().map(at).collect::<Vec<_>>(), [(json!(14), json!(17))]);
    }
}
