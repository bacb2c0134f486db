//! Comments on slides: those of PowerPoint until 2019, and the threads of later versions.

use std::collections::HashMap;

use oriel_core::Failure;
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use super::super::package::{Package, Relation};
use super::super::writer::Writer;
use super::super::xml::{self, attribute};

/// Comments do not nest deeper.
const MAX_OPEN: usize = 100;

/// The names of those who wrote comments, by their ids.
pub(super) fn authors(
    package: &mut Package<'_>,
    relations: &[Relation],
) -> Result<HashMap<String, String>, Failure> {
    let mut authors = HashMap::new();
    for relation in relations.iter().filter(|one| matches!(one.kind.as_str(), "commentAuthors" | "authors")) {
        let Some(part) = package.part(&relation.target)? else { continue };
        // What a damaged part says up to its damage is used.
        let _ = xml::each(&part, |element| {
            if matches!(element.local_name().as_ref(), "cmAuthor" | "author") {
                let value = |name| attribute(element, name).unwrap_or_default();
                authors.insert(value("id"), value("name"));
            }
        });
    }
    Ok(authors)
}

/// Writes the comments of a part, answers after what they answer.
pub(super) fn write(part: &str, authors: &HashMap<String, String>, writer: &mut Writer) {
    let mut reader = Reader::from_str(part);
    // Comments that are open, each with its author, and the text of the last.
    let mut open: Vec<String> = Vec::new();
    let mut text = String::new();
    let mut is_text = false;
    let mut finish = |text: &mut String, author: Option<&String>| {
        let text = std::mem::take(text);
        if let Some(author) = author.filter(|_| !text.trim().is_empty()) {
            writer.block(&xml::comment(author, "", &text));
        }
    };
    loop {
        match reader.read_event() {
            Ok(Event::Start(element)) => match element.local_name().as_ref() {
                "cm" | "reply" => {
                    finish(&mut text, open.last());
                    open.push(author_of(&element, authors));
                }
                // An answer ends what it answers.
                "replyLst" => finish(&mut text, open.last()),
                "text" | "t" => is_text = true,
                _ => {}
            },
            Ok(Event::Text(found)) if is_text => text.push_str(&found.xml10_content()),
            Ok(Event::GeneralRef(reference)) if is_text => text.push_str(&xml::character(&reference)),
            Ok(Event::End(element)) => match element.local_name().as_ref() {
                "cm" | "reply" => {
                    finish(&mut text, open.last());
                    open.pop();
                }
                "text" | "t" => is_text = false,
                "p" => text.push(' '),
                _ => {}
            },
            Ok(Event::Eof) | Err(_) => return,
            Ok(_) => {}
        }
        if open.len() > MAX_OPEN {
            return;
        }
    }
}

fn author_of(element: &BytesStart<'_>, authors: &HashMap<String, String>) -> String {
    let id = attribute(element, "authorId").unwrap_or_default();
    authors.get(&id).cloned().unwrap_or_default()
}
