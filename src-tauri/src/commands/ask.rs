//! Questions with answers, streamed while they are written.

use std::sync::Arc;
use std::time::{Duration, Instant};

use oriel_api as app_api;
use oriel_api::lock;
use oriel_core::CancelToken;
use tauri::ipc::Channel;

use crate::api::*;
use crate::background::memory;
use crate::commands::conversations::parse_id;
use crate::commands::reopen::reopen_if_refused;
use crate::commands::scope::filter;
use crate::commands::search::{found, within_limits};
use crate::commands::yield_guard::YieldGuard;
use crate::desktop::{conversation_list, publish};
use crate::state::app::App;
use crate::state::session::take_over;
use crate::views::survey::{coverage, row as survey_row};
use crate::views::turns::turn as turn_view;

/// Pieces of an answer are sent this often at most.
const PIECE_INTERVAL: Duration = Duration::from_millis(33);

/// Answers a question and keeps it.
pub(crate) fn ask(app: &Arc<App>, ask: &Ask, events: &Channel<AskEvent>) -> Result<Turn, IpcError> {
    let session = &app.session()?;
    app.note_question();
    let yielding = YieldGuard::new(app, session);
    let send = |event: AskEvent| publish::stream(events, event);
    let settings = session.settings.get();
    let asked = app_api::Ask {
        question: ask.question.clone(),
        conversation: ask.conversation.as_deref().map(parse_id).transpose()?,
        replace: ask.replace.map(|turn| turn as usize),
        again: ask.again.map(|turn| turn as usize),
        scope: filter(session, &ask.scope)?,
        window: within_limits(ask.window),
        any_time: ask.any_time,
        passages: settings.passages as usize,
        candidates: settings.candidates as usize,
    };
    let roots = session.library.folders()?;
    let mut listed = 0;
    let mut pieces = Pieces { send: &send, text: String::new(), last_sent: None };
    let answered = session.assistant.ask(
        asked,
        &mut |event| match event {
            app_api::AskEvent::Begun { conversation, turn, searched } => {
                conversation_list::publish(app);
                send(AskEvent::Begun {
                    conversation: conversation.to_string(),
                    turn,
                    searched: searched.map(str::to_owned),
                });
            }
            app_api::AskEvent::Found { result, documents, missing: left } => {
                let found = found(session, result, documents, left, &roots);
                send(AskEvent::Found { found: Box::new(found) });
                // Writing takes a while, searching does not.
                yielding.publish();
            }
            app_api::AskEvent::Piece(piece) => pieces.add(piece),
            app_api::AskEvent::Surveyed(survey) => {
                let new = (1..).zip(&survey.documents).skip(listed).map(|(n, document)| {
                    let now = session.library.document_at(&document.path).ok();
                    survey_row(document, n, now.as_ref(), None, &roots)
                });
                send(AskEvent::Surveyed { coverage: coverage(survey), rows: new.collect() });
                listed = survey.documents.len();
            }
        },
        // An error that is kept in the turn does not fail the command.
        &mut |error| reopen_if_refused(app, &error.notice()),
    );
    pieces.flush();
    app.note_question();
    // Nobody should wait for it.
    tauri::async_runtime::spawn_blocking(memory::release_free);
    let turn = answered?;
    conversation_list::publish(app);
    Ok(turn_view(&session.library, &turn)?)
}

/// Prepares for a question that is being typed.
pub(crate) fn prepare(app: &Arc<App>, (): &()) -> Result<(), IpcError> {
    app.note_question();
    // Loading takes seconds, in which the library may be closed.
    let roles = Arc::clone(&app.session()?.roles);
    Ok(app_api::prepare_for_question(&roles, &CancelToken::new())?)
}

/// Stops answering in a conversation.
pub(crate) fn stop(
    app: &Arc<App>,
    ConversationRef { conversation }: &ConversationRef,
) -> Result<(), IpcError> {
    app.session()?.assistant.answers.stop(&parse_id(conversation)?);
    Ok(())
}

/// Questions that the documents answer, in the language of the window.
pub(crate) fn suggestions(app: &Arc<App>, (): &()) -> Result<Vec<String>, IpcError> {
    Ok(app.session()?.library.suggestions(app.settings().is_german())?)
}

/// A question that the closest passage of a turn answers. A suggestion in progress is given up.
pub(crate) fn suggest(app: &Arc<App>, wanted: &TurnRef) -> Result<Option<String>, IpcError> {
    let session = &app.session()?;
    let cancel = take_over(&session.suggestion);
    let id = parse_id(&wanted.conversation)?;
    Ok(session.assistant.suggest(&id, wanted.turn as usize, &cancel)?)
}

/// Gives up the suggestion in progress.
pub(crate) fn stop_suggesting(app: &Arc<App>, (): &()) -> Result<(), IpcError> {
    lock(&app.session()?.suggestion).cancel();
    Ok(())
}

/// Collects pieces of an answer between two events.
struct Pieces<'a> {
    send: &'a dyn Fn(AskEvent),
    text: String,
    last_sent: Option<Instant>,
}

impl Pieces<'_> {
    fn add(&mut self, piece: &str) {
        self.text.push_str(piece);
        if self.last_sent.is_none_or(|sent| sent.elapsed() >= PIECE_INTERVAL) {
            self.flush();
        }
    }

    fn flush(&mut self) {
        if !self.text.is_empty() {
            self.last_sent = Some(Instant::now());
            (self.send)(AskEvent::Piece { text: std::mem::take(&mut self.text) });
        }
    }
}
