//! The command `ask`.

use std::io::IsTerminal as _;

use anyhow::Context as _;
use oriel_api::EarlierQuestions;
use oriel_core::{Answer, Cancelled, Generator};
use oriel_engine::{AnswerEvent, Answered, Query, Trace};
use oriel_models::Choice;
use serde::Serialize;

use crate::arguments::AskArguments;
use crate::batch::{BatchLine as _, Question};
use crate::search::{query, say_time, searcher};
use crate::session::Session;
use crate::{batch, output, render};

/// An answer, with the question that was searched for if it is not the one as typed: it was completed, corrected or translated.
#[derive(Serialize)]
struct Asked {
    #[serde(skip_serializing_if = "Option::is_none")]
    searched: Option<String>,
    #[serde(flatten)]
    answer: Answer,
    /// With `--trace`.
    #[serde(skip_serializing_if = "Option::is_none")]
    trace: Option<Trace>,
}

pub(crate) fn run(session: &Session, arguments: &AskArguments) -> anyhow::Result<()> {
    let AskArguments { follow_up, trace: with_trace, search: arguments } = arguments;
    let questions = arguments.batch.as_deref().map(batch::read::<Question>).transpose()?;
    session.roles.choose(Choice { generator: arguments.model.clone(), ..Choice::default() });
    let generator = session.roles.generator()?;
    session.name_receiver();
    let searcher = searcher(session, &arguments.settings)?;
    let ask = |query: &Query, event: &mut dyn FnMut(AnswerEvent<'_>)| -> anyhow::Result<Answered> {
        let generator: Option<&dyn Generator> = generator.as_deref();
        let given = searcher.answer(query, generator, event, &session.cancel)?;
        if let Some(trouble) = given.trouble() {
            eprintln!("oriel: {trouble}");
        }
        // A stopped answer is shown to the user who stopped it, but is not written to a file of answers.
        if given.stopped && (questions.is_some() || given.answer.sentences.is_empty()) {
            return Err(Cancelled.into());
        }
        Ok(given)
    };
    if let Some(questions) = &questions {
        return batch::answer(questions, &session.cancel, |line| {
            let given = ask(&query(searcher.library(), arguments, line.text()), &mut |_| {})?;
            let trace = with_trace.then_some(given.trace);
            Ok(Asked { searched: given.searched, answer: given.answer, trace })
        });
    }
    let typed = arguments.question.as_deref().unwrap_or_default();
    let earlier = EarlierQuestions::of(searcher.library());
    let read = || earlier.read().with_context(|| format!("{}: it cannot be read", earlier.path().display()));
    let mut query = query(searcher.library(), arguments, typed);
    if *follow_up {
        query.earlier = read()?;
    }
    if let Err(error) = earlier.add(typed, *follow_up) {
        eprintln!("oriel: {}: {error}; --continue will not know this question", earlier.path().display());
    }
    if session.json || *with_trace {
        let Answered { searched, answer, trace, .. } = ask(&query, &mut |_| {})?;
        return output::json(&Asked { searched, answer, trace: with_trace.then_some(trace) });
    }
    let folders = searcher.library().folders()?;
    // Streamed text is not checked yet, so it goes only to the terminal; the checked answer goes to standard output.
    let watched = std::io::stderr().is_terminal();
    let mut streamed = false;
    let answer = ask(&query, &mut |event| match event {
        AnswerEvent::Passages(result) if watched => eprint!("{}", render::places(&result.passages, &folders)),
        AnswerEvent::Piece(piece) if watched => {
            streamed = true;
            eprint!("{}", render::unchecked(piece));
        }
        AnswerEvent::Surveyed(survey) if watched => eprint!("\r{}", render::coverage(survey).trim_end()),
        AnswerEvent::Searched(question) => {
            if std::mem::take(&mut streamed) {
                eprintln!("\n");
            }
            eprintln!("searched for: {question}");
        }
        AnswerEvent::Passages(_) | AnswerEvent::Piece(_) | AnswerEvent::Surveyed(_) => {}
    })?
    .answer;
    if streamed {
        eprintln!("\n");
    }
    say_time(answer.time.as_ref());
    output::text(&render::answer(&answer, &folders))
}
