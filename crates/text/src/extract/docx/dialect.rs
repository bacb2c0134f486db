//! Word's elements: paragraphs with their numbers, fields, forms, comments.

use std::collections::HashMap;

use oriel_core::Kind;
use quick_xml::events::BytesStart;

use super::super::page_numbers;
use super::super::writer::Writer;
use super::super::xml::{self, Body, Dialect, Element, attribute, id_attribute};
use super::fields::{Fields, FormField};
use super::numbering::{ListPosition, Numbering};
use super::styles::{FormatChange, Styles, is_on, level_of};
use super::symbols::symbol;

#[derive(Debug, Default)]
pub(super) struct Comment {
    pub(super) author: String,
    pub(super) text: String,
    /// Whether it is already written beside the text.
    pub(super) is_written: bool,
}

/// An open paragraph.
#[derive(Default)]
struct Paragraph {
    style: Option<String>,
    list_position: ListPosition,
    /// Whether its paragraph mark is deleted; without text it then has no number.
    is_deleted: bool,
}

/// The headers and footers of the section that is being read.
#[derive(Default)]
struct Section {
    has_first_page: bool,
    /// The kind of page, and the relation's id.
    parts: Vec<(String, String)>,
}

/// An open content control.
#[derive(Default)]
struct Control {
    /// Whether its check box is ticked; `None` without a box.
    ticked: Option<bool>,
}

/// The reader of Word's elements, with data from the other parts.
#[derive(Default)]
pub(super) struct WordDialect {
    pub(super) styles: Styles,
    pub(super) numbering: Numbering,
    pub(super) comments: HashMap<String, Comment>,
    /// Charts and diagrams by relation id.
    pub(super) drawings: HashMap<String, Writer>,
    /// Relation ids of parts that are included in this one.
    pub(super) imported: Vec<String>,
    /// Relation ids of the headers and footers that pages show, in the order of sections.
    pub(super) headers_and_footers: Vec<String>,
    /// Whether even pages have their own headers and footers.
    pub(super) has_even_pages: bool,
    section: Section,
    /// The headers and footers of earlier sections, which later sections inherit.
    inherited: HashMap<String, String>,
    paragraphs: Vec<Paragraph>,
    pub(super) fields: Fields,
    controls: Vec<Control>,
}

impl Dialect for WordDialect {
    const KIND: Kind = Kind::Docx;
    const IS_MIXED: bool = false;

    fn start(&mut self, element: &BytesStart<'_>, body: &mut Body) -> Element {
        let parent = body.parent();
        let name = element.local_name();
        let name = name.as_ref();
        let found = match name {
            "p" => Element::Paragraph,
            "r" => Element::Run,
            "rPr" => Element::RunProperties,
            "t" => Element::Text,
            "tbl" => Element::Table,
            "tr" => Element::Row,
            "tc" => Element::Cell,
            "txbxContent" => Element::Box,
            // Deleted and moved text, field codes, the older of two renderings, phonetic guides, earlier formatting.
            "del" | "moveFrom" | "delText" | "instrText" | "delInstrText" | "Fallback" | "rt"
            | "pPrChange" | "rPrChange" | "tblPrChange" | "tcPrChange" | "sectPrChange" => Element::Hidden,
            _ => Element::Other,
        };
        if matches!(name, "del" | "moveFrom")
            && parent == Element::RunProperties
            && !body.is_below(Element::Run, 1)
        {
            if let Some(paragraph) = self.paragraphs.last_mut() {
                paragraph.is_deleted = true;
            }
        } else if name == "p" {
            self.paragraphs.push(Paragraph::default());
        } else if name == "sdt" {
            self.controls.push(Control::default());
        }
        if name == "instrText" && !body.is_hidden() {
            body.collected = Some(String::new());
        }
        if body.is_hidden() {
            return found;
        }
        match name {
            "r" => self.begin_run(body),
            "tab" | "ptab" if parent == Element::Run => body.write("\t"),
            "br" | "cr" if parent == Element::Run => body.write("\n"),
            "noBreakHyphen" => body.write("-"),
            "sym" => self.write_symbol(element, body),
            "t" if self.write_box(body) => return Element::Hidden,
            // A watermark or other drawn text.
            "textpath" => {
                if let Some(text) = attribute(element, "string") {
                    body.flows.note(&text);
                }
            }
            // The alternative text of an image.
            "docPr" => {
                let is_hidden = attribute(element, "hidden").is_some_and(|hidden| is_on(Some(&hidden)));
                let shown = attribute(element, "descr").filter(|_| !body.format.is_vanished && !is_hidden);
                if let Some(shown) = shown {
                    body.flows.write_flowing(&format!(" {shown} "));
                }
            }
            "altChunk" => self.imported.extend(attribute(element, "id")),
            "chart" | "relIds" => {
                let id = attribute(element, if name == "chart" { "id" } else { "dm" });
                if let Some(drawing) = id.and_then(|id| self.drawings.remove(&id)) {
                    body.flows.append(drawing);
                }
            }
            _ => {
                self.paragraph_property(name, element, body);
                self.table_property(name, element, body);
                self.comment_mark(name, element, body);
                self.section_property(name, element);
                self.fields.start(name, element, body);
                self.control(name, element);
                let change = FormatChange::of(element);
                if parent == Element::RunProperties && body.is_below(Element::Run, 1) {
                    let style = id_attribute(element, "val").filter(|_| name == "rStyle");
                    let change = change.or_else(|| Some(self.styles.get(&style?)?.format));
                    change.unwrap_or_default().apply(&mut body.format);
                }
            }
        }
        body.is_muted = self.fields.is_page_number();
        found
    }

    fn end(&mut self, name: &str, body: &mut Body) {
        match name.rsplit(':').next().unwrap_or(name) {
            "p" => {
                let paragraph = self.paragraphs.pop().unwrap_or_default();
                if self.fields.is_header_or_footer {
                    body.flows.edit(page_numbers::without_numbers);
                }
                let is_gone = paragraph.is_deleted && body.flows.is_blank();
                if !(is_gone || body.is_hidden() || body.joins_next) {
                    self.number(&paragraph, body);
                }
            }
            "instrText" => {
                if let Some(code) = body.collected.take() {
                    self.fields.code(&code);
                }
            }
            "fldSimple" => self.fields.end(),
            "ffData" => {
                if let Some(form) = self.fields.take_form() {
                    form.write(body);
                }
            }
            "sdt" => drop(self.controls.pop()),
            "sectPr" if !body.is_hidden() => self.end_section(),
            _ => {}
        }
        body.is_muted = self.fields.is_page_number();
    }
}

impl WordDialect {
    fn begin_run(&self, body: &mut Body) {
        let style = self.paragraphs.last().and_then(|paragraph| paragraph.style.as_deref());
        body.format = xml::CharacterFormat::default();
        if let Some(style) = self.styles.paragraph(style) {
            style.format.apply(&mut body.format);
        }
    }

    /// Puts the paragraph's number before it.
    fn number(&mut self, paragraph: &Paragraph, body: &mut Body) {
        let style = paragraph.style.as_deref();
        let usual = self.styles.paragraph(style).map(|style| style.list_position.clone()).unwrap_or_default();
        let Some(list) = paragraph.list_position.list.as_ref().or(usual.list.as_ref()) else { return };
        let of_style = || self.numbering.level_of_style(list, style.or(self.styles.default_paragraph())?);
        let level = paragraph.list_position.level.or_else(of_style).or(usual.level).unwrap_or(0);
        if let Some(number) = self.numbering.next(list, level) {
            body.flows.prefix(&number);
        }
    }

    fn paragraph_property(&mut self, name: &str, element: &BytesStart<'_>, body: &mut Body) {
        let value = || id_attribute(element, "val");
        let Some(paragraph) = self.paragraphs.last_mut() else { return };
        match name {
            "pStyle" => {
                paragraph.style = value();
                let style = paragraph.style.as_deref().and_then(|id| self.styles.get(id));
                if let Some(level) = style.and_then(|style| style.level) {
                    body.flows.set_heading(level);
                }
            }
            "outlineLvl" => {
                if let Some(level) = value().and_then(|level| level_of(&level)) {
                    body.flows.set_heading(level);
                }
            }
            "numId" => paragraph.list_position.list = value(),
            "ilvl" => paragraph.list_position.level = value().and_then(|level| level.parse().ok()),
            // The paragraph continues after its drop cap.
            "framePr" => {
                body.joins_next = attribute(element, "dropCap").is_some_and(|value| value != "none");
            }
            _ => {}
        }
    }

    fn table_property(&self, name: &str, element: &BytesStart<'_>, body: &mut Body) {
        let value = || id_attribute(element, "val");
        let count = || value().and_then(|count| count.parse().ok()).unwrap_or(1);
        match name {
            "tblHeader" if is_on(value().as_deref()) => body.flows.set_header(),
            "tblLook" => {
                let bits = value().and_then(|bits| u16::from_str_radix(&bits, 16).ok()).unwrap_or(0);
                if attribute(element, "firstRow").map_or(bits & 0x20 != 0, |first| is_on(Some(&first))) {
                    body.flows.set_header();
                }
            }
            "gridSpan" => body.flows.span_columns(count()),
            "vMerge" if value().as_deref() == Some("restart") => body.flows.span_rows(u32::MAX),
            "vMerge" => body.flows.continue_above(),
            _ => {}
        }
    }

    fn comment_mark(&mut self, name: &str, element: &BytesStart<'_>, body: &mut Body) {
        if !matches!(name, "commentRangeStart" | "commentReference") {
            return;
        }
        let id = attribute(element, "id").unwrap_or_default();
        let Some(comment) = self.comments.get_mut(&id) else { return };
        if name == "commentRangeStart" {
            body.begin_capture(id);
        } else if !std::mem::replace(&mut comment.is_written, true) {
            let words = body.end_capture(&id);
            body.flows.note(&xml::comment(&comment.author, &words, &comment.text));
        }
    }

    fn section_property(&mut self, name: &str, element: &BytesStart<'_>) {
        match name {
            "sectPr" => self.section = Section::default(),
            "titlePg" => self.section.has_first_page = is_on(attribute(element, "val").as_deref()),
            "headerReference" | "footerReference" => {
                if let Some(id) = id_attribute(element, "id") {
                    let kind = attribute(element, "type").unwrap_or_else(|| "default".to_owned());
                    self.section.parts.push((format!("{name} {kind}"), id));
                }
            }
            _ => {}
        }
    }

    /// Records the headers and footers that the section's pages show.
    fn end_section(&mut self) {
        let section = std::mem::take(&mut self.section);
        self.inherited.extend(section.parts);
        for name in ["headerReference", "footerReference"] {
            let is_shown =
                [("first", section.has_first_page), ("default", true), ("even", self.has_even_pages)];
            for (kind, _) in is_shown.into_iter().filter(|(_, is_shown)| *is_shown) {
                self.headers_and_footers.extend(self.inherited.get(&format!("{name} {kind}")).cloned());
            }
        }
    }

    fn control(&mut self, name: &str, element: &BytesStart<'_>) {
        let Some(control) = self.controls.last_mut() else { return };
        match name {
            "checkbox" => control.ticked = Some(false),
            "checked" if control.ticked.is_some() => {
                control.ticked = Some(is_on(attribute(element, "val").as_deref()));
            }
            _ => {}
        }
    }

    /// Replaces the character of a content control by its check box.
    fn write_box(&mut self, body: &mut Body) -> bool {
        let ticked = self.controls.last().and_then(|control| control.ticked);
        if let Some(is_ticked) = ticked {
            body.write(FormField::mark(is_ticked));
        }
        ticked.is_some()
    }

    fn write_symbol(&mut self, element: &BytesStart<'_>, body: &mut Body) {
        if self.write_box(body) {
            return;
        }
        let code = attribute(element, "char").and_then(|code| u32::from_str_radix(&code, 16).ok());
        let font = attribute(element, "font").unwrap_or_default();
        if let Some(c) = code.and_then(|code| box_of(&font, code).or_else(|| symbol(code))) {
            body.write(c.encode_utf8(&mut [0; 4]));
        }
    }
}

/// The check box that a symbol of a font shows.
fn box_of(font: &str, code: u32) -> Option<char> {
    match (font, code & 0xFF) {
        ("Wingdings", 0xFD | 0xFE | 0x78) | ("Wingdings 2", 0x51..=0x54) => Some('☑'),
        ("Wingdings", 0xA8 | 0x6F) | ("Wingdings 2", 0x2A | 0xA3) => Some('☐'),
        _ => None,
    }
}
