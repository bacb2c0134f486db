//! Questions with answers, streamed while they are written, and what is asked about them.

use std::sync::Arc;
use std::time::{Duration, Instant};

use oriel_api::{
    Ask, AskEvent, AskWhyNot, ConversationRef, FindMentions, Found, MentionRow, Mentions, MoreMentions, Turn,
    TurnRef, Why, Widen, prepare_for_question,
};
use oriel_core::CancelToken;
use oriel_engine::WhyNot;
use tauri::ipc::Channel;

use crate::api::{IpcError, Stoppable};
use crate::background::memory;
use crate::commands::reopen::reopen_if_refused;
use crate::commands::yield_guard::YieldGuard;
use crate::desktop::{conversation_list, publish};
use crate::state::app::App;
use crate::state::jobs::Task;

/// Pieces of an answer are sent this often at most.
const PIECE_INTERVAL: Duration = Duration::from_millis(33);

/// Answers a question and keeps it.
pub(crate) fn ask(app: &Arc<App>, ask: &Ask, events: &Channel<AskEvent>) -> Result<Turn, IpcError> {
    let session = &app.session()?;
    app.note_question();
    let yielding = YieldGuard::new(app, session);
    let send = |event: AskEvent| publish::stream(events, event);
    let mut pieces = Pieces { send: &send, text: String::new(), last_sent: None };
    let answered = session.assistant.ask(
        ask,
        session.reach(),
        &mut |event| match event {
            AskEvent::Piece { text } => pieces.add(&text),
            AskEvent::Begun { .. } => {
                conversation_list::publish(app);
                send(event);
            }
            AskEvent::Found { .. } => {
                send(event);
                // Writing takes a while, searching does not.
                yielding.publish();
            }
            AskEvent::Surveyed { .. } => send(event),
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
    Ok(turn)
}

/// Passages for another window, without keeping anything.
pub(crate) fn widen(app: &Arc<App>, wanted: &Widen) -> Result<Found, IpcError> {
    let session = &app.session()?;
    let _yielding = YieldGuard::new(app, session);
    Ok(session.assistant.widen(wanted, session.reach())?)
}

/// Prepares for a question that is being typed.
pub(crate) fn prepare(app: &Arc<App>, (): &()) -> Result<(), IpcError> {
    app.note_question();
    // Loading takes seconds, in which the library may be closed.
    let roles = Arc::clone(&app.session()?.roles);
    Ok(prepare_for_question(&roles, &CancelToken::new())?)
}

/// Stops answering in a conversation.
pub(crate) fn stop(
    app: &Arc<App>,
    ConversationRef { conversation }: &ConversationRef,
) -> Result<(), IpcError> {
    app.session()?.assistant.answers.stop(conversation);
    Ok(())
}

/// Stops other work, if it is in progress.
pub(crate) fn stop_work(app: &Arc<App>, &work: &Stoppable) -> Result<(), IpcError> {
    let task = match work {
        Stoppable::Mentions | Stoppable::Suggestion | Stoppable::Table | Stoppable::Draft => {
            app.session()?.latest.stop(work);
            return Ok(());
        }
        Stoppable::Copying => Task::Copying,
        Stoppable::Importing => Task::Importing,
        Stoppable::Connecting => Task::Connecting,
        Stoppable::Trial => Task::Trial,
        Stoppable::Evaluation => Task::Evaluation,
        Stoppable::Maintenance => Task::Maintenance,
    };
    app.jobs.cancel(&task);
    Ok(())
}

/// Questions that the documents answer, in the language of the window.
pub(crate) fn suggestions(app: &Arc<App>, (): &()) -> Result<Vec<String>, IpcError> {
    Ok(app.session()?.library.suggestions(app.settings().is_german())?)
}

/// A question that the closest passage of a turn answers. Cancels a suggestion in progress.
pub(crate) fn suggest(app: &Arc<App>, wanted: &TurnRef) -> Result<Option<String>, IpcError> {
    let session = &app.session()?;
    Ok(session.assistant.suggest(wanted, &session.latest.begin(Stoppable::Suggestion))?)
}

/// How an answer came about.
pub(crate) fn why(app: &Arc<App>, wanted: &TurnRef) -> Result<Why, IpcError> {
    Ok(app.session()?.assistant.why(wanted)?)
}

/// Why a document is not in an answer.
pub(crate) fn why_not(app: &Arc<App>, wanted: &AskWhyNot) -> Result<WhyNot, IpcError> {
    let session = &app.session()?;
    let _yielding = YieldGuard::new(app, session);
    Ok(session.assistant.why_not(wanted, session.reach())?)
}

/// Lists every document that mentions some words. Cancels a list in progress.
pub(crate) fn mentions(app: &Arc<App>, wanted: &FindMentions) -> Result<Mentions, IpcError> {
    let session = &app.session()?;
    Ok(session.assistant.searcher.mentions(wanted, &session.latest.begin(Stoppable::Mentions))?)
}

/// More sentences of one document of the list.
pub(crate) fn more_mentions(app: &Arc<App>, wanted: &MoreMentions) -> Result<MentionRow, IpcError> {
    Ok(app.session()?.assistant.searcher.more_mentions(wanted)?)
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
