//! WordprocessingML to text: paragraphs, tables, text boxes; without deletions, field codes and fallbacks.
//!
//! Knows one part's XML and no archive. A blank line separates paragraphs; a table's row is one line, with tabs between
//! its cells.

use std::borrow::Cow;

use oriel_core::Failure;
use oriel_core::notice::WordDamage;
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use super::broken;
use crate::extract::too_large;

/// The content of a part.
pub(super) struct Body {
    pub(super) text: String,
    /// Relation ids of parts that are included in this one.
    pub(super) imported: Vec<String>,
}

/// Reads the text of a part, at most `limit` bytes.
pub(super) fn read(xml: &str, limit: usize) -> Result<Body, Failure> {
    let mut reader = Reader::from_str(xml);
    let mut state = State::default();
    loop {
        match reader.read_event().map_err(|_| broken(WordDamage::XmlMalformed))? {
            Event::Start(element) => state.start(&element),
            Event::Empty(element) => {
                state.start(&element);
                state.end();
            }
            Event::End(_) => state.end(),
            Event::Text(text) => state.characters(&text.xml10_content()),
            Event::CData(text) => state.characters(&text.xml10_content()),
            Event::GeneralRef(reference) => {
                if let Ok(Some(c)) = reference.resolve_char_ref() {
                    state.characters(c.encode_utf8(&mut [0; 4]));
                } else {
                    // Entities that the document defines itself stay as written.
                    match quick_xml::escape::resolve_predefined_entity(&reference) {
                        Some(text) => state.characters(text),
                        None => state.characters(&format!("&{};", &*reference)),
                    }
                }
            }
            Event::Eof => break,
            _ => {}
        }
        if state.written > limit {
            return Err(too_large());
        }
    }
    if !state.elements.is_empty() {
        return Err(broken(WordDamage::XmlBreaksOff));
    }
    if !state.any_element {
        return Err(broken(WordDamage::NoXml));
    }
    let text = state.flows.pop().map_or_else(String::new, |flow| flow.text);
    Ok(Body { text, imported: state.imported })
}

/// The value of an attribute by its local name.
pub(super) fn attribute(element: &BytesStart<'_>, name: &str) -> Option<String> {
    let mut attributes = element.attributes().flatten();
    let found = attributes.find(|attribute| attribute.key.local_name().as_ref() == name)?;
    Some(quick_xml::escape::unescape(&found.value).map_or_else(|_| found.value.to_string(), Cow::into_owned))
}

/// The elements that matter here.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Element {
    Paragraph,
    Run,
    RunProperties,
    Text,
    Table,
    Row,
    Cell,
    TextBox,
    /// Nothing below is text.
    Hidden,
    Other,
}

/// A sequence of paragraphs: the body, a table's cell, or a text box.
#[derive(Default)]
struct Flow {
    text: String,
    paragraph: String,
    /// Text boxes anchored in the paragraph; they come after it.
    boxes: Vec<String>,
    /// Rows of the tables that are open here, and the cells of the current row.
    rows: Vec<String>,
    cells: Vec<String>,
}

impl Flow {
    fn end_paragraph(&mut self) {
        let paragraph = std::mem::take(&mut self.paragraph);
        self.add(paragraph.trim());
        for text in std::mem::take(&mut self.boxes) {
            self.add(&text);
        }
    }

    fn add(&mut self, block: &str) {
        super::append(&mut self.text, block);
    }
}

struct State {
    elements: Vec<Element>,
    flows: Vec<Flow>,
    hidden: usize,
    /// The current run is hidden text.
    vanished: bool,
    /// The current paragraph is a drop cap: the first letter of the next one.
    drop_cap: bool,
    imported: Vec<String>,
    any_element: bool,
    written: usize,
}

impl Default for State {
    fn default() -> Self {
        Self {
            elements: Vec::new(),
            flows: vec![Flow::default()],
            hidden: 0,
            vanished: false,
            drop_cap: false,
            imported: Vec::new(),
            any_element: false,
            written: 0,
        }
    }
}

impl State {
    fn flow(&mut self) -> &mut Flow {
        let last = self.flows.len() - 1;
        &mut self.flows[last]
    }

    fn start(&mut self, element: &BytesStart<'_>) {
        self.any_element = true;
        let parent = self.elements.last().copied().unwrap_or(Element::Other);
        let name = element.local_name();
        let found = match name.as_ref() {
            "p" => Element::Paragraph,
            "r" => Element::Run,
            "rPr" => Element::RunProperties,
            "t" => Element::Text,
            "tbl" => Element::Table,
            "tr" => Element::Row,
            "tc" => Element::Cell,
            "txbxContent" => Element::TextBox,
            // Deleted and moved text, field codes, the older of two renderings, phonetic guides over a word.
            "del" | "moveFrom" | "delText" | "instrText" | "delInstrText" | "Fallback" | "rt" => {
                Element::Hidden
            }
            _ => Element::Other,
        };
        self.elements.push(found);
        match found {
            Element::Hidden => self.hidden += 1,
            Element::TextBox | Element::Cell => self.flows.push(Flow::default()),
            Element::Run => self.vanished = false,
            _ => {}
        }
        if self.hidden > 0 {
            return;
        }
        match name.as_ref() {
            "tab" | "ptab" if parent == Element::Run => self.write("\t"),
            "br" | "cr" if parent == Element::Run => self.write("\n"),
            "noBreakHyphen" => self.write("-"),
            "sym" => {
                let code = attribute(element, "char").and_then(|code| u32::from_str_radix(&code, 16).ok());
                if let Some(c) = code.and_then(symbol) {
                    self.write(c.encode_utf8(&mut [0; 4]));
                }
            }
            "vanish" if parent == Element::RunProperties => {
                let off = attribute(element, "val")
                    .is_some_and(|value| matches!(value.as_str(), "0" | "false" | "off"));
                self.vanished = !off && self.elements.iter().rev().nth(2) == Some(&Element::Run);
            }
            // The paragraph continues after its drop cap.
            "framePr" => self.drop_cap = attribute(element, "dropCap").is_some_and(|value| value != "none"),
            "altChunk" => self.imported.extend(attribute(element, "id")),
            _ => {}
        }
    }

    fn end(&mut self) {
        match self.elements.pop() {
            Some(Element::Hidden) => self.hidden -= 1,
            Some(Element::Paragraph) if std::mem::take(&mut self.drop_cap) => {}
            Some(Element::Paragraph) => self.flow().end_paragraph(),
            Some(Element::Run) => self.vanished = false,
            Some(Element::Cell) => {
                let cell = self.close_flow();
                // A row is one line.
                let line = cell.split_whitespace().collect::<Vec<_>>().join(" ");
                self.flow().cells.push(line);
            }
            Some(Element::Row) => {
                let flow = self.flow();
                let row = std::mem::take(&mut flow.cells).join("\t");
                flow.rows.push(row.trim_end().to_owned());
            }
            Some(Element::Table) => {
                let flow = self.flow();
                let rows = std::mem::take(&mut flow.rows).into_iter().filter(|row| !row.is_empty());
                let table = rows.collect::<Vec<_>>().join("\n");
                flow.add(&table);
            }
            Some(Element::TextBox) => {
                let text = self.close_flow();
                self.flow().boxes.push(text);
            }
            _ => {}
        }
    }

    /// Ends a cell or text box.
    fn close_flow(&mut self) -> String {
        let Some(mut flow) = self.flows.pop() else { return String::new() };
        flow.end_paragraph();
        if self.flows.is_empty() {
            self.flows.push(Flow::default());
        }
        flow.text
    }

    fn characters(&mut self, text: &str) {
        if self.elements.last() == Some(&Element::Text) {
            self.write(text);
        }
    }

    fn write(&mut self, text: &str) {
        if self.hidden == 0 && !self.vanished {
            self.written += text.len();
            self.flow().paragraph.push_str(text);
        }
    }
}

/// The character for a code of a symbol font: only the few that a reader would read out.
fn symbol(code: u32) -> Option<char> {
    match code {
        0xF0B7 | 0xF09F => Some('•'),
        0xF0A7 => Some('▪'),
        0xF0E0 => Some('→'),
        0xF0FC | 0xF0FE => Some('✓'),
        0xF0D7 => Some('×'),
        0xF061..=0xF07A | 0xF0000.. => None,
        0xE000..=0xF8FF => None,
        _ => char::from_u32(code),
    }
}
