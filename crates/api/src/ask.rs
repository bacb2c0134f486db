//! Asking in a conversation.

use std::cell::Cell;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use oriel_core::{CancelToken, Generator, Notice};
use oriel_engine::{
    AnswerEvent, Answered, ConversationId, EngineError, Filter, Query, Turn as KeptTurn, Window, now,
    title_of,
};

use crate::answers::AnswerBasis;
use crate::assistant::Assistant;
use crate::documents::Resolver;
use crate::earlier::MAX_EARLIER_QUESTIONS;
use crate::error::AppError;
use crate::payload::{payload, request};
use crate::scope::Scope;
use crate::survey::{Coverage, SurveyRow};
use crate::turn::{Found, Turn};
use crate::turn_writer::{TurnWriter, Written, put_answer};

/// The most sentences that a window may have on each side of a hit.
pub const MAX_WINDOW: u32 = 20;

request! {
    /// A question in a conversation.
    pub struct Ask {
        /// `null` begins a conversation.
        #[cfg_attr(feature = "ts", ts(type = "string | null"))]
        pub conversation: Option<ConversationId>,
        /// The turn that this question and its answer replace, with all turns after it.
        pub replace: Option<usize>,
        /// A turn that is asked again: a follow-up refers to what stands before it.
        pub again: Option<usize>,
        /// The question as the user typed it.
        pub question: String,
        pub scope: Scope,
        pub window: Window,
        /// Whether documents of any time are searched, also if the question names one.
        #[serde(default)]
        pub any_time: bool,
    }

    /// Asks for passages alone, while the window's slider moves.
    pub struct Widen {
        /// The question, as it was searched for.
        pub question: String,
        pub scope: Scope,
        pub window: Window,
    }
}

payload! {
    /// What happens while a question is answered, in this order; `piece` many times. The whole turn is the result.
    #[serde(tag = "is", rename_all_fields = "camelCase")]
    pub enum AskEvent {
        /// The question is kept.
        Begun {
            #[cfg_attr(feature = "ts", ts(type = "string"))]
            conversation: ConversationId,
            /// Its place there, from 0.
            turn: usize,
            /// What is searched for, if the question does not stand alone.
            searched: Option<String>,
        },
        /// The passages, before the first word.
        Found { found: Box<Found> },
        /// All documents are asked for: how far that is.
        Surveyed {
            coverage: Coverage,
            /// The documents that were found since the last such event.
            rows: Vec<SurveyRow>,
        },
        /// A piece of the answer as it is written, not checked yet: Markdown in whole characters.
        Piece { text: String },
    }
}

/// How many passages a question shows, and how many candidate sentences it considers.
#[derive(Clone, Copy, Debug)]
pub struct Reach {
    pub passages: usize,
    pub candidates: usize,
}

impl Reach {
    /// The query for a question.
    pub fn query(self, question: &str, filter: Filter, window: Window) -> Query {
        let window = Window { before: window.before.min(MAX_WINDOW), after: window.after.min(MAX_WINDOW) };
        Query { window, filter, top: self.passages, candidates: self.candidates, ..Query::new(question) }
    }

    pub(crate) fn query_of(self, turn: &KeptTurn, resolver: &Resolver<'_>) -> Result<Query, EngineError> {
        let asked = Timestamp::from_millisecond(turn.asked).unwrap_or_default();
        let searched = turn.searched.as_ref().unwrap_or(&turn.question);
        Ok(Query {
            today: asked.to_zoned(TimeZone::system()).date(),
            ignore_time: turn.any_time,
            ..self.query(searched, resolver.filter(turn)?, turn.window)
        })
    }
}

impl Assistant {
    /// Answers a question, keeps both, and returns them. `on_failure` hears an error that is kept in the turn; only what could not
    /// be kept is returned as one.
    pub fn ask(
        &self,
        ask: &Ask,
        reach: Reach,
        on_event: &mut dyn FnMut(AskEvent),
        on_failure: &mut dyn FnMut(&AppError),
    ) -> Result<Turn, AppError> {
        let resolver = Resolver::new(self.searcher.library())?;
        let query = reach.query(ask.question.trim(), ask.scope.filter(resolver.library)?, ask.window);
        if query.question.is_empty() {
            return Err(Notice::NoQuestion.into());
        }
        let (writer, mut turn) = self.begin(ask, &query)?;
        on_event(AskEvent::Begun {
            conversation: writer.conversation.clone(),
            turn: writer.place,
            searched: turn.searched.clone(),
        });
        let question = turn.searched.clone().unwrap_or(query.question);
        let query = Query { question, ignore_time: ask.any_time, ..query };
        let answered = self
            .write_answer(&writer, &turn, &query, &resolver, on_event)
            .inspect_err(|error| on_failure(error));
        if let Ok((answered, _)) = &answered
            && answered.searched.is_some()
        {
            turn.searched.clone_from(&answered.searched);
        }
        let finished = writer.finish(&mut turn, answered);
        self.answers.end(&writer.conversation, &writer.cancel);
        finished?;
        Ok(resolver.turn(&turn)?)
    }

    /// Keeps a question before it is answered, so that nothing a user wrote is lost. Turns that it replaces stay until the first
    /// word of the new answer.
    fn begin(&self, ask: &Ask, query: &Query) -> Result<(TurnWriter<'_>, KeptTurn), AppError> {
        let question = &query.question;
        let scoped: Vec<_> = query.filter.within.iter().map(|path| self.searcher.document_at(path)).collect();
        let missing = self.missing()?;
        let replaces = ask.conversation.is_some() && ask.replace.is_some();
        let conversation = match &ask.conversation {
            Some(conversation) => conversation.clone(),
            None => self.conversations.create(&title_of(question))?.id,
        };
        let begin = |turns: &[KeptTurn]| {
            let place = ask.replace.unwrap_or(turns.len()).min(turns.len());
            let before = ask.again.map_or(place, |turn| place.min(turn));
            // The same question in the same place is searched for as it was.
            let searched = match turns.get(place).filter(|same| same.question == *question) {
                Some(same) => same.searched.clone(),
                None => Query { earlier: earlier_questions(&turns[..before]), ..query.clone() }.standalone(),
            };
            let turn = KeptTurn {
                searched,
                scope: query.filter.clone(),
                scoped,
                window: query.window,
                any_time: ask.any_time,
                missing,
                ..KeptTurn::new(question, now())
            };
            (place, turn)
        };
        let (place, turn) = match replaces {
            true => begin(&self.conversations.get(&conversation)?.turns),
            false => self.conversations.update(&conversation, |kept| {
                let (place, turn) = begin(&kept.turns);
                kept.turns.push(turn.clone());
                Ok::<_, AppError>((place, turn))
            })?,
        };
        // Before the front hears of it, which may want to stop at once.
        let cancel = self.answers.begin(&conversation);
        let is_written = Cell::new(!replaces);
        let (conversations, answers) = (&self.conversations, &self.answers);
        Ok((TurnWriter { conversations, answers, conversation, place, cancel, is_written }, turn))
    }

    /// Answers, and keeps the passages as soon as they are there, so that they survive if Oriel is ended.
    fn write_answer(
        &self,
        writer: &TurnWriter<'_>,
        turn: &KeptTurn,
        query: &Query,
        resolver: &Resolver<'_>,
        on_event: &mut dyn FnMut(AskEvent),
    ) -> Result<Written, AppError> {
        let generator = self.searcher.roles().generator()?;
        let generator: Option<&dyn Generator> = generator.as_deref();
        let mut documents = Vec::new();
        let mut draft = turn.clone();
        let mut listed = 0;
        let answered = self.searcher.answer(
            query,
            generator,
            &mut |event| match event {
                AnswerEvent::Passages(result) => {
                    documents = self.searcher.documents_of(&result.passages);
                    let found = resolver.found(result, &documents, turn.missing);
                    on_event(AskEvent::Found { found: Box::new(found) });
                    let (passages, place) = (result.passages.clone(), writer.place);
                    let basis = AnswerBasis { place, passages, documents: documents.clone() };
                    self.answers.set_basis(&writer.conversation, &writer.cancel, basis);
                    let unwritten = Answered::unwritten(result, generator.map(Generator::id));
                    put_answer(&mut draft, unwritten, documents.clone());
                    if writer.is_written.get() {
                        writer.write_draft(&draft);
                    }
                }
                AnswerEvent::Piece(piece) => {
                    if !writer.is_written.get() {
                        writer.write_draft(&draft);
                    }
                    on_event(AskEvent::Piece { text: piece.to_owned() });
                }
                AnswerEvent::Surveyed(survey) => {
                    let rows = resolver.found_since(survey, listed);
                    on_event(AskEvent::Surveyed { coverage: Coverage::of(survey), rows });
                    listed = survey.documents.len();
                }
                // It is in the answer, too.
                AnswerEvent::Searched(_) => {}
            },
            &writer.cancel,
        )?;
        Ok((answered, documents))
    }

    /// Passages for another window, without keeping anything.
    pub fn widen(&self, wanted: &Widen, reach: Reach) -> Result<Found, AppError> {
        let library = self.searcher.library();
        let query = reach.query(&wanted.question, wanted.scope.filter(library)?, wanted.window);
        let result = self.searcher.search(&query, &CancelToken::new())?;
        let documents = self.searcher.documents_of(&result.passages);
        Ok(Resolver::new(library)?.found(&result, &documents, self.missing()?))
    }
}

/// The last questions of a conversation, as they were asked.
fn earlier_questions(turns: &[KeptTurn]) -> Vec<String> {
    let last = &turns[turns.len().saturating_sub(MAX_EARLIER_QUESTIONS)..];
    last.iter().map(|turn| turn.question.clone()).collect()
}
