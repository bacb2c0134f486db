//! Decides once what a question asks for.

use jiff::civil::Date;

use crate::question::QueryPart;
use crate::question::events::{EventQuestion, event_question};
use crate::question::glossary::Glossary;
use crate::question::library::{LibraryQuestion, library_question};
use crate::question::list::{ListQuestion, list_question};
use crate::question::outline::{NamedQuestion, OutlineQuestion, named_question, outline_question};
use crate::question::split::question_parts;
use crate::question::sums::{SumQuestion, sum_question};

/// What a question asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Plan {
    /// Something that passages tell: the things that are searched for.
    Passages(Vec<QueryPart>),
    /// Every document that mentions a thing, or their number.
    List(ListQuestion),
    /// Something about the library itself.
    Library(LibraryQuestion),
    /// A document as a whole, or several.
    Outline(OutlineQuestion),
    /// A thing in a document that is named.
    Named(NamedQuestion),
    /// Every document in which something happens at a time.
    Events(EventQuestion),
    /// A number over the rows of a table, if one accounts for all words; an ordinary question otherwise.
    Sum(Box<SumQuestion>),
}

/// What `question`, which stands alone, asks for on the day `today`. `own` has other words for what it names, before those that ship.
#[must_use]
pub fn plan(question: &str, own: &Glossary, today: Date) -> Plan {
    if let Some(list) = list_question(question) {
        return Plan::List(list);
    }
    if let Some(library) = library_question(question) {
        return Plan::Library(library);
    }
    if let Some(named) = named_question(question) {
        return Plan::Named(named);
    }
    if let Some(outline) = outline_question(question) {
        return Plan::Outline(outline);
    }
    if let Some(events) = event_question(question, today) {
        return Plan::Events(events);
    }
    if let Some(sum) = sum_question(question) {
        return Plan::Sum(Box::new(sum));
    }
    Plan::Passages(searched(question, own))
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
