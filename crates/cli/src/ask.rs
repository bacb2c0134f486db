//! Questions to answers.

use std::io::IsTerminal as _;

use oriel_core::{Answer, Cancelled, Generator};
use oriel_engine::AnswerEvent;
use oriel_models::Choice;

use crate::arguments::SearchArguments;
use crate::batch::{BatchLine as _, Question};
use crate::search::{query, searcher};
use crate::session::Session;
use crate::{batch, output, render};

pub(crate) fn run(session: &Session, arguments: &SearchArguments) -> anyhow::Result<()> {
    let questions = arguments.batch.as_deref().map(batch::read::<Question>).transpose()?;
    session.roles.choose(Choice { generator: arguments.model.clone(), ..Choice::default() });
    let generator = session.roles.generator()?;
    let searcher = searcher(session, &arguments.settings)?;
    let ask = |question: &str, event: &mut dyn FnMut(AnswerEvent<'_>)| -> anyhow::Result<Answer> {
        let generator: Option<&dyn Generator> = generator.as_deref();
        let query = query(arguments, question);
        let given = searcher.answer(&query, generator, event, &session.cancel)?;
        if let Some(how) = given.died {
            eprintln!("oriel: {how}; the answer quotes the documents");
        }
        // Half an answer is for the person who stopped it, not for a file of answers.
        if given.stopped && (questions.is_some() || given.answer.sentences.is_empty()) {
            return Err(Cancelled.into());
        }
        Ok(given.answer)
    };
    if let Some(questions) = &questions {
        return batch::answer(questions, &session.cancel, |line| ask(line.text(), &mut |_| {}));
    }
    let question = arguments.question.as_deref().unwrap_or_default();
    if session.json {
        return output::json(&ask(question, &mut |_| {})?);
    }
    let folders = searcher.library().folders()?;
    // What streams has not been checked yet; it goes to the terminal only, the checked answer to standard output.
    let watched = std::io::stderr().is_terminal();
    let mut streamed = false;
    let given = ask(question, &mut |event| match event {
        AnswerEvent::Passages(result) if watched => eprint!("{}", render::places(&result.passages, &folders)),
        AnswerEvent::Piece(piece) if watched => {
            streamed = true;
            eprint!("{}", render::unchecked(piece));
        }
        AnswerEvent::Passages(_) | AnswerEvent::Piece(_) => {}
    })?;
    if streamed {
        eprintln!("\n");
    }
    output::text(&render::answer(&given, &folders))
}
