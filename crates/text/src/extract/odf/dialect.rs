//! The reader of OpenDocument's elements.

use std::collections::{HashMap, HashSet};

use oriel_core::Kind;
use quick_xml::events::BytesStart;

use super::super::page_numbers;
use super::super::writer::Writer;
use super::super::xml::{self, Body, Dialect, Element, attribute};
use super::form_fields;
use super::lists::Lists;
use super::styles::Styles;

/// A cell that is repeated more often counts as one.
const MAX_REPEATED: usize = 100;
/// Maximum number of hidden ranges of columns that are distinguished.
const MAX_HIDDEN_RANGES: usize = 1000;

/// The part of a document that is read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Region {
    Body,
    Headers,
    Footers,
}

/// A comment that is being read.
#[derive(Default)]
struct Annotation {
    name: String,
    author: String,
}

/// A comment without its range's end so far.
struct Pending {
    name: String,
    author: String,
    text: String,
}

/// The columns of a sheet.
#[derive(Default)]
struct Columns {
    /// The number of columns described so far.
    count: usize,
    /// The first and the last column of each hidden range.
    hidden: Vec<(usize, usize)>,
    /// The hidden columns that are already named in the text.
    named: HashSet<usize>,
    /// The column of the current cell, and that of the next one.
    current: usize,
    next: usize,
}

/// The reader, with data from other parts.
pub(super) struct OpenDocument {
    pub(super) region: Region,
    pub(super) styles: Styles,
    /// Charts by their addresses.
    pub(super) objects: HashMap<String, Writer>,
    kind: Kind,
    lists: Lists,
    /// The numbers of open paragraphs.
    numbers: Vec<Option<String>>,
    /// Whether the current frame contains a slide's title.
    is_title: bool,
    annotations: Vec<Annotation>,
    /// The names of comments that have a range.
    ranges: HashSet<String>,
    pending: Vec<Pending>,
    /// The texts of form fields, by id.
    fields: HashMap<String, String>,
    columns: Columns,
    is_row_hidden: bool,
    /// Footers of slides that are not written yet, by name, and the footer of the current slide.
    footers: HashMap<String, String>,
    footer: Option<String>,
    /// The value of the current cell, used if it has no text.
    value: Option<String>,
}

impl OpenDocument {
    pub(super) fn new(kind: Kind) -> Self {
        Self {
            region: Region::Body,
            styles: Styles::default(),
            objects: HashMap::new(),
            kind,
            lists: Lists::default(),
            numbers: Vec::new(),
            is_title: false,
            annotations: Vec::new(),
            ranges: HashSet::new(),
            pending: Vec::new(),
            fields: HashMap::new(),
            columns: Columns::default(),
            is_row_hidden: false,
            footers: HashMap::new(),
            footer: None,
            value: None,
        }
    }

    /// Collects from the content what its text refers to.
    pub(super) fn prepare(&mut self, content: &str) {
        self.styles.read(content);
        if !content.contains("annotation-end") && !content.contains("<form:") {
            return;
        }
        // Of a damaged part, everything before the damage is used.
        let _ = xml::each(content, |element| {
            if element.name().as_ref() == "office:annotation-end" {
                self.ranges.extend(attribute(element, "name"));
            }
            self.fields.extend(form_fields::field(element));
        });
    }

    fn is_hidden_here(&self, name: &str, element: &BytesStart<'_>) -> bool {
        let value = |name| attribute(element, name);
        let is_region = |region| self.region == region && value("display").as_deref() != Some("false");
        match name {
            // Deleted text, numbers of notes, phonetic guides, descriptions of drawings, styles.
            "text:tracked-changes"
            | "text:note-citation"
            | "text:ruby-text"
            | "svg:title"
            | "svg:desc"
            | "office:meta"
            | "office:styles"
            | "office:automatic-styles"
            | "office:scripts"
            | "office:settings"
            | "office:font-face-decls"
            | "presentation:header-decl"
            | "presentation:date-time-decl"
            | "office:binary-data"
            | "math:math"
            | "office:forms"
            | "text:sequence-decls" => true,
            "office:master-styles" => self.region == Region::Body,
            "office:body" => self.region != Region::Body,
            "style:header" | "style:header-left" | "style:header-first" => !is_region(Region::Headers),
            "style:footer" | "style:footer-left" | "style:footer-first" => !is_region(Region::Footers),
            "text:section" => value("display").as_deref() == Some("none"),
            "text:hidden-text" | "text:hidden-paragraph" => value("is-hidden").as_deref() == Some("true"),
            "text:page-number" | "text:page-count" => self.region != Region::Body,
            // Fields that programs insert by default. They contain question marks until the document is printed.
            "text:sheet-name" | "text:title" | "text:file-name" | "text:date" | "text:time" => {
                self.region != Region::Body && self.kind == Kind::Ods
            }
            _ => false,
        }
    }

    fn paragraph(&mut self, element: &BytesStart<'_>, heading: Option<u8>, body: &mut Body) {
        let style = attribute(element, "style-name").unwrap_or_default();
        body.format = xml::CharacterFormat::default();
        self.styles.apply("paragraph", &style, &mut body.format);
        let number = self.lists.number(&style, &self.styles);
        let number = number.or_else(|| {
            let level = usize::from(heading?).saturating_sub(1);
            self.lists.heading(element, level, &style, &self.styles)
        });
        self.numbers.push(number);
        if let Some(level) = heading {
            body.flows.set_heading(level);
        } else if self.is_title {
            body.flows.set_heading(1);
        }
    }

    fn begin_annotation(&mut self, element: &BytesStart<'_>, body: &mut Body) {
        let name = attribute(element, "name").unwrap_or_default();
        self.annotations.push(Annotation { name, author: String::new() });
        body.is_aside = true;
        body.flows.open();
    }

    fn end_annotation(&mut self, body: &mut Body) {
        let text = body.flows.close_text();
        let Annotation { name, author } = self.annotations.pop().unwrap_or_default();
        body.is_aside = !self.annotations.is_empty();
        if text.is_empty() {
        } else if self.ranges.remove(&name) {
            body.flows.count(text.len());
            body.begin_capture(name.clone());
            self.pending.push(Pending { name, author, text });
        } else {
            body.flows.note(&xml::comment(&author, "", &text));
        }
    }

    fn end_range(&mut self, element: &BytesStart<'_>, body: &mut Body) {
        let name = attribute(element, "name").unwrap_or_default();
        if let Some(at) = self.pending.iter().position(|pending| pending.name == name) {
            let words = body.end_capture(&name);
            let Pending { author, text, .. } = self.pending.swap_remove(at);
            body.flows.note(&xml::comment(&author, &words, &text));
        }
    }

    fn begin_sheet(&mut self, element: &BytesStart<'_>, body: &mut Body) {
        self.columns = Columns::default();
        if self.kind == Kind::Ods {
            let style = attribute(element, "style-name").unwrap_or_default();
            let hidden = if self.styles.is_hidden("table", &style) { " (hidden)" } else { "" };
            body.flows.page();
            body.flows.heading(&format!("{}{hidden}", attribute(element, "name").unwrap_or_default()), 1);
        }
    }

    fn begin_slide(&mut self, element: &BytesStart<'_>, body: &mut Body) {
        body.flows.page();
        let style = attribute(element, "style-name").unwrap_or_default();
        let footer = attribute(element, "use-footer-name").filter(|_| !self.styles.hides_footer(&style));
        self.footer = footer.and_then(|name| self.footers.remove(&name));
        if self.styles.is_hidden("drawing-page", &style) {
            body.flows.heading(&format!("{} (hidden)", attribute(element, "name").unwrap_or_default()), 1);
        }
    }

    fn column(&mut self, element: &BytesStart<'_>, repeated: usize) {
        let first = self.columns.count;
        self.columns.count = first.saturating_add(repeated);
        if is_collapsed(element) && self.columns.hidden.len() < MAX_HIDDEN_RANGES {
            self.columns.hidden.push((first, self.columns.count.saturating_sub(1)));
        }
    }

    fn cell(&mut self, element: &BytesStart<'_>, repeated: usize, body: &mut Body) {
        let value = |name| attribute(element, name);
        self.columns.current = self.columns.next;
        self.columns.next = self.columns.next.saturating_add(repeated);
        // A sheet ends with empty cells that are repeated up to its edge.
        body.flows.repeat_cell(if repeated <= MAX_REPEATED { repeated } else { 1 });
        body.flows.span_rows(value("number-rows-spanned").and_then(|rows| rows.parse().ok()).unwrap_or(1));
        self.value = ["string-value", "date-value", "time-value", "boolean-value", "value"]
            .into_iter()
            .find_map(value);
    }

    /// Writes a note that a column is hidden, before the first text in it.
    fn name_column(&mut self, body: &mut Body) {
        let column = self.columns.current;
        let is_hidden = self.columns.hidden.iter().any(|(first, last)| (*first..=*last).contains(&column));
        if is_hidden && !body.flows.is_blank() && self.columns.named.insert(column) {
            body.flows.edit(|text| format!("{} (hidden)", text.trim_end()));
        }
    }
}

/// Whether a row or column is hidden or filtered out.
fn is_collapsed(element: &BytesStart<'_>) -> bool {
    matches!(attribute(element, "visibility").as_deref(), Some("collapse" | "filter"))
}

impl Dialect for OpenDocument {
    const KIND: Kind = Kind::Odt;
    const IS_MIXED: bool = true;

    fn start(&mut self, element: &BytesStart<'_>, body: &mut Body) -> Element {
        if body.is_hidden() {
            return Element::Other;
        }
        let name = element.name();
        let name = name.as_ref();
        let number = |name| attribute(element, name).and_then(|value| value.parse::<usize>().ok());
        let repeated = || number("number-columns-repeated").unwrap_or(1);
        if self.is_hidden_here(name, element) {
            if name.starts_with("text:page-") {
                body.write(page_numbers::NUMBER);
            }
            return Element::Hidden;
        }
        match name {
            "text:p" => {
                // The cell has a text, which may be empty.
                if self.annotations.is_empty() {
                    self.value = None;
                }
                self.paragraph(element, None, body);
                return Element::Paragraph;
            }
            "text:h" => {
                let level = number("outline-level").and_then(|level| u8::try_from(level).ok()).unwrap_or(1);
                self.paragraph(element, Some(level), body);
                return Element::Paragraph;
            }
            "text:list" => self.lists.begin(element),
            "text:list-item" => self.lists.item(element, true),
            "text:list-header" => self.lists.item(element, false),
            "text:span" => {
                let style = attribute(element, "style-name").unwrap_or_default();
                self.styles.apply("text", &style, &mut body.format);
                return Element::Run;
            }
            "text:s" => body.write(&" ".repeat(number("c").unwrap_or(1).min(MAX_REPEATED))),
            "text:tab" => body.write("\t"),
            "text:line-break" => body.write("\n"),
            "draw:text-box" | "text:note-body" => return Element::Box,
            "office:annotation" => self.begin_annotation(element, body),
            "office:annotation-end" => self.end_range(element, body),
            "dc:creator" if !self.annotations.is_empty() => body.collected = Some(String::new()),
            "draw:page" => self.begin_slide(element, body),
            "presentation:footer-decl" => {
                self.footer = attribute(element, "name");
                body.collected = Some(String::new());
            }
            "draw:frame" => {
                self.is_title = attribute(element, "class").is_some_and(|class| class == "title");
            }
            "draw:object" => {
                if let Some(object) = attribute(element, "href").and_then(|name| self.objects.remove(&name)) {
                    body.flows.append(object);
                }
            }
            "draw:control" => {
                if let Some(shown) = attribute(element, "control").and_then(|id| self.fields.remove(&id)) {
                    body.flows.write_flowing(&format!(" {shown} "));
                }
            }
            "loext:content-control" if attribute(element, "checkbox").as_deref() == Some("true") => {
                let is_ticked = attribute(element, "checked").as_deref() == Some("true");
                body.write(if is_ticked { "☑" } else { "☐" });
                return Element::Hidden;
            }
            "table:table" => {
                self.begin_sheet(element, body);
                return Element::Table;
            }
            "table:table-header-rows" => body.flows.set_header(),
            "table:table-column" => self.column(element, repeated()),
            "table:table-row" => {
                if self.kind == Kind::Ods {
                    body.flows.set_sheet();
                }
                let repeated = number("number-rows-repeated").and_then(|count| u32::try_from(count).ok());
                body.flows.repeat_row(repeated.unwrap_or(1));
                self.is_row_hidden = is_collapsed(element);
                self.columns.next = 0;
                return Element::Row;
            }
            "table:table-cell" => {
                self.cell(element, repeated(), body);
                return Element::Cell;
            }
            "table:covered-table-cell" => {
                self.columns.next = self.columns.next.saturating_add(repeated());
                body.flows.cover_cells(repeated().min(MAX_REPEATED));
                // The content of a covered cell is not visible.
                return Element::Hidden;
            }
            // Links, fields, references.
            name if name.starts_with("text:") || name == "loext:content-control" => return Element::Run,
            _ => {}
        }
        Element::Other
    }

    fn end(&mut self, name: &str, body: &mut Body) {
        if body.is_hidden() {
            return;
        }
        match name {
            "text:p" | "text:h" => {
                let number = self.numbers.pop().flatten();
                if self.region != Region::Body {
                    body.flows.edit(page_numbers::without_numbers);
                }
                if let Some(number) = number {
                    body.flows.prefix(&number);
                }
                self.name_column(body);
            }
            "text:list" => self.lists.end(),
            "draw:page" => {
                if let Some(footer) = self.footer.take() {
                    body.flows.note(&footer);
                }
            }
            "presentation:footer-decl" => self.footers.extend(self.footer.take().zip(body.collected.take())),
            "dc:creator" => {
                if let (Some(author), Some(annotation)) = (body.collected.take(), self.annotations.last_mut())
                {
                    annotation.author = author;
                }
            }
            "office:annotation" => self.end_annotation(body),
            "table:table-cell" => {
                if let Some(value) = self.value.take()
                    && body.flows.is_empty()
                {
                    body.flows.write(&value);
                }
            }
            "table:table-row" if self.is_row_hidden => body.flows.label_row("(hidden)"),
            _ => {}
        }
    }
}
