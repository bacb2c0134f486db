//! The place of a question in its conversation: when it is taken, and what is written into it.

use std::cell::Cell;

use oriel_core::CancelToken;
use oriel_engine::{ConversationId, Turn as KeptTurn};

use crate::app::Opened;
use crate::asking::Written;
use crate::conversations;
use crate::ipc::{ErrorCode, IpcError};

/// Where a turn stands in its conversation, or is to stand.
pub(crate) struct Seat<'a> {
    pub opened: &'a Opened,
    /// The conversation, as the window names it.
    pub id: String,
    pub kept: ConversationId,
    pub place: usize,
    pub cancel: CancelToken,
    /// Whether the turn stands there: one that takes the place of others does as soon as there is a word of its answer.
    pub is_taken: Cell<bool>,
}

impl Seat<'_> {
    /// Writes the turn over itself, or over what it takes the place of. The conversation may have been renamed, or gone on,
    /// meanwhile.
    fn put(&self, turn: &KeptTurn) -> Result<(), IpcError> {
        self.opened.conversations.update(&self.kept, |kept| {
            let stands = kept.turns.get(self.place).is_some_and(|kept| kept.asked == turn.asked);
            let is_free =
                self.opened.answering.is_last(&self.id, &self.cancel) && self.place <= kept.turns.len();
            match self.is_taken.get() {
                true if stands => kept.turns[self.place] = turn.clone(),
                false if is_free => {
                    // A title that the person did not give is that of the first question.
                    if self.place == 0
                        && kept.turns.first().is_some_and(|first| kept.title == title_of(&first.question))
                    {
                        kept.title = title_of(&turn.question);
                    }
                    kept.turns.truncate(self.place);
                    kept.turns.push(turn.clone());
                }
                _ => return Err(cancelled("asked anew")),
            }
            Ok(())
        })?;
        self.is_taken.set(true);
        Ok(())
    }

    /// The same, where what fails is tried again at the end.
    pub(crate) fn put_if_possible(&self, turn: &KeptTurn) {
        if let Err(error) = self.put(turn) {
            tracing::debug!("{}", error.message);
        }
    }

    /// Puts what came of a question into its turn, and the turn into its place. Where no word came, what it was to take
    /// the place of stays.
    pub(crate) fn settle(
        &self,
        turn: &mut KeptTurn,
        answered: Result<Written, IpcError>,
    ) -> Result<(), IpcError> {
        let is_kept = self.is_taken.get();
        match answered {
            Ok((answered, _)) if !is_kept && answered.stopped && answered.answer.answer.is_empty() => {
                return Err(cancelled("stopped"));
            }
            Err(error) if !is_kept => return Err(error),
            Ok((answered, sources)) => conversations::answered(turn, answered, sources),
            Err(error) if error.code == ErrorCode::Cancelled => turn.stopped = true,
            Err(error) => turn.error = Some(error.message),
        }
        self.put(turn)
    }
}

fn cancelled(message: &str) -> IpcError {
    IpcError { code: ErrorCode::Cancelled, message: message.into() }
}

/// The first words of a question, as a title.
pub(crate) fn title_of(question: &str) -> String {
    const MOST: usize = 80;
    let line = question.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(MOST) {
        None => line,
        Some((at, _)) => {
            let cut = line[..at].rfind(' ').unwrap_or(at);
            format!("{}…", &line[..cut])
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_ends_with_a_word() {
        assert_eq!(title_of("  Why\n so? "), "Why so?");
        let long = title_of(&"word ".repeat(40));
        assert!(long.ends_with("word…") && long.chars().count() <= 81, "{long}");
    }
}
