//! Stopping an answer, and a generator that stops by itself.

use std::process::Command;
use std::sync::{PoisonError, mpsc};
use std::time::{Duration, Instant};

use oriel_core::{AnswerSource, CancelToken, ClaimChecker, Entailment, Generator, ModelError};
use oriel_engine::{AnswerEvent, AnswerModels, Answered, EngineError, Query, answer};
use oriel_models::{LlamaProcess, LlamaSettings, WorkerCommand};

use crate::generator::{ALONE, children, process, weights};
use crate::oriel::{Inside, Oriel};

const QUESTION: &str = "Who repaired the pump in the cellar?";

fn notes() -> Oriel {
    Oriel::with(&[(
        "notes.txt",
        "The pump in the cellar was repaired in May 2023 by Idris Vaughan. It had been leaking for a year.\n\n\
         The keys of the workshop are kept in the green tin above the stove. Only Hester has a second set.\n",
    )])
}

/// A checker that is cancelled as soon as it is called.
struct StoppedChecker(CancelToken);

impl ClaimChecker for StoppedChecker {
    fn check(
        &self,
        _: &[String],
        _: &[(usize, String)],
        cancel: &CancelToken,
    ) -> Result<Vec<Entailment>, ModelError> {
        self.0.cancel();
        Err(cancel.check().unwrap_err().into())
    }
}

/// When an answer is stopped.
#[derive(Clone, Copy, Debug)]
enum At {
    /// When the passages arrive.
    Passages,
    /// So many milliseconds after that.
    Later(u64),
    /// At this piece of text.
    Piece(usize),
}

/// Asks and stops; returns the answer, the text streamed until then, and the time from the stop to the end.
fn stop(inside: &Inside, generator: &dyn Generator, at: At) -> (Answered, String, Duration) {
    let cancel = CancelToken::new();
    let (stopped, when) = mpsc::channel();
    let (query, mut text, mut pieces) = (Query::new(QUESTION), String::new(), 0);
    let now = |cancel: &CancelToken, stopped: &mpsc::Sender<Instant>| {
        cancel.cancel();
        stopped.send(Instant::now()).unwrap();
    };
    let mut event = |event: AnswerEvent<'_>| match (event, at) {
        (AnswerEvent::Passages(_), At::Passages) => now(&cancel, &stopped),
        (AnswerEvent::Passages(_), At::Later(milliseconds)) => {
            let (cancel, stopped) = (cancel.clone(), stopped.clone());
            std::thread::spawn(move || {
                let (_keep, never) = mpsc::channel::<()>();
                let _ = never.recv_timeout(Duration::from_millis(milliseconds));
                now(&cancel, &stopped);
            });
        }
        (AnswerEvent::Piece(piece), at) => {
            text.push_str(piece);
            pieces += 1;
            if matches!(at, At::Piece(last) if last == pieces) {
                now(&cancel, &stopped);
            }
        }
        (AnswerEvent::Passages(_), At::Piece(_))
        | (AnswerEvent::Surveyed(_) | AnswerEvent::Searched(_), _) => {}
    };
    let given =
        answer(&inside.library, &query, &inside.answer_models(generator), &mut event, &cancel).unwrap();
    let end = Instant::now();
    let since = when.recv().unwrap();
    (given, text, end.saturating_duration_since(since))
}

#[test]
fn an_answer_stops_within_a_second_whatever_it_is_doing() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let oriel = notes();
    let inside = Inside::new(&oriel);
    let second = Duration::from_secs(1);
    let mut kept = 0;
    for at in [At::Passages, At::Later(20), At::Later(120), At::Later(400), At::Piece(1), At::Piece(9)] {
        // A new process each time: at the stop the model is loaded, or is being loaded.
        let generator = process();
        let (given, text, took) = stop(&inside, &generator, at);
        println!("{at:?}: {took:.0?}, {text:?}");
        assert!(took < second, "{at:?} took {took:?}");
        assert!(!given.answer.passages.is_empty() && !given.trace.passages.is_empty());
        if let At::Piece(_) = at {
            assert!(given.stopped && !given.answer.abstained, "{given:?}");
            let written: String =
                given.answer.sentences.iter().map(|sentence| sentence.text.as_str()).collect();
            let letters = |text: &str| text.chars().filter(|c| c.is_alphabetic()).collect::<String>();
            assert_eq!(letters(&written), letters(&text), "what was written is kept");
            kept += 1;
        }
        if let At::Passages = at {
            assert!(given.stopped && given.answer.answer.is_empty() && given.answer.sentences.is_empty());
            assert_eq!(given.trace.prompt, None);
        }
    }
    assert_eq!(kept, 2);
    // A model that never finishes loading.
    let slow = WorkerCommand::new("sleep", ["60"]);
    let generator = LlamaProcess::new(slow, weights(), "slow", LlamaSettings::default());
    let (given, text, took) = stop(&inside, &generator, At::Later(200));
    assert!(given.stopped && text.is_empty() && took < second, "{took:?}");
    assert_eq!(given.answer.model.to_string(), "slow");
}

#[test]
fn an_answer_that_is_stopped_in_its_check_is_kept() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let oriel = notes();
    let inside = Inside::new(&oriel);
    let (generator, query, cancel) = (process(), Query::new(QUESTION), CancelToken::new());
    let checker = StoppedChecker(cancel.clone());
    let models = AnswerModels { checker: Some(&checker), ..inside.answer_models(&generator) };
    let given = answer(&inside.library, &query, &models, &mut |_| (), &cancel).unwrap();
    assert!(given.stopped && cancel.is_cancelled());
    assert!(given.answer.sentences.iter().any(|sentence| sentence.supported), "{given:?}");
    assert_ne!(given.answer.model, AnswerSource::Quotes);
    // Stopped before there are passages: nothing to keep.
    let nothing = answer(&inside.library, &query, &models, &mut |_| (), &cancel);
    assert!(nothing.as_ref().is_err_and(EngineError::is_cancelled), "{nothing:?}");
}

#[test]
fn a_generator_that_dies_costs_one_answer_and_not_the_next() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    if !cfg!(target_os = "linux") {
        return println!("skipped: a_generator_that_dies (needs ps --ppid)");
    }
    let oriel = notes();
    let inside = Inside::new(&oriel);
    let generator = process();
    let (query, cancel) = (Query::new(QUESTION), CancelToken::new());
    let mut pieces = 0;
    let mut kill = |event: AnswerEvent<'_>| {
        pieces += usize::from(matches!(event, AnswerEvent::Piece(_)));
        if pieces == 2 {
            let pids = children();
            let killed = Command::new("kill").args(["-9", &pids[0].to_string()]).status().unwrap();
            assert!(pids.len() == 1 && killed.success());
        }
    };
    let ask = |event: &mut dyn FnMut(AnswerEvent<'_>)| {
        answer(&inside.library, &query, &inside.answer_models(&generator), event, &cancel).unwrap()
    };
    let given = ask(&mut kill);
    assert!(given.died.is_some_and(|how| how.to_string().contains("SIGKILL")));
    assert_eq!((given.answer.model, given.stopped), (AnswerSource::Quotes, false));
    assert!(given.answer.answer.contains("Idris Vaughan"), "{}", given.answer.answer);
    let mut wrote = String::new();
    let given = ask(&mut |event| {
        if let AnswerEvent::Piece(piece) = event {
            wrote.push_str(piece);
        }
    });
    assert!(given.died.is_none() && !wrote.is_empty(), "the next question starts it anew");
}
