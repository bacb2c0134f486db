//! Comments on slides: those of PowerPoint until 2019, and the threads of later versions.

use std::collections::HashMap;

use oriel_core::Failure;
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use super::super::package::{Package, Relation};
use super::super::writer::Writer;
use super::super::xml::{self, attribute, id_attribute};

/// Maximum nesting of comments.
const MAX_OPEN: usize = 100;

/// The names of the comments' authors, by id.
pub(super) fn authors(
    package: &mut Package<'_>,
    relations: &[Relation],
) -> Result<HashMap<String, String>, Failure> {
    let mut authors = HashMap::new();
    for relation in relations.iter().filter(|one| matches!(one.kind.as_str(), "commentAuthors" | "authors")) {
        let Some(part) = package.part(&relation.target)? else { continue };
        // Of a damaged part, everything before the damage is used.
        let _ = xml::each(&part, |element| {
            if matches!(element.local_name().as_ref(), "cmAuthor" | "author") {
                let value = |name| id_attribute(element, name).unwrap_or_default();
                authors.insert(value("id"), value("name"));
            }
        });
    }
    Ok(authors)
}

/// Writes the comments of a part; replies come after the comments that they answer.
pub(super) fn write(part: &str, authors: &HashMap<String, String>, writer: &mut Writer) {
    let mut reader = Reader::from_str(part);
    // The author and the text of each; a reply may come before the text that it answers.
    let mut comments: Vec<(String, String)> = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    let mut is_text = false;
    loop {
        let mut add = |text: &str| {
            if let Some((_, said)) = open.last().and_then(|last| comments.get_mut(*last)) {
                said.push_str(text);
            }
        };
        match reader.read_event() {
            Ok(Event::Start(element)) => match element.local_name().as_ref() {
                "cm" | "reply" if open.len() < MAX_OPEN => {
                    open.push(comments.len());
                    comments.push((author_of(&element, authors), String::new()));
                }
                "text" | "t" => is_text = true,
                _ => {}
            },
            Ok(Event::Text(found)) if is_text => add(&found.xml10_content()),
            Ok(Event::GeneralRef(reference)) if is_text => add(&xml::character(&reference)),
            Ok(Event::End(element)) => match element.local_name().as_ref() {
                "cm" | "reply" => _ = open.pop(),
                "text" | "t" => is_text = false,
                "p" => add(" "),
                _ => {}
            },
            Ok(Event::Eof) | Err(_) => break,
            Ok(_) => {}
        }
    }
    for (author, text) in comments.iter().filter(|(_, text)| !text.trim().is_empty()) {
        writer.block(&xml::comment(author, "", text));
    }
}

fn author_of(element: &BytesStart<'_>, authors: &HashMap<String, String>) -> String {
    let id = attribute(element, "authorId").unwrap_or_default();
    authors.get(&id).cloned().unwrap_or_default()
}
