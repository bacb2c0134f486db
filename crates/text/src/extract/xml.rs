//! XML of office documents to text: paragraphs, tables, boxes, pages.
//!
//! This module knows no format: a [`Dialect`] tells the role of each element. It works without recursion, and resolves
//! no entity that the document itself defines.

use std::borrow::Cow;

use oriel_core::notice::Damage;
use oriel_core::{About, Failure, FailureCode, Kind, Notice};
use quick_xml::Reader;
use quick_xml::events::attributes::Attribute;
use quick_xml::events::{BytesRef, BytesStart, Event};

use super::flow::Flows;
use super::writer::{Writer, one_line};
use super::{damaged, too_large, xml_date};

/// Maximum nesting of elements; normal documents have less than a few hundred.
const MAX_DEPTH: usize = 2000;

/// The role of an element.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Element {
    Paragraph,
    /// Characters with one formatting.
    Run,
    /// The formatting of a run.
    RunProperties,
    /// Its characters are text, unless the dialect is mixed.
    Text,
    /// A part of a text; the dialect counts its depth.
    Section,
    Table,
    Row,
    Cell,
    /// Text beside its paragraph, which is written after it.
    Box,
    /// Nothing inside is text.
    Hidden,
    Other,
}

/// The elements of a format.
pub(super) trait Dialect {
    /// The format, for failures.
    const KIND: Kind;
    /// Whether all characters in a paragraph are text, and white space is only a gap.
    const IS_MIXED: bool;

    /// The role of an element. It may write to `body` and change its state.
    fn start(&mut self, element: &BytesStart<'_>, body: &mut Body) -> Element;

    /// Called with the name of each element before it ends.
    fn end(&mut self, _name: &str, _body: &mut Body) {}
}

/// The formatting of characters, as far as it changes the meaning of the text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct CharacterFormat {
    /// Hidden text.
    pub(super) is_vanished: bool,
    pub(super) is_struck: bool,
    pub(super) is_bold: bool,
    pub(super) script: Script,
}

/// Whether characters are above or below their line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Script {
    #[default]
    Normal,
    Super,
    Sub,
}

impl Script {
    /// `text` in Unicode's raised or lowered characters, if it consists of digits and signs.
    pub(super) fn apply(self, text: &str) -> Cow<'_, str> {
        const PLAIN: &str = "0123456789+-−=()";
        let moved = match self {
            Self::Normal => return text.into(),
            Self::Super => "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾",
            Self::Sub => "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎",
        };
        let one = |c: char| moved.chars().nth(PLAIN.chars().position(|plain| plain == c)?);
        text.chars().map(one).collect::<Option<String>>().map_or(Cow::Borrowed(text), Cow::Owned)
    }
}

/// The words that a comment marks, while they are read.
struct Capture {
    id: String,
    words: String,
}

/// Maximum number of comments on the same words.
const MAX_CAPTURES: usize = 64;
/// Maximum bytes of the names of styles, lists and authors.
pub(super) const MAX_ID_BYTES: usize = 300;
/// Longer words are cut.
const MAX_CAPTURE_BYTES: usize = 160;

/// The text that is being read.
pub(super) struct Body {
    elements: Vec<Element>,
    /// The text written so far.
    pub(super) flows: Flows,
    hidden: usize,
    /// The formatting of the next characters; it ends with its run or paragraph.
    pub(super) format: CharacterFormat,
    outer_formats: Vec<CharacterFormat>,
    /// Whether the next characters are not text, whatever their elements are.
    pub(super) is_muted: bool,
    /// Characters that are collected instead of written.
    pub(super) collected: Option<String>,
    captures: Vec<Capture>,
    /// Whether the next text is beside the words that comments mark.
    pub(super) is_aside: bool,
    /// Whether the current paragraph continues in the next one.
    pub(super) joins_next: bool,
    has_element: bool,
}

impl Body {
    fn new(limit: usize) -> Self {
        Self {
            elements: Vec::new(),
            flows: Flows::new(limit),
            hidden: 0,
            format: CharacterFormat::default(),
            outer_formats: Vec::new(),
            is_muted: false,
            collected: None,
            captures: Vec::new(),
            is_aside: false,
            joins_next: false,
            has_element: false,
        }
    }

    /// The parent of the element that starts.
    pub(super) fn parent(&self) -> Element {
        self.elements.last().copied().unwrap_or(Element::Other)
    }

    /// Whether the element `above` levels up has this role.
    pub(super) fn is_below(&self, wanted: Element, above: usize) -> bool {
        self.elements.iter().rev().nth(above) == Some(&wanted)
    }

    /// The number of open elements with this role.
    pub(super) fn count(&self, wanted: Element) -> usize {
        self.elements.iter().filter(|element| **element == wanted).count()
    }

    /// Whether nothing here is text.
    pub(super) fn is_hidden(&self) -> bool {
        self.hidden > 0
    }

    /// Whether the next characters are not written.
    fn is_silent(&self) -> bool {
        self.hidden > 0 || self.is_muted || self.format.is_vanished
    }

    /// Writes into the current paragraph.
    pub(super) fn write(&mut self, text: &str) {
        if !self.is_silent() {
            self.put(text, Flows::write);
        }
    }

    fn put(&mut self, text: &str, write: fn(&mut Flows, &str)) {
        for capture in self.captures.iter_mut().filter(|_| !self.is_aside) {
            if capture.words.len() <= MAX_CAPTURE_BYTES {
                capture.words.push_str(&text[..text.floor_char_boundary(MAX_CAPTURE_BYTES + 1)]);
            }
        }
        let text = self.format.script.apply(text);
        self.flows.set_bold(self.format.is_bold);
        self.flows.write_struck(&text, self.format.is_struck, write);
    }

    /// Begins to record the words that a comment marks.
    pub(super) fn begin_capture(&mut self, id: String) {
        if self.captures.len() < MAX_CAPTURES {
            self.captures.push(Capture { id, words: String::new() });
        }
    }

    /// The words recorded since, on one line.
    pub(super) fn end_capture(&mut self, id: &str) -> String {
        let at = self.captures.iter().position(|capture| capture.id == id);
        let words = at.map(|at| self.captures.swap_remove(at).words).unwrap_or_default();
        shortened(&words, MAX_CAPTURE_BYTES)
    }

    fn start<D: Dialect>(&mut self, element: &BytesStart<'_>, dialect: &mut D) {
        self.has_element = true;
        let format = self.format;
        let found = dialect.start(element, self);
        match found {
            Element::Hidden => self.hidden += 1,
            Element::Box | Element::Cell => self.flows.open(),
            Element::Table => self.flows.open_table(),
            Element::Run | Element::Paragraph => self.outer_formats.push(format),
            _ => {}
        }
        self.elements.push(found);
    }

    fn end<D: Dialect>(&mut self, name: &str, dialect: &mut D) {
        dialect.end(name, self);
        let found = self.elements.pop();
        match found {
            Some(Element::Hidden) => self.hidden -= 1,
            Some(Element::Paragraph) if std::mem::take(&mut self.joins_next) => {}
            Some(Element::Paragraph) => self.end_paragraph(),
            Some(Element::Cell) => self.flows.close_cell(),
            Some(Element::Row) => self.flows.close_row(),
            Some(Element::Table) => self.flows.close_table(),
            Some(Element::Box) => self.flows.close_box(),
            _ => {}
        }
        if matches!(found, Some(Element::Run | Element::Paragraph)) {
            self.format = self.outer_formats.pop().unwrap_or_default();
        }
    }

    fn end_paragraph(&mut self) {
        for capture in &mut self.captures {
            if capture.words.len() <= MAX_CAPTURE_BYTES {
                capture.words.push(' ');
            }
        }
        self.flows.end_paragraph();
    }

    fn characters<D: Dialect>(&mut self, text: &str) {
        if let Some(collected) = &mut self.collected {
            if collected.len() < MAX_CAPTURE_BYTES {
                collected.push_str(text);
            }
        } else if self.is_silent() {
        } else if !D::IS_MIXED {
            if self.parent() == Element::Text {
                self.put(text, Flows::write);
            }
        } else if self.is_in_paragraph() {
            self.put(text, Flows::write_flowing);
        }
    }

    fn is_in_paragraph(&self) -> bool {
        let inside = self.elements.iter().rev().find(|one| !matches!(one, Element::Run | Element::Text));
        matches!(inside, Some(Element::Paragraph | Element::Cell))
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
                body.end(element.name().as_ref(), dialect);
            }
            Event::End(element) => body.end(element.name().as_ref(), dialect),
            Event::Text(text) => body.characters::<D>(&text.xml10_content()),
            Event::CData(text) => body.characters::<D>(&text.xml10_content()),
            Event::GeneralRef(reference) => {
                body.characters::<D>(&character(&reference));
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

/// The character of a reference. Entities that the document itself defines stay unchanged.
pub(super) fn character(reference: &BytesRef<'_>) -> Cow<'static, str> {
    match (reference.resolve_char_ref(), quick_xml::escape::resolve_predefined_entity(reference)) {
        (Ok(Some(c)), _) => c.to_string().into(),
        (_, Some(text)) => text.into(),
        (_, None) => format!("&{};", &**reference).into(),
    }
}

/// The attributes of an element. Duplicates are not detected, because that would take quadratic time.
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

/// The value of an attribute that is a name or id; a longer value is ignored.
pub(super) fn id_attribute(element: &BytesStart<'_>, name: &str) -> Option<String> {
    attribute(element, name).filter(|id| id.len() <= MAX_ID_BYTES)
}

/// `text` as one line of at most `limit` bytes.
pub(super) fn shortened(text: &str, limit: usize) -> String {
    let line = one_line(text);
    if line.len() <= limit {
        return line;
    }
    let end = line.floor_char_boundary(limit);
    let end = line[..end].rfind(' ').unwrap_or(end);
    format!("{} …", &line[..end])
}

/// A comment as a separate block.
pub(super) fn comment(author: &str, words: &str, text: &str) -> String {
    let by = if author.is_empty() { String::new() } else { format!(" by {}", one_line(author)) };
    let on = if words.is_empty() { String::new() } else { format!(" on “{words}”") };
    format!("Comment{by}{on}: {}", one_line(text))
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

/// The metadata of a document from a part in Dublin Core.
pub(super) fn about(xml: &str) -> About {
    let mut about = About::default();
    texts(xml, |name, said| match name {
        "dc:title" => _ = about.title.get_or_insert(said),
        "dc:creator" => _ = about.author.get_or_insert(said),
        "dcterms:created" | "meta:creation-date" | "dc:date" => {
            about.date = about.date.or_else(|| xml_date::seconds(&said));
        }
        _ => {}
    });
    about
}
