//! Implements the tools, on the part of the library that another program may see; `documents` and `mentions` contain
//! further tools.

use std::collections::HashSet;
use std::sync::Arc;

use anyhow::{bail, ensure};
use oriel_api::{
    DATA_NOTE, Place, Places, ProgramAccess, ProgramAnswer, ProgramRequest, Searcher, why_unsupported,
};
use oriel_core::{CancelToken, Cancelled, Generator};
use oriel_engine::{AnswerEvent, DocumentRow, DocumentState, Filter, Query, Window, now};
use oriel_models::Role;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::mcp::arguments::{Ask, Scope, Search, Status, Verify};
use crate::render;

/// Number of failures that `status` lists.
const FAILURES_SHOWN: usize = 20;
pub(crate) const MAX_LIMIT: usize = 50;
const MAX_WINDOW: u32 = 50;

/// Receives the progress of a request: steps done and in total, if known, and a description.
pub(crate) type OnProgress<'a> = dyn FnMut(Option<(usize, usize)>, String) + 'a;

/// The tools of a library.
pub(crate) struct Tools {
    pub(crate) access: Arc<ProgramAccess>,
}

impl Tools {
    pub(crate) fn new(access: Arc<ProgramAccess>) -> Self {
        Self { access }
    }

    /// Calls a tool for the program `client`. The request and the result are recorded.
    pub(crate) fn call(
        &self,
        client: &str,
        name: &str,
        arguments: Value,
        on_progress: &mut OnProgress<'_>,
        cancel: &CancelToken,
    ) -> anyhow::Result<Value> {
        let text =
            ["query", "question", "claim", "thing", "id"].iter().find_map(|&one| arguments[one].as_str());
        let text = text.unwrap_or_default().to_owned();
        let result = self.run(name, arguments, on_progress, cancel);
        self.note(client, name, text, result.as_ref());
        result
    }

    /// Records for the user what a program asked and received.
    pub(crate) fn note(
        &self,
        client: &str,
        tool: &str,
        text: String,
        result: Result<&Value, &anyhow::Error>,
    ) {
        if !self.access.is_there() {
            return;
        }
        if let Err(error) = self.access.log().add(&asked(client, tool, text, result)) {
            eprintln!("oriel: {error}; the app cannot show what was asked");
        }
    }

    fn run(
        &self,
        name: &str,
        arguments: Value,
        on_progress: &mut OnProgress<'_>,
        cancel: &CancelToken,
    ) -> anyhow::Result<Value> {
        match name {
            "search" => self.search(&read(arguments)?, cancel),
            "fetch" => self.fetch(&read(arguments)?, cancel),
            "ask" => self.ask(&read(arguments)?, on_progress, cancel),
            "verify" => self.verify(&read(arguments)?, cancel),
            "mentions" => self.mentions(&read(arguments)?, on_progress, cancel),
            "status" => read::<Status>(arguments).and_then(|Status {}| self.status()),
            _ => bail!("there is no tool '{name}'"),
        }
    }

    pub(crate) fn open(&self) -> anyhow::Result<Arc<Searcher>> {
        let library = self.access.library().display();
        ensure!(
            self.access.is_there(),
            "{library}: there is no library yet; start Oriel and add a folder, or run 'oriel add FOLDER' and 'oriel index'"
        );
        Ok(self.access.open()?)
    }

    pub(crate) fn filter(&self, scope: &Scope) -> anyhow::Result<Filter> {
        scope.filter(self.access.filter()?)
    }

    fn search(&self, arguments: &Search, cancel: &CancelToken) -> anyhow::Result<Value> {
        let query = not_empty("query", &arguments.query)?;
        let limit = in_range("limit", arguments.limit, MAX_LIMIT)?;
        ensure!(arguments.window <= MAX_WINDOW, "window is at most {MAX_WINDOW}");
        let searcher = self.open()?;
        let query = Query {
            top: limit,
            candidates: Query::CANDIDATES.max(limit),
            window: Window { before: arguments.window, after: arguments.window },
            filter: self.filter(&arguments.scope)?,
            ..Query::new(query)
        };
        let found = searcher.search(&query, cancel)?;
        let mut places = Places::new(searcher.library(), cancel);
        let results: Vec<Place> =
            found.passages.iter().filter_map(|passage| places.passage(passage)).collect();
        Ok(json!({ "results": results, "confidence": found.confidence, "note": DATA_NOTE }))
    }

    fn ask(
        &self,
        arguments: &Ask,
        on_progress: &mut OnProgress<'_>,
        cancel: &CancelToken,
    ) -> anyhow::Result<Value> {
        let question = not_empty("question", &arguments.question)?;
        let searcher = self.open()?;
        let query = Query { filter: self.filter(&arguments.scope)?, ..Query::new(question) };
        let generator = if arguments.quotes { None } else { searcher.roles().generator()? };
        let generator: Option<&dyn Generator> = generator.as_deref();
        let mut written = 0;
        let given = searcher.answer(
            &query,
            generator,
            &mut |event| match event {
                AnswerEvent::Passages(found) => {
                    on_progress(None, format!("{} found", render::counted(found.passages.len(), "passage")));
                }
                AnswerEvent::Piece(piece) => {
                    written += piece.chars().count();
                    on_progress(None, format!("{} written", render::counted(written, "character")));
                }
                AnswerEvent::Surveyed(survey) => {
                    on_progress(
                        Some((survey.read, survey.total)),
                        render::coverage(survey).trim_end().to_owned(),
                    );
                }
                AnswerEvent::Searched(_) => {}
            },
            cancel,
        )?;
        if given.stopped {
            return Err(Cancelled.into());
        }
        Ok(serde_json::to_value(ProgramAnswer::new(searcher.library(), given, cancel))?)
    }

    fn verify(&self, arguments: &Verify, cancel: &CancelToken) -> anyhow::Result<Value> {
        let claim = not_empty("claim", &arguments.claim)?;
        let searcher = self.open()?;
        let verification = searcher.verify(claim, &self.filter(&arguments.scope)?, cancel)?;
        let mut places = Places::new(searcher.library(), cancel);
        let difference = verification.difference.as_ref();
        Ok(json!({
            "verdict": verification.verdict,
            "confidence": verification.confidence,
            "reason": verification.reason.map(|reason| why_unsupported(reason, difference)),
            "difference": difference,
            "places": verification.places.iter().filter_map(|place| places.verified(place)).collect::<Vec<_>>(),
            "closest": verification.closest.as_ref().and_then(|place| places.verified(place)),
            "note": DATA_NOTE,
        }))
    }

    fn status(&self) -> anyhow::Result<Value> {
        let searcher = self.open()?;
        let (library, visible) = (searcher.library(), self.access.filter()?);
        let rows = rows(&searcher, &visible)?;
        let (overview, is_own) = (library.overview()?, !library.is_remote());
        let of = |rows: &mut dyn Iterator<Item = &DocumentRow>| {
            let (mut read, mut waiting, mut failed) = (0, 0, 0);
            rows.for_each(|row| match row.state {
                DocumentState::Indexed => read += 1,
                DocumentState::Waiting => waiting += 1,
                DocumentState::Failed(_) => failed += 1,
            });
            json!({ "read": read, "waiting": waiting, "failed": failed })
        };
        let folders = overview.folders.iter().filter(|folder| !visible.hides(&folder.path));
        let folders: Vec<Value> = folders
            .map(|folder| {
                let inside = |row: &&DocumentRow| row.path.starts_with(&folder.path);
                json!({
                    "path": folder.path.to_string_lossy(),
                    "documents": of(&mut rows.iter().filter(inside)),
                    "unreachable": folder.unreachable.as_ref().map(ToString::to_string),
                })
            })
            .collect();
        let failures = rows.iter().filter_map(|row| match &row.state {
            DocumentState::Failed(failure) => {
                Some(json!({ "path": row.path.to_string_lossy(), "reason": failure.reason.to_string() }))
            }
            _ => None,
        });
        let model = |role| searcher.roles().serving(role).ok().flatten().map(|model| model.entry.name);
        Ok(json!({
            "version": env!("CARGO_PKG_VERSION"),
            "documents": if is_own { of(&mut rows.iter()) } else { json!({ "read": overview.documents }) },
            "sentences": if is_own { rows.iter().map(|row| u64::from(row.sentences)).sum() } else { overview.sentences },
            "folders": folders,
            "failures": failures.take(FAILURES_SHOWN).collect::<Vec<_>>(),
            "models": {
                "embedder": model(Role::Embedder), "reranker": model(Role::Reranker),
                "checker": model(Role::Checker), "generator": model(Role::Generator),
            },
        }))
    }
}

/// The record of a request that the user can see.
fn asked(client: &str, tool: &str, text: String, result: Result<&Value, &anyhow::Error>) -> ProgramRequest {
    let answer = result.unwrap_or(&Value::Null);
    let lists = ["results", "passages", "places"].iter().filter_map(|&list| answer[list].as_array());
    let mentioning = answer["mentioning"].as_array().into_iter().flatten();
    let mentions = mentioning.filter_map(|document| document["places"].as_array());
    let closest = answer.get("closest").filter(|place| !place.is_null());
    let places: Vec<&Value> = lists.chain(mentions).flatten().chain(closest).collect();
    let paths: HashSet<_> = places.iter().map(|place| place["path"].as_str()).collect();
    let is_document = tool == "fetch" && result.is_ok();
    ProgramRequest {
        at: now(),
        program: client.to_owned(),
        tool: tool.to_owned(),
        text: if is_document { answer["title"].as_str().unwrap_or_default().to_owned() } else { text },
        places: places.len() + usize::from(is_document),
        documents: paths.len() + usize::from(is_document),
        verdict: serde_json::from_value(answer["verdict"].clone()).ok(),
        error: result.err().map(|error| render::harmless(&format!("{error:#}"))),
    }
}

fn read<T: DeserializeOwned>(arguments: Value) -> anyhow::Result<T> {
    Ok(serde_json::from_value(arguments)?)
}

pub(crate) fn not_empty<'a>(name: &str, text: &'a str) -> anyhow::Result<&'a str> {
    let text = text.trim();
    ensure!(!text.is_empty(), "{name} is empty");
    Ok(text)
}

pub(crate) fn in_range(name: &str, number: usize, most: usize) -> anyhow::Result<usize> {
    ensure!((1..=most).contains(&number), "{name} is from 1 to {most}");
    Ok(number)
}

/// The documents that a program may see, read or not.
pub(crate) fn rows(searcher: &Searcher, visible: &Filter) -> anyhow::Result<Vec<DocumentRow>> {
    let mut rows = searcher.library().documents("", usize::MAX)?;
    rows.retain(|row| !visible.hides(&row.path));
    Ok(rows)
}
