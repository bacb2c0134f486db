//! Asking in a conversation.

use std::cell::Cell;

use oriel_core::{Generator, Survey};
use oriel_engine::{
    AnswerEvent, Answered, ConversationId, Conversations, Filter, Missing, PassageDocument, Query,
    SearchResult, Turn, Window, now, review, standalone,
};

use crate::answers::{AnswerBasis, Answers};
use crate::error::AppError;
use crate::search::Searcher;
use crate::turn_writer::{TurnWriter, Written, put_answer, title_of};

/// How many earlier questions a follow-up may refer to.
const MAX_EARLIER_QUESTIONS: usize = 3;

/// A library that is asked in conversations.
pub struct Assistant {
    /// Finds passages and answers.
    pub searcher: Searcher,
    /// Kept conversations.
    pub conversations: Conversations,
    /// Answers in progress.
    pub answers: Answers,
}

/// A question in a conversation.
#[derive(Clone, Debug)]
pub struct Ask {
    /// As it was typed.
    pub question: String,
    /// `None` begins a conversation.
    pub conversation: Option<ConversationId>,
    /// The turn that this question and its answer replace, with all turns after it.
    pub replace: Option<usize>,
    /// A turn that is asked again: a follow-up refers to what stands before it.
    pub again: Option<usize>,
    /// The documents that are searched.
    pub scope: Filter,
    /// Sentences around each hit.
    pub window: Window,
    /// Whether documents of any time are searched, also if the question names one.
    pub any_time: bool,
    /// How many passages are shown.
    pub passages: usize,
    /// How many sentences are looked at.
    pub candidates: usize,
}

/// What happens while a question is answered.
pub enum AskEvent<'a> {
    /// The question is kept.
    Begun {
        /// Its conversation.
        conversation: &'a ConversationId,
        /// Its place there, from 0.
        turn: usize,
        /// The question as it is searched for, if it was rewritten.
        searched: Option<&'a str>,
    },
    /// The passages are found.
    Found {
        /// The passages with their trace.
        result: &'a SearchResult,
        /// Their documents, in their order.
        documents: &'a [Option<PassageDocument>],
        /// What the search could not look at yet.
        missing: Missing,
    },
    /// The answer goes on. It is not checked yet.
    Piece(&'a str),
    /// The documents that were found so far, if all are asked for.
    Surveyed(&'a Survey),
}

impl Assistant {
    /// Answers a question, keeps both, and returns them as they are kept. `on_failure` hears an error that is kept in the turn.
    ///
    /// # Errors
    /// If nothing could be kept, or the question was stopped before it replaced another.
    pub fn ask(
        &self,
        ask: Ask,
        on_event: &mut dyn FnMut(AskEvent<'_>),
        on_failure: &mut dyn FnMut(&AppError),
    ) -> Result<Turn, AppError> {
        let question = ask.question.trim();
        if question.is_empty() {
            return Err(AppError::NoQuestion);
        }
        let scoped: Vec<_> = ask.scope.within.iter().map(|path| self.searcher.document_at(path)).collect();
        let missing = self.missing()?;
        let replaces = ask.conversation.is_some() && ask.replace.is_some();
        let conversation = match &ask.conversation {
            Some(conversation) => conversation.clone(),
            None => self.conversations.create(&title_of(question))?.id,
        };
        let begin = |turns: &[Turn]| {
            let place = ask.replace.unwrap_or(turns.len()).min(turns.len());
            let before = ask.again.map_or(place, |turn| place.min(turn));
            let mut turn = Turn::new(question, now());
            // The same question in the same place is searched for as it was.
            turn.searched = match turns.get(place).filter(|same| same.question == question) {
                Some(same) => same.searched.clone(),
                None => standalone(question, &earlier_questions(&turns[..before])),
            };
            turn.scope = ask.scope.clone();
            turn.scoped = scoped;
            turn.window = ask.window;
            turn.any_time = ask.any_time;
            turn.missing = missing;
            (place, turn)
        };
        // The question is kept before it is answered, so that nothing a person wrote is lost. Turns that it replaces stay
        // until the first word of the new answer.
        let (place, mut turn) = match replaces {
            true => begin(&self.conversations.get(&conversation)?.turns),
            false => self.conversations.update(&conversation, |kept| {
                let (place, turn) = begin(&kept.turns);
                kept.turns.push(turn.clone());
                Ok::<_, AppError>((place, turn))
            })?,
        };
        // Before the front hears of it, which may want to stop at once.
        let cancel = self.answers.begin(&conversation);
        let writer = TurnWriter {
            conversations: &self.conversations,
            answers: &self.answers,
            conversation: conversation.clone(),
            place,
            cancel,
            is_written: Cell::new(!replaces),
        };
        on_event(AskEvent::Begun {
            conversation: &conversation,
            turn: place,
            searched: turn.searched.as_deref(),
        });
        let query = Query {
            top: ask.passages,
            candidates: ask.candidates,
            filter: ask.scope,
            window: ask.window,
            ignore_time: ask.any_time,
            ..Query::new(turn.searched.as_deref().unwrap_or(question))
        };
        let answered =
            self.write_answer(&writer, &turn, &query, on_event).inspect_err(|error| on_failure(error));
        if let Ok((answered, _)) = &answered
            && let Some(searched) = answered.answer.searched_for(&query.question)
        {
            turn.searched = Some(searched.to_owned());
        }
        let finished = writer.finish(&mut turn, answered);
        self.answers.end(&conversation, &writer.cancel);
        finished?;
        Ok(turn)
    }

    /// Includes a document that an answer lists, or leaves it out of the count; `None` takes that back. Returns the turn.
    ///
    /// # Errors
    /// If the conversation or the turn is gone, or cannot be written.
    pub fn review(
        &self,
        conversation: &ConversationId,
        turn: usize,
        document: usize,
        included: Option<bool>,
    ) -> Result<Turn, AppError> {
        self.conversations.update(conversation, |kept| {
            let turn = kept.turns.get_mut(turn).ok_or(AppError::QuestionGone)?;
            let searched = turn.searched.clone().unwrap_or_else(|| turn.question.clone());
            if let Some(answer) = &mut turn.answer {
                review(answer, &searched, document, included);
            }
            Ok(turn.clone())
        })
    }

    /// What a search cannot look at yet.
    ///
    /// # Errors
    /// If the library cannot be read.
    pub fn missing(&self) -> Result<Missing, AppError> {
        let overview = self.searcher.library().overview()?;
        let unembedded = usize::try_from(overview.unembedded).unwrap_or(usize::MAX);
        Ok(Missing { unread: overview.waiting, unembedded })
    }

    /// Answers, and keeps the passages as soon as they are there, so that they survive if Oriel is ended.
    fn write_answer(
        &self,
        writer: &TurnWriter<'_>,
        turn: &Turn,
        query: &Query,
        on_event: &mut dyn FnMut(AskEvent<'_>),
    ) -> Result<Written, AppError> {
        let generator = self.searcher.roles().generator()?;
        let generator: Option<&dyn Generator> = generator.as_deref();
        let mut documents = Vec::new();
        let mut draft = turn.clone();
        let answered = self.searcher.answer(
            query,
            generator,
            &mut |event| match event {
                AnswerEvent::Passages(result) => {
                    documents = self.searcher.documents_of(&result.passages);
                    on_event(AskEvent::Found { result, documents: &documents, missing: turn.missing });
                    self.answers.set_basis(
                        &writer.conversation,
                        &writer.cancel,
                        AnswerBasis {
                            place: writer.place,
                            passages: result.passages.clone(),
                            documents: documents.clone(),
                        },
                    );
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
                    on_event(AskEvent::Piece(piece));
                }
                AnswerEvent::Surveyed(survey) => on_event(AskEvent::Surveyed(survey)),
            },
            &writer.cancel,
        )?;
        Ok((answered, documents))
    }
}

/// The last questions of a conversation as they were searched for.
fn earlier_questions(turns: &[Turn]) -> Vec<String> {
    let last = &turns[turns.len().saturating_sub(MAX_EARLIER_QUESTIONS)..];
    last.iter().map(|turn| turn.searched.clone().unwrap_or_else(|| turn.question.clone())).collect()
}
