//! Answers a question: computed if its plan says so, from the newest document if it asks for that, else from all that is found.

use oriel_core::CancelToken;

use crate::answer::events::answer_events;
use crate::answer::latest::answer_in_order;
use crate::answer::library::answer_library;
use crate::answer::list::answer_list;
use crate::answer::outline::{answer_outline, answer_section};
use crate::answer::sums::answer_sum;
use crate::answer::{AnswerEvent, AnswerModels, Answered, answer_found};
use crate::error::EngineError;
use crate::library::Library;
use crate::question::plan::Computation;
use crate::search::models::QuestionModels;
use crate::search::plan::Plan;
use crate::search::query::{Query, RerankMode};
use crate::search::survey::SurveyModels;

/// Answers a question from the library. The best sentences are quoted if there is no generator, if it died, or if what
/// it wrote is not an answer by the passages and the reranker. The answer's model is [`AnswerSource::Quotes`](oriel_core::AnswerSource::Quotes) then.
///
/// A cancelled token ends it within a second. Once there are passages this is no error: what was written until then is
/// kept and checked, by its words alone if the checker had not finished.
///
/// # Errors
/// If the search or a model fails, and if it is cancelled before there are passages.
pub fn answer(
    library: &Library,
    query: &Query,
    models: &dyn QuestionModels,
    event: &mut dyn FnMut(AnswerEvent<'_>),
    cancel: &CancelToken,
) -> Result<Answered, EngineError> {
    let plan = library.plan(query);
    let completed = Some(plan.query.question.clone()).filter(|completed| *completed != query.question);
    if let Some(completed) = &completed {
        event(AnswerEvent::Searched(completed));
    }
    let answered = match computed(library, &plan, models, event, cancel)? {
        Some(computed) => computed,
        None => answer_from_passages(library, plan, models, event, cancel)?,
    };
    Ok(Answered { searched: answered.searched.clone().or(completed), ..answered })
}

/// The computed answer; `None` if the library has what it takes for none of the computations.
fn computed(
    library: &Library,
    Plan { query, computations }: &Plan,
    models: &dyn QuestionModels,
    event: &mut dyn FnMut(AnswerEvent<'_>),
    cancel: &CancelToken,
) -> Result<Option<Answered>, EngineError> {
    for computation in computations {
        let computed = match computation {
            Computation::List(list) => {
                let search = models.search(&Query { rerank: RerankMode::Off, ..query.clone() })?;
                let models = SurveyModels { embedder: search.embedder, checker: models.checker() };
                Some(answer_list(library, query, list, &models, event, cancel)?)
            }
            Computation::Library(question) => answer_library(library, query, question, event)?,
            Computation::Named(named) => answer_section(library, query, named, event, cancel)?,
            Computation::Outline(question) => answer_outline(library, query, question, event, cancel)?,
            Computation::Events(question) => answer_events(library, query, question, event, cancel)?,
            Computation::Sum(question) => answer_sum(library, query, question, models, event, cancel)?,
        };
        if computed.is_some() {
            return Ok(computed);
        }
    }
    Ok(None)
}

/// The answer from passages.
fn answer_from_passages(
    library: &Library,
    plan: Plan,
    models: &dyn QuestionModels,
    event: &mut dyn FnMut(AnswerEvent<'_>),
    cancel: &CancelToken,
) -> Result<Answered, EngineError> {
    let search = models.search(&plan.query)?;
    let narrowed = library.narrowed(&plan)?;
    let is_narrowed = narrowed.is_some();
    let asked = plan.query.question.clone();
    let query = library.in_parts(narrowed.unwrap_or(plan.query), search.embedder, models, cancel)?;
    // Loading may have taken a while.
    cancel.check()?;
    let generator = models.generator();
    // An answer is checked even if the model for it is missing: its words are compared.
    let checker = generator.and_then(|_| models.checker());
    let models = AnswerModels { search, generator, checker };
    let mut answered = match answer_in_order(library, &query, &models, event, cancel)? {
        Some(answered) => answered,
        None => answer_found(library, &query, &models, event, cancel)?,
    };
    // A narrowed question lacks the name of its document, so it would be asked of all documents if it was asked again.
    answered.searched = answered.answer.searched_for(&asked).filter(|_| !is_narrowed).map(str::to_owned);
    if let Some(searched) = &answered.searched {
        event(AnswerEvent::Searched(searched));
    }
    Ok(answered)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::TestLibrary;

    #[test]
    fn an_answer_says_what_was_searched_for() {
        let place = TestLibrary::with(&[
            ("lease.txt", "The rent of the mill is 400 euros. The deposit for the mill is 900 euros."),
            ("note.txt", "The deposit for the bottles is 5 euros."),
        ]);
        let answered = |query: Query| {
            let models = AnswerModels::default();
            answer(&place.library, &query, &models, &mut |_| {}, &CancelToken::new()).unwrap()
        };
        let asked = |question: &str, earlier: &[&str]| {
            let earlier = earlier.iter().map(|&one| one.to_owned()).collect();
            answered(Query { earlier, ..Query::new(question) }).searched
        };
        let rent = "What is the rent of the mill?";
        assert_eq!(asked(rent, &[]), None);
        assert_eq!(
            asked("And the deposit?", &[rent]).as_deref(),
            Some("What is the rent of the mill? And the deposit?")
        );
        assert_eq!(
            asked("How many of them are PDFs?", &["How many documents do you have?"]).as_deref(),
            Some("How many of the documents are PDFs?"),
            "a computed answer"
        );
        // The document that the question names is searched, and named again if the question is repeated.
        let named = answered(Query::new("What does lease.txt say about the deposit?"));
        assert_eq!(named.searched, None);
        assert!(named.answer.passages.iter().all(|passage| passage.path.ends_with("lease.txt")));
        let typed = Query { as_typed: true, ..Query::new("How many documents do you have?") };
        assert!(answered(typed).answer.rows.is_none(), "nothing is computed");
    }
}
