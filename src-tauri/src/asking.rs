//! Questions on their way to the engine and answers on their way to the window; nothing is decided here.

use std::cell::Cell;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::Context as _;
use oriel_core::{CancelToken, DocumentId, Embedder, Generator, Reranker};
use oriel_engine::{
    AnswerEvent, Answered, Filter, PassageDocument, Query, SearchModels, SearchResult, Turn as KeptTurn,
    Window, answer, standalone,
};
use tauri::ipc::Channel;

use crate::answering::Basis;
use crate::app::{App, Opened};
use crate::conversations;
use crate::folders::{count, roots};
use crate::ipc::*;
use crate::seat::{Seat, title_of};
use crate::way::Way;
use crate::{keeping, listing, memory, reasons};

/// The widest window, in sentences on each side.
pub(crate) const WIDEST: u32 = 20;
/// How many earlier questions a follow-up may lean on.
const EARLIER: usize = 3;

/// Answers a question and keeps it.
pub(crate) fn ask(app: &Arc<App>, ask: &Ask, events: &Channel<AskEvent>) -> Result<Turn, IpcError> {
    let opened = &app.opened()?;
    let question = ask.question.trim().to_owned();
    if question.is_empty() {
        return Err(IpcError::failed("there is no question"));
    }
    app.note_question();
    let way = Way::given(app, opened);
    let tell = |event: AskEvent| send(events, event);
    let scope = filter(opened, &ask.scope)?;
    let scoped = scope.within.iter().map(|path| conversations::source(opened, path)).collect::<Vec<_>>();
    let missing = missing(opened)?;
    let kept = match &ask.conversation {
        Some(id) => conversations::parsed(id)?,
        None => opened.conversations.create(&title_of(&question))?.id,
    };
    let id = kept.to_string();
    let begun = |turns: &[KeptTurn]| {
        let place = ask.replace.map_or(turns.len(), |turn| turn as usize).min(turns.len());
        let before = ask.again.map_or(place, |turn| place.min(turn as usize));
        // Once more in its place it is searched for as it was.
        let searched = match turns.get(place).filter(|same| same.question == question) {
            Some(same) => same.searched.clone(),
            None => standalone(&question, &earlier(&turns[..before])),
        };
        (place, conversations::begun(&question, searched, ask, (scope, scoped), missing, now()))
    };
    let replaces = ask.conversation.is_some() && ask.replace.is_some();
    // Kept before it is answered: what a person wrote is never lost. What it takes the place of stays until there is a word
    // of the new answer.
    let (place, mut turn) = match replaces {
        true => begun(&conversations::kept(opened, &id)?.turns),
        false => opened.conversations.update(&kept, |kept| {
            let (place, turn) = begun(&kept.turns);
            kept.turns.push(turn.clone());
            Ok::<_, IpcError>((place, turn))
        })?,
    };
    // Before the window hears of it: it may want to stop at once.
    let cancel = opened.answering.begin(&id);
    let seat = Seat { opened, id, kept, place, cancel, is_taken: Cell::new(!replaces) };
    listing::tell(app);
    let searched = turn.searched.clone();
    tell(AskEvent::Begun { conversation: seat.id.clone(), turn: count(place), searched });
    // One that is kept in its turn ends no command: nobody else hears of it.
    let answered = written(&seat, &turn, &way, &tell)
        .inspect_err(|error| keeping::reopen_if_refused(app, &error.message));
    app.note_question();
    let done = seat.settle(&mut turn, answered);
    opened.answering.end(&seat.id, &seat.cancel);
    // Nobody waits for it.
    tauri::async_runtime::spawn_blocking(memory::give_back);
    done?;
    listing::tell(app);
    conversations::shown(opened, &turn)
}

/// The last questions of a conversation as they were searched, for one that leans on them.
fn earlier(turns: &[KeptTurn]) -> Vec<String> {
    let last = &turns[turns.len().saturating_sub(EARLIER)..];
    last.iter().map(|turn| turn.searched.clone().unwrap_or_else(|| turn.question.clone())).collect()
}

/// An answer with the documents of its passages.
pub(crate) type Written = (Answered, Vec<Option<PassageDocument>>);

/// Runs the engine, passing its events on.
fn written(
    seat: &Seat<'_>,
    turn: &KeptTurn,
    way: &Way<'_>,
    tell: &dyn Fn(AskEvent),
) -> Result<Written, IpcError> {
    let (opened, cancel) = (seat.opened, &seat.cancel);
    let loaded = Loaded::new(opened)?;
    // Loading may have taken a while.
    cancel.check().map_err(oriel_engine::EngineError::from)?;
    let generator = opened.roles.generator()?;
    let generator: Option<&dyn Generator> = generator.as_deref();
    let query = query_of(opened, turn)?;
    let roots = roots(opened)?;
    let mut pieces = Pieces { tell, text: String::new(), told: None };
    let mut sources = Vec::new();
    // Whatever ends Oriel meanwhile, the passages are kept.
    let mut so_far = turn.clone();
    let answered = answer(
        &opened.library,
        &query,
        &loaded.models(),
        generator,
        &mut |event| match event {
            AnswerEvent::Passages(result) => {
                sources = conversations::sources(opened, &result.passages);
                let found = found(opened, result, &sources, conversations::missing_of(turn), &roots);
                tell(AskEvent::Found { found: Box::new(found) });
                let passages = result.passages.clone();
                let basis = Basis { place: count(seat.place), passages, sources: sources.clone() };
                opened.answering.rests_on(&seat.id, cancel, basis);
                let model = generator.map(Generator::id);
                conversations::answered(&mut so_far, Answered::unwritten(result, model), sources.clone());
                if seat.is_taken.get() {
                    seat.put_if_possible(&so_far);
                }
                // Writing takes a while, searching does not.
                way.tell();
            }
            AnswerEvent::Piece(piece) => {
                if !seat.is_taken.get() {
                    seat.put_if_possible(&so_far);
                }
                pieces.add(piece);
            }
        },
        cancel,
    )?;
    pieces.end();
    Ok((answered, sources))
}

/// Pieces of an answer, told thirty times a second at most.
struct Pieces<'a> {
    tell: &'a dyn Fn(AskEvent),
    text: String,
    told: Option<std::time::Instant>,
}

impl Pieces<'_> {
    fn add(&mut self, piece: &str) {
        self.text.push_str(piece);
        if self.told.is_none_or(|told| told.elapsed().as_millis() >= 33) {
            self.end();
        }
    }

    fn end(&mut self) {
        if !self.text.is_empty() {
            self.told = Some(std::time::Instant::now());
            (self.tell)(AskEvent::Piece { text: std::mem::take(&mut self.text) });
        }
    }
}

/// The models a search uses, held while it runs.
struct Loaded {
    embedder: Option<Arc<dyn Embedder>>,
    reranker: Option<Arc<dyn Reranker>>,
}

impl Loaded {
    fn new(opened: &Opened) -> Result<Self, IpcError> {
        Ok(Self {
            embedder: opened.roles.embedder_of(opened.library.embedder_fingerprint()?.as_deref())?,
            reranker: opened.reranker()?,
        })
    }

    fn models(&self) -> SearchModels<'_> {
        SearchModels { embedder: self.embedder.as_deref(), reranker: self.reranker.as_deref() }
    }
}

/// Passages alone, without keeping anything.
pub(crate) fn widen(app: &Arc<App>, wanted: &Widen) -> Result<Found, IpcError> {
    let opened = &app.opened()?;
    let _way = Way::given(app, opened);
    let loaded = Loaded::new(opened)?;
    let window = Window { before: wanted.window.before, after: wanted.window.after };
    let query = query(opened, &wanted.question, filter(opened, &wanted.scope)?, window);
    let result = opened.library.search(&query, &loaded.models(), &CancelToken::new())?;
    let sources = conversations::sources(opened, &result.passages);
    Ok(found(opened, &result, &sources, missing(opened)?, &roots(opened)?))
}

/// Stops answering in a conversation.
pub(crate) fn stop(
    app: &Arc<App>,
    ConversationRef { conversation }: &ConversationRef,
) -> Result<(), IpcError> {
    app.opened()?.answering.stop(conversation);
    Ok(())
}

/// The query that a kept turn stands for, with the numbers of candidates and passages that are set now.
fn query_of(opened: &Opened, turn: &KeptTurn) -> Result<Query, IpcError> {
    let filter = conversations::filter_of(opened, turn)?;
    Ok(query(opened, turn.searched.as_ref().unwrap_or(&turn.question), filter, turn.window))
}

fn query(opened: &Opened, question: &str, filter: Filter, window: Window) -> Query {
    let settings = opened.preferences.get();
    let mut query = Query::new(question);
    query.window = Window { before: window.before.min(WIDEST), after: window.after.min(WIDEST) };
    query.top = settings.passages as usize;
    query.candidates = settings.candidates as usize;
    query.filter = filter;
    query
}

/// The documents that a scope admits. Whatever left the library since the scope was chosen is left out, where there is
/// something else in it.
pub(crate) fn filter(opened: &Opened, scope: &Scope) -> Result<Filter, IpcError> {
    if !scope.gone.is_empty() {
        let names = scope.gone.join(", ");
        return Err(IpcError::gone(format!(
            "{names} is not in the library any more; take it out of the question"
        )));
    }
    let mut within = Vec::new();
    if !scope.folders.is_empty() {
        let folders = opened.library.overview()?.folders;
        let wanted = |number: u32| scope.folders.iter().any(|folder| folder.id == number);
        within.extend(folders.into_iter().filter(|folder| wanted(folder.number)).map(|folder| folder.path));
    }
    for document in &scope.documents {
        if let Ok(row) = opened.library.document(DocumentId(document.id)) {
            within.push(row.path);
        }
    }
    if within.is_empty() && !(scope.folders.is_empty() && scope.documents.is_empty()) {
        return Err(IpcError::gone(
            "what the question was limited to is not in the library any more; remove the limit",
        ));
    }
    Ok(Filter {
        within,
        kinds: scope.kinds.iter().map(|&kind| kind.into()).collect(),
        since: scope.since.as_deref().map(|day| midnight(day, 0)).transpose()?,
        until: scope.until.as_deref().map(|day| midnight(day, 1)).transpose()?,
    })
}

/// The beginning of a day here, or of the one `after` days later, in nanoseconds since 1970.
fn midnight(day: &str, after: i64) -> Result<i64, IpcError> {
    let time = day.parse::<jiff::civil::Date>().and_then(|date| {
        let date = date.checked_add(jiff::Span::new().days(after))?;
        date.to_zoned(jiff::tz::TimeZone::system())
    });
    let time = time.with_context(|| format!("{day} is no date such as 2024-01-31"))?;
    i64::try_from(time.timestamp().as_nanosecond())
        .map_err(|_| IpcError::failed(format!("{day} is too far away")))
}

/// What a search cannot look at yet.
fn missing(opened: &Opened) -> Result<Missing, IpcError> {
    let overview = opened.library.overview()?;
    Ok(Missing { unread: count(overview.waiting), unembedded: count(overview.unembedded) })
}

/// The passages as the window draws them.
fn found(
    opened: &Opened,
    result: &SearchResult,
    sources: &[Option<PassageDocument>],
    missing: Missing,
    roots: &[std::path::PathBuf],
) -> Found {
    Found {
        cards: conversations::cards(opened, &result.passages, sources, Some(&result.trace), roots),
        confidence: result.confidence,
        read: count(result.trace.passages.len()),
        ms: result.timings.total_ms,
        missing,
    }
}

/// How an answer came about.
pub(crate) fn why(app: &Arc<App>, wanted: &TurnRef) -> Result<Why, IpcError> {
    let opened = &app.opened()?;
    let turn = conversations::turn(opened, &wanted.conversation, wanted.turn)?;
    let nothing = || IpcError::gone("nothing is kept of how this answer came about; ask again");
    let answer = turn.answer.as_ref().ok_or_else(nothing)?;
    let trace = conversations::trace_of(&turn).ok_or_else(nothing)?;
    reasons::why(opened, &turn, answer, &trace)
}

/// Why a document is not in an answer.
pub(crate) fn why_not(app: &Arc<App>, wanted: &AskWhyNot) -> Result<WhyNot, IpcError> {
    let opened = &app.opened()?;
    let turn = conversations::turn(opened, &wanted.conversation, wanted.turn)?;
    let _way = Way::given(app, opened);
    let loaded = Loaded::new(opened)?;
    let query = query_of(opened, &turn)?;
    let id = DocumentId(wanted.document);
    let told = opened.library.why_not(&query, &loaded.models(), id, &CancelToken::new())?;
    Ok(reasons::why_not(told))
}

/// Milliseconds since 1970.
fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_ends_where_the_next_begins() {
        let day = midnight("2024-02-29", 1).unwrap() - midnight("2024-02-29", 0).unwrap();
        assert_eq!(day, 86_400_000_000_000);
        assert!(midnight("2024-02-30", 0).is_err());
        assert!(midnight("yesterday", 0).is_err());
    }
}
