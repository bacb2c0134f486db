//! XML of office documents to text: paragraphs, tables, boxes, pages.
//!
//! Knows no format: a [`Dialect`] says what each element is. Runs without recursion, and resolves no entity that the
//! document defines itself.

use std::borrow::Cow;

use oriel_core::notice::Damage;
use oriel_core::{About, Failure, FailureCode, Kind, Notice};
use quick_xml::Reader;
use quick_xml::events::attributes::Attribute;
use quick_xml::events::{BytesStart, Event};

use super::flow::Flows;
use super::writer::{Writer, one_line};
use super::{damaged, mail, too_large};

/// Elements nested deeper than this are an attack; documents stay below some hundred.
const MAX_DEPTH: usize = 2000;

/// What an element is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Element {
    Paragraph,
    /// Characters of one appearance.
    Run,
    /// The appearance of a run.
    RunProperties,
    /// Its characters are text, unless the dialect is mixed.
    Text,
    /// A part of a text, of whose depth the dialect takes account.
    Section,
    Table,
    Row,
    Cell,
    /// Text that stands beside its paragraph and comes after it.
    Box,
    /// Nothing below is text.
    Hidden,
    Other,
}

/// A format's vocabulary.
pub(super) trait Dialect {
    /// The format, for failures.
    const KIND: Kind;
    /// Whether all characters in a paragraph are text, and white space is only a gap.
    const IS_MIXED: bool;

    /// Says what an element is. May write to `body` and set what it holds for the element.
    fn start(&mut self, element: &BytesStart<'_>, body: &mut Body) -> Element;
}

/// The text that is being read.
pub(super) struct Body {
    elements: Vec<Element>,
    /// What was written so far.
    pub(super) flows: Flows,
    hidden: usize,
    /// The current run is hidden text.
    pub(super) is_vanished: bool,
    /// The current paragraph continues in the next one.
    pub(super) joins_next: bool,
    has_element: bool,
}

impl Body {
    fn new(limit: usize) -> Self {
        Self {
            elements: Vec::new(),
            flows: Flows::new(limit),
            hidden: 0,
            is_vanished: false,
            joins_next: false,
            has_element: false,
        }
    }

    /// The element around the one that starts.
    pub(super) fn parent(&self) -> Element {
        self.elements.last().copied().unwrap_or(Element::Other)
    }

    /// Whether an element stands below one that is `wanted`, `above` levels up.
    pub(super) fn is_below(&self, wanted: Element, above: usize) -> bool {
        self.elements.iter().rev().nth(above) == Some(&wanted)
    }

    /// How many elements of this kind are open.
    pub(super) fn count(&self, wanted: Element) -> usize {
        self.elements.iter().filter(|element| **element == wanted).count()
    }

    /// Whether nothing here is text.
    pub(super) fn is_hidden(&self) -> bool {
        self.hidden > 0
    }

    /// Writes into the current paragraph.
    pub(super) fn write(&mut self, text: &str) {
        if self.hidden == 0 && !self.is_vanished {
            self.flows.write(text);
        }
    }

    fn start<D: Dialect>(&mut self, element: &BytesStart<'_>, dialect: &mut D) {
        self.has_element = true;
        let found = dialect.start(element, self);
        match found {
            Element::Hidden => self.hidden += 1,
            Element::Box | Element::Cell => self.flows.open(),
            Element::Table => self.flows.open_table(),
            Element::Run => self.is_vanished = false,
            _ => {}
        }
        self.elements.push(found);
    }

    fn end(&mut self) {
        match self.elements.pop() {
            Some(Element::Hidden) => self.hidden -= 1,
            Some(Element::Paragraph) if std::mem::take(&mut self.joins_next) => {}
            Some(Element::Paragraph) => self.flows.end_paragraph(),
            Some(Element::Run) => self.is_vanished = false,
            Some(Element::Cell) => self.flows.close_cell(),
            Some(Element::Row) => self.flows.close_row(),
            Some(Element::Table) => self.flows.close_table(),
            Some(Element::Box) => self.flows.close_box(),
            _ => {}
        }
    }

    fn characters<D: Dialect>(&mut self, text: &str) {
        if self.hidden > 0 || self.is_vanished {
            return;
        }
        if !D::IS_MIXED {
            if self.parent() == Element::Text {
                self.flows.write(text);
            }
            return;
        }
        let inside = self.elements.iter().rev().find(|one| !matches!(one, Element::Run | Element::Text));
        if matches!(inside, Some(Element::Paragraph | Element::Cell)) {
            self.flows.write_flowing(text);
        }
    }
}

/// Reads the text of a part, at most `limit` bytes.
pub(super) fn read<D: Dialect>(xml: &str, dialect: &mut D, limit: usize) -> Result<Writer, Failure> {
    let broken = |what| damaged(D::KIND, what);
    let mut reader = Reader::from_str(xml);
    let mut body = Body::new(limit);
    loop {
        match reader.read_event().map_err(|_| broken(Damage::XmlMalformed))? {
            Event::Start(element) => body.start(&element, dialect),
            Event::Empty(element) => {
                body.start(&element, dialect);
                body.end();
            }
            Event::End(_) => body.end(),
            Event::Text(text) => body.characters::<D>(&text.xml10_content()),
            Event::CData(text) => body.characters::<D>(&text.xml10_content()),
            Event::GeneralRef(reference) => {
                if let Ok(Some(c)) = reference.resolve_char_ref() {
                    body.characters::<D>(c.encode_utf8(&mut [0; 4]));
                } else {
                    // Entities that the document defines itself stay as written.
                    match quick_xml::escape::resolve_predefined_entity(&reference) {
                        Some(text) => body.characters::<D>(text),
                        None => body.characters::<D>(&format!("&{};", &*reference)),
                    }
                }
            }
            Event::Eof => break,
            _ => {}
        }
        if body.elements.len() > MAX_DEPTH {
            return Err(Failure::new(FailureCode::Broken, Notice::NestedTooDeeply));
        }
        if body.flows.is_full() {
            return Err(too_large());
        }
    }
    if !body.elements.is_empty() {
        return Err(broken(Damage::XmlBreaksOff));
    }
    if !body.has_element {
        return Err(broken(Damage::NoXml));
    }
    Ok(body.flows.finish())
}

/// The attributes of an element. Looking for duplicates would take quadratic time.
pub(super) fn attributes<'a>(element: &'a BytesStart<'_>) -> impl Iterator<Item = Attribute<'a>> {
    let mut attributes = element.attributes();
    attributes.with_checks(false);
    attributes.flatten()
}

/// The value of an attribute by its local name.
pub(super) fn attribute(element: &BytesStart<'_>, name: &str) -> Option<String> {
    let found = attributes(element).find(|attribute| attribute.key.local_name().as_ref() == name)?;
    Some(quick_xml::escape::unescape(&found.value).map_or_else(|_| found.value.to_string(), Cow::into_owned))
}

/// Calls `take` with each element that starts.
///
/// # Errors
/// If the XML is malformed.
pub(super) fn each(xml: &str, mut take: impl FnMut(&BytesStart<'_>)) -> Result<(), quick_xml::Error> {
    let mut reader = Reader::from_str(xml);
    loop {
        match reader.read_event()? {
            Event::Start(element) | Event::Empty(element) => take(&element),
            Event::Eof => return Ok(()),
            _ => {}
        }
    }
}

/// Calls `take` with the name and the text of each element that holds text.
pub(super) fn texts(xml: &str, mut take: impl FnMut(&str, String)) {
    let mut reader = Reader::from_str(xml);
    let mut open = String::new();
    let mut value = String::new();
    loop {
        match reader.read_event() {
            Ok(Event::Start(element)) => {
                element.name().as_ref().clone_into(&mut open);
                value.clear();
            }
            Ok(Event::Text(text)) => value.push_str(&text.xml10_content()),
            Ok(Event::GeneralRef(reference)) => match reference.resolve_char_ref() {
                Ok(Some(c)) => value.push(c),
                _ => value
                    .push_str(quick_xml::escape::resolve_predefined_entity(&reference).unwrap_or_default()),
            },
            Ok(Event::End(_)) => {
                let said = one_line(&std::mem::take(&mut value));
                if !said.is_empty() {
                    take(&open, said);
                }
                open.clear();
            }
            Ok(Event::Eof) | Err(_) => return,
            Ok(_) => {}
        }
    }
}

/// What Dublin Core in a part says about its document.
pub(super) fn about(xml: &str) -> About {
    let mut about = About::default();
    texts(xml, |name, said| match name {
        "dc:title" => _ = about.title.get_or_insert(said),
        "dc:creator" => _ = about.author.get_or_insert(said),
        "dcterms:created" | "meta:creation-date" | "dc:date" => {
            about.date = about.date.or_else(|| mail::date(&said));
        }
        _ => {}
    });
    about
}
