//! Kept questions with their answers. Their documents are looked up where they lie now.

use oriel_core::{Answer, AnswerPart, AnswerSentence, AnswerSource, Notice, Passage, TimeLimit, Timings};
use oriel_engine::{
    ConversationId, EngineError, LEAST_CONFIDENCE, Missing, PassageDocument, SearchResult, Turn as KeptTurn,
    Window, named_words, words_in,
};

use crate::card::Card;
use crate::claim::{Claim, claims};
use crate::documents::{Resolver, name_of};
use crate::error::with_way_out;
use crate::payload::payload;
use crate::rows::RowsView;
use crate::scope::Scope;
use crate::survey::SurveyView;
use crate::table_view::{ProposedTable, TableView};

payload! {
    /// A whole conversation.
    pub struct Conversation {
        #[cfg_attr(feature = "ts", ts(type = "string"))]
        pub id: ConversationId,
        pub title: String,
        /// Questions and answers, oldest first.
        pub turns: Vec<Turn>,
    }

    /// A question with its answer.
    pub struct Turn {
        pub question: String,
        /// What was searched for, if it is not the question as typed: it was completed, corrected or translated.
        pub searched: Option<String>,
        /// The words of it that have content: what a list of mentions looks for.
        pub words: Vec<String>,
        /// When, in milliseconds since 1970.
        pub asked: i64,
        pub scope: Scope,
        pub window: Window,
        /// `None` if it was stopped before.
        pub found: Option<Found>,
        /// `None` if it was stopped before.
        pub answer: Option<AnswerView>,
        /// The table that was made of it.
        pub table: Option<TableView>,
        /// The table that it asks for.
        pub proposed: Option<ProposedTable>,
        /// Whether the user stopped it.
        pub stopped: bool,
        /// Why there is no answer, if something failed.
        pub error: Option<Notice>,
    }

    /// The passages that a question found.
    pub struct Found {
        /// Best first.
        pub cards: Vec<Card>,
        /// The probability that they answer the question, 0 to 1.
        pub confidence: f32,
        /// Passages that were read by the reranker, the cards among them.
        pub read: usize,
        /// Milliseconds from the question to the passages.
        pub ms: f64,
        /// What the search could not look at yet.
        pub missing: Missing,
    }

    /// A checked answer.
    pub struct AnswerView {
        /// Markdown with citations such as `[2]`.
        pub text: String,
        /// Whether nothing good enough was found, and the text says so.
        pub abstained: bool,
        /// Whether it was put together from quotes; else a generator wrote it.
        pub quoted: bool,
        /// Whether a generator wrote something else, which the passages did not support.
        pub overruled: bool,
        /// The generator's id.
        pub model: String,
        /// The least confidence with which Oriel answers.
        pub limit: f32,
        /// The sentences, in the order of the text.
        pub sentences: Vec<Claim>,
        /// The answers to the parts of the question; empty if it asks one thing.
        pub parts: Vec<PartView>,
        /// The documents that it counts, if the question asks for all or for how many.
        pub survey: Option<SurveyView>,
        /// What it was computed from, or what it lists.
        pub rows: Option<RowsView>,
        /// The time that limits the documents.
        pub time: Option<TimeLimit>,
        /// What a generator wrote and a passage contradicts.
        pub left_out: Vec<AnswerSentence>,
        /// Milliseconds from the question to the first word.
        pub first_word_ms: Option<f64>,
        /// Milliseconds from the question to the end.
        pub total_ms: f64,
    }

    /// The answer to a part of a question.
    pub struct PartView {
        /// What was searched for.
        pub question: String,
        /// The side that it is about, if the question compares two.
        pub side: Option<String>,
        /// Markdown with citations; empty if nothing good enough was found.
        pub text: String,
        /// The sentences, in the order of its text.
        pub sentences: Vec<Claim>,
        pub abstained: bool,
        /// The number of the closest passage.
        pub closest: Option<usize>,
        /// The words of the part that the closest passage mentions, if it abstained.
        pub mentioned: Vec<String>,
        /// The words of the part that it lacks.
        pub lacking: Vec<String>,
    }
}

impl Resolver<'_> {
    /// A question with its answer.
    pub fn turn(&self, turn: &KeptTurn) -> Result<Turn, EngineError> {
        // The part of a question that names its document lacks that name.
        let part = turn.answer.as_ref().and_then(|answer| match &answer.parts[..] {
            [part] => Some(&part.question),
            _ => None,
        });
        let searched = part.or(turn.searched.as_ref()).unwrap_or(&turn.question);
        Ok(Turn {
            question: turn.question.clone(),
            searched: turn.searched.clone(),
            words: named_words(searched),
            asked: turn.asked,
            scope: self.scope(turn)?,
            window: turn.window,
            found: turn.answer.as_ref().map(|answer| self.kept_passages(turn, answer, searched)),
            answer: turn
                .answer
                .as_ref()
                .filter(|one| !one.answer.is_empty())
                .map(|one| self.answer(turn, one)),
            table: turn.table.as_ref().map(|table| self.table(table)),
            proposed: self.proposed_table(turn),
            // A turn with neither was in progress when Oriel was killed.
            stopped: turn.stopped || turn.answer.is_none() && turn.error.is_none(),
            error: turn.error.clone().map(with_way_out),
        })
    }

    /// The passages of a search.
    pub(crate) fn found(
        &self,
        result: &SearchResult,
        documents: &[Option<PassageDocument>],
        missing: Missing,
    ) -> Found {
        Found {
            cards: self.cards(&result.passages, documents, Some(&result.trace)),
            confidence: result.confidence,
            read: result.trace.passages.len(),
            ms: result.timings.total_ms,
            missing,
        }
    }

    fn kept_passages(&self, turn: &KeptTurn, answer: &Answer, searched: &str) -> Found {
        let trace = turn.trace.as_ref();
        let mut cards = self.cards(&answer.passages, &turn.documents, trace);
        if answer.abstained {
            for (card, passage) in cards.iter_mut().zip(&answer.passages) {
                (card.mentioned, card.lacking) = words_in(searched, &passage.text);
            }
        }
        Found {
            cards,
            confidence: answer.confidence,
            read: trace.map_or(answer.passages.len(), |trace| trace.passages.len()),
            ms: search_ms(&answer.timings),
            missing: turn.missing,
        }
    }

    fn answer(&self, turn: &KeptTurn, answer: &Answer) -> AnswerView {
        let quoted = answer.model == AnswerSource::Quotes;
        AnswerView {
            text: answer.answer.clone(),
            abstained: answer.abstained,
            quoted,
            overruled: quoted && turn.trace.as_ref().is_some_and(|trace| trace.prompt.is_some()),
            model: answer.model.to_string(),
            limit: LEAST_CONFIDENCE,
            sentences: claims(&answer.answer, &answer.sentences, &answer.passages),
            parts: parts(answer),
            survey: answer.survey.as_ref().map(|survey| self.survey(survey, &turn.documents)),
            rows: answer.rows.as_ref().map(|rows| self.answer_rows(rows)),
            time: answer.time.clone(),
            left_out: answer.left_out.clone(),
            first_word_ms: answer.timings.first_token_ms,
            total_ms: answer.timings.total_ms,
        }
    }

    /// The table that a question asks for, if there are documents for it.
    fn proposed_table(&self, turn: &KeptTurn) -> Option<ProposedTable> {
        let asked = self.library.asked_table(&turn.question, &turn.scope).ok()??;
        (!asked.documents.is_empty()).then(|| ProposedTable {
            questions: asked.questions,
            columns: asked.columns,
            documents: asked.documents.len(),
            folder: asked.folder.as_deref().map(name_of),
        })
    }
}

/// The parts of an answer; none if the question asks one thing.
fn parts(answer: &Answer) -> Vec<PartView> {
    if answer.parts.len() < 2 {
        return Vec::new();
    }
    let mut sentences = answer.sentences.iter();
    let part = |part: &AnswerPart| {
        let own: Vec<AnswerSentence> = sentences.by_ref().take(part.sentences).cloned().collect();
        let closest = part.passages.first().copied();
        let passage: Option<&Passage> =
            closest.filter(|_| part.abstained).and_then(|n| answer.passages.get(n - 1));
        let (mentioned, lacking) =
            passage.map(|passage| words_in(&part.question, &passage.text)).unwrap_or_default();
        PartView {
            question: part.question.clone(),
            side: part.side.clone(),
            text: part.text.clone(),
            sentences: claims(&part.text, &own, &answer.passages),
            abstained: part.abstained,
            closest,
            mentioned,
            lacking,
        }
    };
    answer.parts.iter().map(part).collect()
}

/// Milliseconds from the question to the passages.
fn search_ms(timings: &Timings) -> f64 {
    timings.embed_ms + timings.dense_ms + timings.sparse_ms + timings.window_ms + timings.rerank_ms
}

#[cfg(test)]
mod tests {
    use oriel_engine::{ExtractorLimits, Library};

    use super::*;

    #[test]
    fn an_answer_that_failed_for_want_of_a_model_says_where_to_get_it() {
        let folder = tempfile::tempdir().unwrap();
        let worker = oriel_core::WorkerCommand::new("", [""; 0]);
        let library = Library::open(folder.path(), worker, ExtractorLimits::default()).unwrap();
        let absent = Notice::ModelAbsent { id: "m".into() };
        let kept = KeptTurn { error: Some(absent.clone()), ..KeptTurn::new("Why?", 5) };
        let shown = Resolver::new(&library).unwrap().turn(&kept).unwrap();
        assert_eq!(shown.error, Some(Notice::SettingsOfferIt { cause: absent.into() }));
    }
}
