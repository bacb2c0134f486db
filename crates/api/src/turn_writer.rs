//! Writes a turn into its conversation, from the first word of its answer to the last.
//!
//! A question is kept before it is answered. As soon as there are passages they are kept as those of a stopped answer,
//! so nothing is lost if Oriel ends. A question that replaces others is written over them with the first word of its
//! answer. If none comes they stay, and the UI puts the question back into the box.

use std::cell::Cell;

use oriel_core::CancelToken;
use oriel_engine::{Answered, ConversationId, Conversations, PassageDocument, Turn, title_of};

use crate::answers::Answers;
use crate::error::AppError;

/// An answer with the documents of its passages.
pub(crate) type Written = (Answered, Vec<Option<PassageDocument>>);

/// Writes one turn of a conversation.
pub(crate) struct TurnWriter<'a> {
    pub conversations: &'a Conversations,
    pub answers: &'a Answers,
    pub conversation: ConversationId,
    /// Where the turn stands in its conversation, or will stand.
    pub place: usize,
    pub cancel: CancelToken,
    /// Whether the turn stands there. A turn that replaces others does so with the first word of its answer.
    pub is_written: Cell<bool>,
}

impl TurnWriter<'_> {
    /// Writes the turn over its former state, or over the turns it replaces. The conversation may have been renamed or
    /// continued meanwhile.
    fn write(&self, turn: &Turn) -> Result<(), AppError> {
        self.conversations.update(&self.conversation, |kept| {
            let stands = kept.turns.get(self.place).is_some_and(|kept| kept.asked == turn.asked);
            let is_free =
                self.answers.is_last(&self.conversation, &self.cancel) && self.place <= kept.turns.len();
            match self.is_written.get() {
                true if stands => kept.turns[self.place] = turn.clone(),
                false if is_free => {
                    // A title that the user did not give is that of the first question.
                    if self.place == 0
                        && kept.turns.first().is_some_and(|first| kept.title == title_of(&first.question))
                    {
                        kept.title = title_of(&turn.question);
                    }
                    kept.turns.truncate(self.place);
                    kept.turns.push(turn.clone());
                }
                _ => return Err(AppError::Stopped),
            }
            Ok(())
        })?;
        self.is_written.set(true);
        Ok(())
    }

    /// Writes the turn while its answer is in progress. A failure is only logged: it is written again at the end.
    pub(crate) fn write_draft(&self, turn: &Turn) {
        if let Err(error) = self.write(turn) {
            tracing::debug!(%error, "an answer in progress is not kept");
        }
    }

    /// Puts the result of a question into its turn and writes that. If a turn that replaces others got no word, they stay.
    pub(crate) fn finish(
        &self,
        turn: &mut Turn,
        answered: Result<Written, AppError>,
    ) -> Result<(), AppError> {
        let is_written = self.is_written.get();
        match answered {
            Ok((answered, _)) if !is_written && answered.stopped && answered.answer.answer.is_empty() => {
                return Err(AppError::Stopped);
            }
            Err(error) if !is_written => return Err(error),
            Ok((answered, sources)) => put_answer(turn, answered, sources),
            Err(error) if error.is_cancelled() => turn.stopped = true,
            Err(error) => turn.error = Some(error.notice()),
        }
        self.write(turn)
    }
}

/// Puts an answer into its turn.
pub(crate) fn put_answer(turn: &mut Turn, answered: Answered, sources: Vec<Option<PassageDocument>>) {
    // A document that was in the scope and not read yet has been read before it could be found.
    for (path, kept) in turn.scope.within.iter().zip(&mut turn.scoped) {
        if kept.is_none() {
            let at = answered.answer.passages.iter().position(|passage| passage.path == *path);
            *kept = at.and_then(|at| sources.get(at).cloned().flatten());
        }
    }
    turn.documents = sources;
    turn.stopped = answered.stopped;
    turn.answer = Some(answered.answer);
    turn.trace = Some(answered.trace);
}
