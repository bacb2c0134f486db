//! The elements of slides (Office Open XML), in presentations and in what is drawn in other documents.

use std::collections::{HashMap, HashSet};

use oriel_core::{Failure, Kind};
use quick_xml::events::BytesStart;

use super::Limits;
use super::writer::Writer;
use super::xml::{self, Body, Dialect, Element, Script, attribute};

/// The text of shapes that are drawn in another document.
pub(super) fn shapes(part: &str, limits: &Limits) -> Result<Writer, Failure> {
    xml::read(part, &mut Slide { is_notes: true, ..Slide::default() }, limits.text_bytes)
}

/// The reader of a slide's elements.
#[derive(Default)]
pub(super) struct Slide {
    /// Charts and diagrams by relation id.
    pub(super) drawings: HashMap<String, Writer>,
    pub(super) is_notes: bool,
    pub(super) is_title: bool,
    /// Whether the slide is hidden.
    pub(super) is_hidden: bool,
    pub(super) has_title: bool,
    /// Whether the shape repeats what all slides have: number, date, or in notes the slide.
    pub(super) is_furniture: bool,
    pub(super) is_footer: bool,
    /// The footers that are already written.
    pub(super) footers: HashSet<String>,
}

impl Dialect for Slide {
    const KIND: Kind = Kind::Pptx;
    const IS_MIXED: bool = false;

    fn start(&mut self, element: &BytesStart<'_>, body: &mut Body) -> Element {
        let is_on = |name| matches!(attribute(element, name).as_deref(), Some("1" | "true"));
        match element.local_name().as_ref() {
            "sld" => {
                self.is_hidden = matches!(attribute(element, "show").as_deref(), Some("0" | "false"));
                Element::Other
            }
            "sp" | "graphicFrame" | "pic" => {
                (self.is_title, self.is_furniture, self.is_footer) = (false, false, false);
                Element::Other
            }
            "cNvPr" => {
                self.is_furniture |= is_on("hidden");
                Element::Other
            }
            "ph" => {
                let kind = attribute(element, "type").unwrap_or_default();
                self.is_title = matches!(kind.as_str(), "title" | "ctrTitle") && !self.is_notes;
                self.is_footer = kind == "ftr" && !self.is_notes;
                self.is_furniture |= matches!(kind.as_str(), "sldNum" | "dt" | "hdr" | "sldImg")
                    || (kind == "ftr" && self.is_notes);
                Element::Other
            }
            "txBody" if self.is_furniture => Element::Hidden,
            "p" => {
                if self.is_title {
                    body.flows.set_heading(1);
                }
                Element::Paragraph
            }
            "r" | "fld" => Element::Run,
            "rPr" => {
                body.format.is_struck =
                    attribute(element, "strike").is_some_and(|strike| strike != "noStrike");
                let raised = attribute(element, "baseline").unwrap_or_default();
                body.format.script = match raised.trim_end_matches('%').parse::<i32>().unwrap_or(0) {
                    0 => Script::Normal,
                    above if above > 0 => Script::Super,
                    _ => Script::Sub,
                };
                Element::Other
            }
            "t" if !element.name().as_ref().starts_with("dgm:") => Element::Text,
            "br" => {
                body.write("\n");
                Element::Other
            }
            "tbl" => Element::Table,
            "tblPr" => {
                if is_on("firstRow") {
                    body.flows.set_header();
                }
                Element::Other
            }
            "tr" => Element::Row,
            "tc" => {
                let rows = attribute(element, "rowSpan").and_then(|rows| rows.parse().ok());
                body.flows.span_rows(rows.unwrap_or(1));
                if is_on("vMerge") {
                    body.flows.continue_above();
                }
                Element::Cell
            }
            name @ ("chart" | "relIds") => {
                let id = attribute(element, if name == "chart" { "id" } else { "dm" });
                if let Some(drawing) = id.and_then(|id| self.drawings.remove(&id)) {
                    body.flows.append(drawing);
                }
                Element::Other
            }
            "Fallback" => Element::Hidden,
            _ => Element::Other,
        }
    }

    fn end(&mut self, name: &str, body: &mut Body) {
        if self.is_footer && name.rsplit(':').next() == Some("p") && !body.flows.is_blank() {
            let mut is_new = |text: &str| self.footers.insert(text.trim().to_owned());
            body.flows.edit(|text| if is_new(text) { text.to_owned() } else { String::new() });
        }
        if self.is_hidden && self.is_title && name.rsplit(':').next() == Some("p") && !body.flows.is_blank() {
            body.flows.edit(|title| format!("{} (hidden)", title.trim_end()));
            self.has_title = true;
        }
    }
}
