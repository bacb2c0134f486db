//! What is done for a program that asks.

use std::collections::HashSet;

use oriel_core::{CancelToken, Generator, Notice, TextKind, Verdict};
use oriel_engine::{AnswerEvent, Filter, Query, now};
use oriel_models::{QUOTES, Role};
use oriel_wire::serve::{Asked, ChatAnswer, FailureKind, Models, ToServer};
use serde::Serialize;
use serde_json::json;

use crate::error::AppError;
use crate::places::{ProgramAnswer, ProgramClaim};
use crate::request_log::ProgramRequest;
use crate::search::Searcher;
use crate::serving::shared::Shared;

/// What the log calls a program, before the name that it gives itself.
const PROGRAM: &str = "OpenAI API";
/// Characters of an error's message, at most: a frame's head has a limit.
const MAX_MESSAGE: usize = 2_000;

/// Why a request has no answer.
enum Failure {
    /// Nobody waits for it any more.
    Cancelled,
    Because(FailureKind, String),
}

impl From<AppError> for Failure {
    fn from(error: AppError) -> Self {
        if error.is_cancelled() {
            Self::Cancelled
        } else {
            Self::Because(FailureKind::Failed, error.to_string())
        }
    }
}

/// What is kept of a request.
#[derive(Default)]
struct Noted {
    places: usize,
    documents: usize,
}

/// Answers a request and notes it for the user.
pub(super) fn answer(shared: &Shared, number: u64, program: &str, asked: &[u8], cancel: &CancelToken) {
    let Ok(asked) = serde_json::from_slice::<Asked>(asked) else {
        let why = "the programs of Oriel are not of one version; install Oriel again";
        return shared.fail(number, FailureKind::Failed, why);
    };
    let mut result = Err(Failure::Cancelled);
    let used = shared.library.with(&mut |searcher, filter| {
        let request = Request { shared, number, searcher, cancel };
        result = match &asked {
            Asked::Models => request.models(),
            Asked::Chat { questions } => request.chat(questions, filter),
            Asked::Embeddings { model, texts, are_queries } => request.embed(model, texts, *are_queries),
        };
    });
    if let Err(why) = used {
        result = Err(Failure::Because(FailureKind::Unavailable, why.to_string()));
    }
    note(shared, program, &asked, &result);
    if let Err(Failure::Because(kind, message)) = result {
        let message: String = message.replace('\n', " ").chars().take(MAX_MESSAGE).collect();
        shared.fail(number, kind, &message);
    }
}

/// Keeps for the user what a program asked and got.
fn note(shared: &Shared, program: &str, asked: &Asked, result: &Result<Noted, Failure>) {
    let Some(log) = shared.library.log() else { return };
    let (tool, text) = match asked {
        // A client asks for it again and again, and learns nothing of a document.
        Asked::Models => return,
        Asked::Chat { questions } => ("ask", questions.last().cloned().unwrap_or_default()),
        Asked::Embeddings { texts, .. } => ("embed", texts.first().cloned().unwrap_or_default()),
    };
    let program: String = program.chars().filter(|one| !one.is_control()).collect();
    let given = result.as_ref().ok();
    let asked = ProgramRequest {
        at: now(),
        program: if program.is_empty() { PROGRAM.to_owned() } else { format!("{PROGRAM}: {program}") },
        tool: tool.to_owned(),
        text,
        places: given.map_or(0, |noted| noted.places),
        documents: given.map_or(0, |noted| noted.documents),
        verdict: None,
        error: match result {
            Ok(_) => None,
            Err(Failure::Cancelled) => Some(Notice::Cancelled.to_string()),
            Err(Failure::Because(_, message)) => Some(message.clone()),
        },
    };
    if let Err(error) = log.add(&asked) {
        tracing::warn!(%error, "the user cannot see what was asked");
    }
}

/// A request with the library that answers it.
struct Request<'a> {
    shared: &'a Shared,
    number: u64,
    searcher: &'a Searcher,
    cancel: &'a CancelToken,
}

impl Request<'_> {
    fn models(&self) -> Result<Noted, Failure> {
        let roles = self.searcher.roles();
        let generator = roles.serving(Role::Generator).map_err(AppError::from)?;
        let generator = generator.map_or_else(|| QUOTES.to_owned(), |model| model.entry.id);
        self.answered(&Models { generator, embedder: self.embedder_id()? });
        Ok(Noted::default())
    }

    /// The id of the embedder of the library's vectors, or of those that it will have.
    fn embedder_id(&self) -> Result<Option<String>, Failure> {
        let roles = self.searcher.roles();
        let model = match self.searcher.library().embedder_fingerprint().map_err(AppError::from)? {
            Some(fingerprint) => roles.embedder_with(&fingerprint),
            None => roles.serving(Role::Embedder).map_err(AppError::from)?,
        };
        Ok(model.map(|model| model.entry.id))
    }

    fn chat(&self, questions: &[String], filter: Filter) -> Result<Noted, Failure> {
        let Some((question, earlier)) = questions.split_last() else {
            return Err(Failure::Because(FailureKind::Invalid, Notice::NoQuestion.to_string()));
        };
        let query = Query { filter, earlier: earlier.to_vec(), ..Query::new(question.as_str()) };
        let generator = self.searcher.roles().generator().map_err(AppError::from)?;
        let generator: Option<&dyn Generator> = generator.as_deref();
        let mut written = 0;
        let given = self.searcher.answer(
            &query,
            generator,
            &mut |event| {
                if let AnswerEvent::Piece(piece) = event {
                    written += 1;
                    let length = u32::try_from(piece.len()).unwrap_or(u32::MAX);
                    if !self.shared.send(&ToServer::Draft { number: self.number, length }, piece.as_bytes()) {
                        self.cancel.cancel();
                    }
                }
            },
            self.cancel,
        )?;
        if given.stopped {
            return Err(Failure::Cancelled);
        }
        let prompt_tokens = given.trace.prompt.as_ref().map_or(0, |prompt| prompt.tokens as u64);
        let answer = ProgramAnswer::new(self.searcher.library(), given, self.cancel);
        let paths: HashSet<_> = answer.passages.iter().map(|passage| &passage.place.path).collect();
        let noted = Noted { places: answer.passages.len(), documents: paths.len() };
        let citations = answer.citations();
        let details = json!({
            "searched": answer.searched, "abstained": answer.abstained, "confidence": answer.confidence,
            "sentences": answer.sentences, "left_out": answer.left_out, "coverage": answer.coverage, "rows": answer.rows,
            "generator": answer.model, "trouble": answer.trouble, "note": answer.note,
        });
        self.answered(&ChatAnswer {
            text: with_doubts(&answer.answer, &answer.sentences),
            citations: citations.iter().filter_map(|place| serde_json::to_value(place).ok()).collect(),
            details: details.as_object().cloned().unwrap_or_default(),
            prompt_tokens,
            completion_tokens: written,
        });
        Ok(noted)
    }

    fn embed(&self, model: &str, texts: &[String], are_queries: bool) -> Result<Noted, Failure> {
        let own = self.embedder_id()?;
        if own.as_deref() != Some(model) {
            let why = match own {
                Some(own) => format!("there is no embedder of this name; the library's is '{own}'"),
                None => "the library's embedder is not here, so there are no vectors".to_owned(),
            };
            return Err(Failure::Because(FailureKind::NoModel, why));
        }
        let Some(embedder) = self.searcher.embedder().map_err(AppError::from)? else {
            return Err(Failure::Because(FailureKind::Unavailable, Notice::NoEmbedder.to_string()));
        };
        let kind = if are_queries { TextKind::Query } else { TextKind::Passage };
        let vectors = embedder.embed(texts, kind, self.cancel).map_err(AppError::from)?;
        let spans = texts.iter().map(|text| Ok(embedder.token_spans(text)?.len() as u64));
        let tokens = spans.sum::<Result<u64, AppError>>()?;
        let bytes: Vec<u8> = vectors.iter().flatten().flat_map(|number| number.to_le_bytes()).collect();
        let head = ToServer::Vectors {
            number: self.number,
            dimensions: u32::try_from(embedder.dimensions()).unwrap_or(u32::MAX),
            tokens,
            length: u32::try_from(bytes.len()).unwrap_or(u32::MAX),
        };
        self.shared.send(&head, &bytes);
        Ok(Noted::default())
    }

    fn answered(&self, answer: &impl Serialize) {
        // These types hold nothing that JSON cannot.
        let json = serde_json::to_vec(answer).unwrap_or_default();
        let length = u32::try_from(json.len()).unwrap_or(u32::MAX);
        self.shared.send(&ToServer::Answered { number: self.number, length }, &json);
    }
}

/// The answer, and below it each sentence that no passage supports, so that it does not look as if one did.
fn with_doubts(answer: &str, sentences: &[ProgramClaim]) -> String {
    let doubtful = sentences.iter().filter(|claim| claim.verdict != Verdict::Supported);
    let lines: Vec<String> = doubtful
        .map(|claim| {
            format!("? {}: {}", claim.reason.as_deref().unwrap_or("no passage says this"), claim.text)
        })
        .collect();
    if lines.is_empty() { answer.to_owned() } else { format!("{answer}\n\n{}", lines.join("\n")) }
}
