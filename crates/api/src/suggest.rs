//! Suggests an answerable question in place of an unanswerable one.

use oriel_core::CancelToken;
use oriel_engine::Query;

use crate::assistant::Assistant;
use crate::error::AppError;
use crate::question_about::question_about;
use crate::turn_ref::TurnRef;

/// A suggested question must be answered with at least this confidence.
const MIN_CONFIDENCE: f32 = 0.5;

impl Assistant {
    /// A question that the closest passage of an unanswered turn does answer. `None` without a generator, or if what it wrote
    /// is not good enough: the search must find that passage first with it.
    pub fn suggest(&self, at: &TurnRef, cancel: &CancelToken) -> Result<Option<String>, AppError> {
        // Nobody asked for it, so no other computer receives text for it.
        if self.searcher.roles().sends_to().is_some() {
            return Ok(None);
        }
        let turn = self.kept_turn(at)?;
        let closest =
            turn.answer.as_ref().filter(|answer| answer.abstained).and_then(|one| one.passages.first());
        let Some((passage, generator)) = closest.zip(self.searcher.roles().generator()?) else {
            return Ok(None);
        };
        let hit = passage.hits.iter().max_by(|a, b| a.score.total_cmp(&b.score));
        let Some((hit, document)) = hit.zip(self.searcher.document_at(&passage.path)) else {
            return Ok(None);
        };
        let text = self.searcher.library().text_of(document.id)?;
        let is_hit = |one: &oriel_core::Sentence| one.span.of(&text.text) == Some(&hit.text[..]);
        let Some(at) = text.sentences.iter().position(is_hit) else { return Ok(None) };
        let Some(question) = question_about(&text, at, &*generator, cancel)? else { return Ok(None) };
        let query = Query { filter: turn.scope.clone(), ..Query::new(question.as_str()) };
        let found = self.searcher.search(&query, cancel)?;
        let span = text.sentences[at].span;
        let finds = found.passages.first().is_some_and(|first| {
            first.path == passage.path && first.start <= span.start && span.end <= first.end
        });
        Ok((finds && found.confidence >= MIN_CONFIDENCE).then_some(question))
    }
}
