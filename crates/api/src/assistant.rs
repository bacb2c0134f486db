//! A library that is asked in conversations.

use oriel_core::Notice;
use oriel_engine::{ConversationId, Conversations, Missing, Turn as KeptTurn, review};

use crate::answers::Answers;
use crate::documents::Resolver;
use crate::error::AppError;
use crate::payload::request;
use crate::search::Searcher;
use crate::turn::{Conversation, Turn};
use crate::turn_ref::TurnRef;

/// A library that is asked in conversations.
pub struct Assistant {
    /// Finds passages and answers.
    pub searcher: Searcher,
    /// Kept conversations.
    pub conversations: Conversations,
    /// Answers in progress.
    pub answers: Answers,
}

request! {
    /// Includes a document of a list, or leaves it out.
    pub struct ReviewSurvey {
        #[serde(flatten)]
        pub at: TurnRef,
        /// The number of the document's passage.
        pub n: usize,
        /// Whether it counts; `null` takes the choice back.
        pub included: Option<bool>,
    }
}

impl Assistant {
    pub fn conversation(&self, id: &ConversationId) -> Result<Conversation, AppError> {
        let kept = self.conversations.get(id)?;
        let resolver = Resolver::new(self.searcher.library())?;
        let turns = kept.turns.iter().map(|turn| resolver.turn(turn)).collect::<Result<_, _>>()?;
        Ok(Conversation { id: kept.id, title: kept.title, turns })
    }

    /// A turn as it is kept.
    pub fn kept_turn(&self, at: &TurnRef) -> Result<KeptTurn, AppError> {
        let turn = self.conversations.get(&at.conversation)?.turns.into_iter().nth(at.turn);
        turn.ok_or(AppError::Gone(Notice::QuestionGone))
    }

    /// Changes a turn as it is kept, and returns it.
    pub(crate) fn change(
        &self,
        at: &TurnRef,
        change: impl FnOnce(&mut KeptTurn) -> Result<(), AppError>,
    ) -> Result<KeptTurn, AppError> {
        self.conversations.update(&at.conversation, |kept| {
            let turn = kept.turns.get_mut(at.turn).ok_or(AppError::Gone(Notice::QuestionGone))?;
            change(turn)?;
            Ok(turn.clone())
        })
    }

    /// Includes a document that an answer lists, or leaves it out of the count. Returns the turn.
    pub fn review(&self, wanted: &ReviewSurvey) -> Result<Turn, AppError> {
        let changed = self.change(&wanted.at, |turn| {
            let searched = turn.searched.clone().unwrap_or_else(|| turn.question.clone());
            if let Some(answer) = &mut turn.answer {
                review(answer, &searched, wanted.n.saturating_sub(1), wanted.included);
            }
            Ok(())
        })?;
        self.resolved(&changed)
    }

    /// A kept turn with its documents where they lie now.
    pub(crate) fn resolved(&self, turn: &KeptTurn) -> Result<Turn, AppError> {
        Ok(Resolver::new(self.searcher.library())?.turn(turn)?)
    }

    /// What a search cannot find yet.
    pub(crate) fn missing(&self) -> Result<Missing, AppError> {
        let overview = self.searcher.library().overview()?;
        let unembedded = usize::try_from(overview.unembedded).unwrap_or(usize::MAX);
        Ok(Missing { unread: overview.waiting, unembedded })
    }
}
