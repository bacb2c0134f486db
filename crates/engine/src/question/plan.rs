//! Decides once what a question asks for.
//!
//! A decision uses the words of the question alone, in English and German: no library and no model. Several plans may
//! fit, so the caller tries each with what the library has; the first that gives an answer is computed
//! (`answer/stated.rs`). A question without a plan is answered from passages.

use jiff::civil::Date;
use oriel_core::{Filter, Kind};

use crate::question::QueryPart;
use crate::question::events::{EventQuestion, event_question};
use crate::question::glossary::Glossary;
use crate::question::library::{LibraryQuestion, library_question};
use crate::question::list::{ListQuestion, list_question};
use crate::question::outline::{NamedQuestion, OutlineQuestion, named_question, outline_question};
use crate::question::split::question_parts;
use crate::question::sums::{SumQuestion, sum_question};

/// What a question may ask for, beside what passages tell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Plan {
    /// Every document that mentions a thing, or their number.
    List(ListQuestion),
    /// Something about the library itself.
    Library(LibraryQuestion),
    /// A thing in a document that is named.
    Named(NamedQuestion),
    /// A document as a whole, or several.
    Outline(OutlineQuestion),
    /// Every document in which something happens at a time.
    Events(EventQuestion),
    /// A number over the rows of a table.
    Sum(Box<SumQuestion>),
}

/// What `question`, which stands alone, may ask for on the day `today` of the documents that `filter` admits, the likeliest first.
/// The first for which the library has what it takes is right; if there is none, the question is an ordinary one.
#[must_use]
pub fn plans(question: &str, filter: &Filter, today: Date) -> Vec<Plan> {
    let plans = [
        list_question(question).map(Plan::List),
        library_question(question).map(Plan::Library),
        named_question(question).map(Plan::Named),
        outline_question(question).map(Plan::Outline),
        event_question(question, today).map(Plan::Events),
        sum_question(question).map(|sum| Plan::Sum(Box::new(sum))),
    ];
    let mut plans: Vec<Plan> = plans.into_iter().flatten().collect();
    // Of a single table a number is asked of its rows.
    if let [path] = &filter.within[..]
        && Kind::of_path(path).is_some_and(|kind| kind.is_workbook() || matches!(kind, Kind::Csv | Kind::Tsv))
    {
        plans.sort_by_key(|plan| !matches!(plan, Plan::Sum(_)));
    }
    plans
}

/// The things that a question asks, each with other words for what it names.
#[must_use]
pub fn searched(question: &str, own: &Glossary) -> Vec<QueryPart> {
    let part = |part: QueryPart| {
        let mut wordings = own.wordings(&part.question);
        let shipped = Glossary::shipped().wordings(&part.question);
        wordings.extend(shipped.into_iter().filter(|one| !wordings.contains(one)).collect::<Vec<_>>());
        wordings.truncate(Glossary::MAX_WORDINGS);
        QueryPart { wordings, ..part }
    };
    question_parts(question).into_iter().map(part).collect()
}
