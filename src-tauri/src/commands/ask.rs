//! Questions with answers, streamed while they are written.

use std::cell::Cell;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use oriel_core::Generator;
use oriel_engine::{AnswerEvent, Answered, EngineError, Turn as KeptTurn, Window, answer, standalone};
use tauri::ipc::Channel;

use crate::api::*;
use crate::background::memory;
use crate::commands::conversations::{kept_conversation, parse_id};
use crate::commands::reopen::reopen_if_refused;
use crate::commands::scope::{filter, missing};
use crate::commands::search::{LoadedModels, found, query_of, source, sources};
use crate::commands::turn_writer::{TurnWriter, Written, put_answer, title_of};
use crate::commands::yield_guard::YieldGuard;
use crate::desktop::{conversation_list, publish};
use crate::state::answers::AnswerBasis;
use crate::state::app::App;
use crate::views::turns::{missing_of, turn as turn_view};

/// How many earlier questions a follow-up may refer to.
const MAX_EARLIER_QUESTIONS: usize = 3;
/// Pieces of an answer are sent this often at most.
const PIECE_INTERVAL: Duration = Duration::from_millis(33);

/// Answers a question and keeps it.
pub(crate) fn ask(app: &Arc<App>, ask: &Ask, events: &Channel<AskEvent>) -> Result<Turn, IpcError> {
    let session = &app.session()?;
    let question = ask.question.trim().to_owned();
    if question.is_empty() {
        return Err(IpcError::failed("there is no question"));
    }
    app.note_question();
    let yielding = YieldGuard::new(app, session);
    let send = |event: AskEvent| publish::stream(events, event);
    let scope = filter(session, &ask.scope)?;
    let scoped: Vec<_> = scope.within.iter().map(|path| source(session, path)).collect();
    let missing = missing(session)?;
    let id = match &ask.conversation {
        Some(id) => parse_id(id)?,
        None => session.conversations.create(&title_of(&question))?.id,
    };
    let conversation = id.to_string();
    let begin = |turns: &[KeptTurn]| {
        let place = ask.replace.map_or(turns.len(), |turn| turn as usize).min(turns.len());
        let before = ask.again.map_or(place, |turn| place.min(turn as usize));
        // The same question in the same place is searched for as it was.
        let searched = match turns.get(place).filter(|same| same.question == question) {
            Some(same) => same.searched.clone(),
            None => standalone(&question, &earlier_questions(&turns[..before])),
        };
        let mut turn = KeptTurn::new(&question, now());
        turn.searched = searched;
        turn.scope = scope;
        turn.scoped = scoped;
        turn.window = Window { before: ask.window.before, after: ask.window.after };
        turn.missing = oriel_engine::Missing {
            unread: missing.unread as usize,
            unembedded: missing.unembedded as usize,
        };
        (place, turn)
    };
    let replaces = ask.conversation.is_some() && ask.replace.is_some();
    // The question is kept before it is answered, so that nothing a person wrote is lost. Turns that it replaces stay until
    // the first word of the new answer.
    let (place, mut turn) = match replaces {
        true => begin(&kept_conversation(session, &conversation)?.turns),
        false => session.conversations.update(&id, |kept| {
            let (place, turn) = begin(&kept.turns);
            kept.turns.push(turn.clone());
            Ok::<_, IpcError>((place, turn))
        })?,
    };
    // Before the UI hears of it, which may want to stop at once.
    let cancel = session.answers.begin(&conversation);
    let writer = TurnWriter { session, conversation, id, place, cancel, is_written: Cell::new(!replaces) };
    conversation_list::publish(app);
    let searched = turn.searched.clone();
    send(AskEvent::Begun { conversation: writer.conversation.clone(), turn: count(place), searched });
    // An error that is kept in the turn does not fail the command, so it is looked at here.
    let answered = write_answer(&writer, &turn, &yielding, &send)
        .inspect_err(|error| reopen_if_refused(app, &error.message));
    app.note_question();
    let finished = writer.finish(&mut turn, answered);
    session.answers.end(&writer.conversation, &writer.cancel);
    // Nobody should wait for it.
    tauri::async_runtime::spawn_blocking(memory::release_free);
    finished?;
    conversation_list::publish(app);
    Ok(turn_view(&session.library, &turn)?)
}

/// Stops answering in a conversation.
pub(crate) fn stop(
    app: &Arc<App>,
    ConversationRef { conversation }: &ConversationRef,
) -> Result<(), IpcError> {
    app.session()?.answers.stop(conversation);
    Ok(())
}

/// The last questions of a conversation as they were searched for.
fn earlier_questions(turns: &[KeptTurn]) -> Vec<String> {
    let last = &turns[turns.len().saturating_sub(MAX_EARLIER_QUESTIONS)..];
    last.iter().map(|turn| turn.searched.clone().unwrap_or_else(|| turn.question.clone())).collect()
}

/// Runs the engine and passes its events on.
fn write_answer(
    writer: &TurnWriter<'_>,
    turn: &KeptTurn,
    yielding: &YieldGuard<'_>,
    send: &dyn Fn(AskEvent),
) -> Result<Written, IpcError> {
    let (session, cancel) = (writer.session, &writer.cancel);
    let models = LoadedModels::new(session)?;
    // Loading may have taken a while.
    cancel.check().map_err(EngineError::from)?;
    let generator = session.roles.generator()?;
    let generator: Option<&dyn Generator> = generator.as_deref();
    let query = query_of(session, turn)?;
    let roots = session.library.folders()?;
    let mut pieces = Pieces { send, text: String::new(), last_sent: None };
    let mut documents = Vec::new();
    // Kept as soon as there are passages, so that they survive if Oriel is ended.
    let mut draft = turn.clone();
    let answered = answer(
        &session.library,
        &query,
        &models.as_search_models(),
        generator,
        &mut |event| match event {
            AnswerEvent::Passages(result) => {
                documents = sources(session, &result.passages);
                let found = found(session, result, &documents, missing_of(turn), &roots);
                send(AskEvent::Found { found: Box::new(found) });
                let passages = result.passages.clone();
                let basis = AnswerBasis { place: count(writer.place), passages, sources: documents.clone() };
                session.answers.set_basis(&writer.conversation, cancel, basis);
                let model = generator.map(Generator::id);
                put_answer(&mut draft, Answered::unwritten(result, model), documents.clone());
                if writer.is_written.get() {
                    writer.write_draft(&draft);
                }
                // Writing takes a while, searching does not.
                yielding.publish();
            }
            AnswerEvent::Piece(piece) => {
                if !writer.is_written.get() {
                    writer.write_draft(&draft);
                }
                pieces.add(piece);
            }
        },
        cancel,
    )?;
    pieces.flush();
    Ok((answered, documents))
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

/// Milliseconds since 1970.
fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}
