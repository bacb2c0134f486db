//! Decides once what a question asks for: what Oriel may compute, and the parts that are searched for otherwise. The time that it names
//! is read in `search/time.rs`, after typing errors are corrected.
//!
//! A decision uses the words of the question alone, mostly in English and German: no library and no model. Several computations may fit, so
//! each is tried with what the library has; the first that gives an answer is right (`answer/ask.rs`). If there is none, the
//! question is answered from passages.

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

/// What Oriel may compute for a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Computation {
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

/// What Oriel may compute for `question`, which stands alone, on the day `today` from the documents that `filter` admits, the likeliest
/// first.
pub(crate) fn computations(question: &str, filter: &Filter, today: Date) -> Vec<Computation> {
    let all = [
        list_question(question).map(Computation::List),
        library_question(question).map(Computation::Library),
        named_question(question).map(Computation::Named),
        outline_question(question).map(Computation::Outline),
        event_question(question, today).map(Computation::Events),
        sum_question(question).map(|sum| Computation::Sum(Box::new(sum))),
    ];
    let mut all: Vec<Computation> = all.into_iter().flatten().collect();
    // Of a single table a number is asked of its rows.
    if let [path] = &filter.within[..]
        && Kind::of_path(path).is_some_and(|kind| kind.is_workbook() || matches!(kind, Kind::Csv | Kind::Tsv))
    {
        all.sort_by_key(|one| !matches!(one, Computation::Sum(_)));
    }
    all
}

/// The things that a question asks, each with other words for what it names: those of the user's `own` glossary first.
pub(crate) fn query_parts(question: &str, own: &Glossary) -> Vec<QueryPart> {
    let part = |part: QueryPart| {
        let mut wordings = own.wordings(&part.question);
        let shipped = Glossary::shipped().wordings(&part.question);
        wordings.extend(shipped.into_iter().filter(|one| !wordings.contains(one)).collect::<Vec<_>>());
        wordings.truncate(Glossary::MAX_WORDINGS);
        QueryPart { wordings, ..part }
    };
    question_parts(question).into_iter().map(part).collect()
}
