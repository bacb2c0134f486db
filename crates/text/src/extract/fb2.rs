//! FictionBook: a book in one XML file; each main section is a page.

use oriel_core::{About, Extracted, Failure, Kind};
use quick_xml::events::BytesStart;

use super::xml::{self, Body, Dialect, Element, Script};
use super::{Limits, encoding, xml_date};

/// Reads the bodies of a book, with the notes last.
pub(super) fn extract(bytes: &[u8], limits: &Limits) -> Result<Extracted, Failure> {
    let text = encoding::decode(bytes, encoding::declared(bytes));
    let book = xml::read(&text, &mut Book::default(), limits.text_bytes)?;
    Ok(Extracted { about: about(&text), ..book.finish(Kind::Fb2)? })
}

fn about(xml: &str) -> About {
    let mut about = About::default();
    let mut names = Vec::new();
    let head = xml.find("</title-info>").map_or("", |end| &xml[..end]);
    xml::texts(head, |name, said| match name {
        "book-title" => about.title = Some(said),
        "first-name" | "middle-name" | "last-name" => names.push(said),
        "date" => about.date = xml_date::seconds(&said),
        _ => {}
    });
    about.author = Some(names.join(" ")).filter(|name| !name.is_empty());
    about
}

/// The reader of FictionBook's elements.
#[derive(Default)]
struct Book {
    /// Whether the body contains notes, whose titles are their numbers.
    is_notes: bool,
}

impl Dialect for Book {
    const KIND: Kind = Kind::Fb2;
    const IS_MIXED: bool = true;

    fn start(&mut self, element: &BytesStart<'_>, body: &mut Body) -> Element {
        let depth = body.count(Element::Section);
        match element.local_name().as_ref() {
            // The text of a link to a note is only its number.
            "history" | "stylesheet" | "binary" => Element::Hidden,
            "a" if xml::attribute(element, "type").is_some_and(|kind| kind == "note") => Element::Hidden,
            "body" => {
                self.is_notes = xml::attribute(element, "name").is_some();
                Element::Other
            }
            "title" if self.is_notes && depth > 0 => Element::Hidden,
            "section" => {
                if depth == 0 {
                    body.flows.page();
                }
                Element::Section
            }
            // The paragraphs of a title become one line.
            "title" => {
                body.flows.set_heading(u8::try_from(depth).unwrap_or(u8::MAX).max(1));
                Element::Paragraph
            }
            "p" if body.parent() == Element::Paragraph => {
                body.write(" ");
                Element::Run
            }
            "p" | "v" | "subtitle" | "text-author" => Element::Paragraph,
            "strong" => {
                body.format.is_bold = true;
                Element::Run
            }
            "emphasis" | "style" | "a" | "code" => Element::Run,
            name @ ("strikethrough" | "sub" | "sup") => {
                match name {
                    "sub" => body.format.script = Script::Sub,
                    "sup" => body.format.script = Script::Super,
                    _ => body.format.is_struck = true,
                }
                Element::Run
            }
            "table" => Element::Table,
            "tr" => Element::Row,
            // Cells contain text without a paragraph.
            "th" => {
                body.flows.set_header();
                Element::Cell
            }
            "td" => Element::Cell,
            _ => Element::Other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_are_pages_and_titles_headings() {
        let xml = "<?xml version='1.0' encoding='windows-1251'?><FictionBook><description><title-info>\
            <author><first-name>Anna</first-name><last-name>Berg</last-name></author><book-title>The Dam</book-title>\
            <date value='1912-01-01'>1912</date></title-info></description><body><title><p>The Dam</p></title>\
            <section><title><p>One</p><p>The river</p></title><p>It <emphasis>rose</emphasis> 2<sup>3</sup> <strikethrough>m</strikethrough>.</p></section>\
            <section><p>It fell.</p><table><tr><th>a</th><th>b</th></tr><tr><td>c</td><td>d</td></tr></table></section>\
            </body><binary id='x'>aGVsbG8=</binary></FictionBook>";
        let book = extract(xml.as_bytes(), &Limits::default()).unwrap().validated().unwrap();
        assert_eq!(book.text, "The Dam\n\nOne The river\n\nIt rose 2³ ~~m~~.\n\nIt fell.\n\na\tb\nc\td");
        assert_eq!(book.pages.0, [9, 44]);
        assert_eq!(
            (book.about.title.as_deref(), book.about.author.as_deref()),
            (Some("The Dam"), Some("Anna Berg"))
        );
        assert_eq!((book.outline.headings.len(), book.outline.tables.len()), (2, 1));
    }
}
