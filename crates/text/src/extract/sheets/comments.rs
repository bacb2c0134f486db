//! Comments on cells: notes, and the threads of later versions.

use std::collections::HashMap;

use oriel_core::Failure;
use quick_xml::Reader;
use quick_xml::events::Event;

use super::super::package::{Package, Relation};
use super::super::xml::{MAX_ID_BYTES, attribute, character, each, id_attribute};
use super::layout::position;

/// A comment on a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Comment {
    /// Its row, from 0.
    pub(super) row: u32,
    pub(super) author: String,
    pub(super) text: String,
}

/// The names of the authors of threads, by id.
pub(super) fn thread_authors(
    package: &mut Package<'_>,
    relations: &[Relation],
) -> Result<HashMap<String, String>, Failure> {
    let mut authors = HashMap::new();
    for relation in relations.iter().filter(|one| one.kind == "person") {
        let Some(part) = package.part(&relation.target)? else { continue };
        // Of a damaged part, everything before the damage is used.
        let _ = each(&part, |element| {
            if element.local_name().as_ref() == "person" {
                let value = |name| id_attribute(element, name).unwrap_or_default();
                authors.insert(value("id"), value("displayName"));
            }
        });
    }
    Ok(authors)
}

pub(super) fn read(part: &str, thread_authors: &HashMap<String, String>) -> Vec<Comment> {
    let mut reader = Reader::from_str(part);
    let (mut comments, mut authors) = (Vec::new(), Vec::new());
    let mut open: Option<Comment> = None;
    let mut text = String::new();
    // Whether the next text belongs to the comment, not to its format or its pronunciation.
    let mut is_text = false;
    loop {
        match reader.read_event() {
            Ok(Event::Start(element)) => match element.local_name().as_ref() {
                "author" => {
                    text.clear();
                    is_text = true;
                }
                name @ ("comment" | "threadedComment") => {
                    let row =
                        attribute(&element, "ref").and_then(|at| position(&at)).map_or(0, |(row, _)| row);
                    let author = if name == "comment" {
                        let number = attribute(&element, "authorId").and_then(|id| id.parse::<usize>().ok());
                        number.and_then(|number| authors.get(number)).cloned()
                    } else {
                        attribute(&element, "personId").and_then(|id| thread_authors.get(&id)).cloned()
                    };
                    text.clear();
                    open = Some(Comment { row, author: author.unwrap_or_default(), text: String::new() });
                }
                "t" | "text" => is_text = true,
                _ => {}
            },
            Ok(Event::Text(part)) if is_text => text.push_str(&part.xml10_content()),
            Ok(Event::GeneralRef(reference)) if is_text => text.push_str(&character(&reference)),
            Ok(Event::End(element)) => match element.local_name().as_ref() {
                "author" => {
                    let author = std::mem::take(&mut text);
                    authors.push(if author.len() <= MAX_ID_BYTES { author } else { String::new() });
                    is_text = false;
                }
                "comment" | "threadedComment" => {
                    if let Some(comment) = open.take() {
                        let own = without_author(&text, &comment.author);
                        comments.push(Comment { text: own.to_owned(), ..comment });
                    }
                }
                "t" | "text" => is_text = false,
                _ => {}
            },
            Ok(Event::Eof) | Err(_) => break,
            Ok(_) => {}
        }
    }
    comments.retain(|comment| !comment.text.is_empty());
    comments
}

/// The text of a note without its author, whom Excel writes before it.
pub(super) fn without_author<'a>(text: &'a str, author: &str) -> &'a str {
    let text = text.trim();
    let rest = text.strip_prefix(author).and_then(|rest| rest.strip_prefix(':'));
    rest.filter(|_| !author.is_empty()).unwrap_or(text).trim()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_and_threads_name_their_authors() {
        let notes = "<comments><authors><author>Ada &amp; Co</author></authors><commentList><comment ref='B3' authorId='0'>\
            <text><r><rPr/><t>Ada &amp; Co:</t></r><r><t>\nFree.</t></r></text></comment></commentList></comments>";
        let note = Comment { row: 2, author: "Ada & Co".into(), text: "Free.".into() };
        assert_eq!(read(notes, &HashMap::new()), [note]);
        let thread = "<ThreadedComments><threadedComment ref='A1' personId='{1}'><text>Why?</text></threadedComment></ThreadedComments>";
        let authors = HashMap::from([("{1}".to_owned(), "Bo".to_owned())]);
        assert_eq!(read(thread, &authors), [Comment { row: 0, author: "Bo".into(), text: "Why?".into() }]);
    }
}
