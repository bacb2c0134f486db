//! Word documents (Office Open XML): body, notes and comments, without deletions, field codes and fallbacks.

use std::collections::HashMap;

use oriel_core::{Extracted, Failure, Kind};
use quick_xml::events::BytesStart;

use super::package::Package;
use super::xml::{self, Body, Dialect, Element, attribute};
use super::{Limits, html};

/// The text of a document: its body, then footnotes, endnotes and comments.
pub(super) fn extract(bytes: &[u8], limits: &Limits) -> Result<Extracted, Failure> {
    if !bytes.starts_with(b"PK") {
        // Word 2003 wrote the same elements into one file.
        let text = super::encoding::decode(bytes, super::encoding::declared(bytes));
        return xml::read(&text, &mut Word::default(), limits.text_bytes)?.finish(Kind::Docx);
    }
    let mut package = Package::open(Kind::Docx, bytes, limits)?;
    let (main, text) = package.main("word/document.xml")?;
    let relations = package.relations(&main)?;
    let mut word = Word::default();
    for relation in relations.iter().filter(|one| one.kind == "styles") {
        let styles = package.part(&relation.target)?.unwrap_or_default();
        word.levels = levels(&styles);
    }
    let mut writer = xml::read(&text, &mut word, limits.text_bytes)?;
    // Parts included as they are.
    let by_id: HashMap<_, _> = relations.iter().map(|relation| (relation.id.as_str(), relation)).collect();
    for id in std::mem::take(&mut word.imported) {
        let Some(relation) = by_id.get(id.as_str()) else { continue };
        let is_html = relation.target.ends_with(".htm") || relation.target.ends_with(".html");
        if is_html && let Some(part) = package.bytes(&relation.target)? {
            writer.append(html::read(&part, None, limits)?.writer);
        }
    }
    for kind in ["footnotes", "endnotes", "comments"] {
        for relation in relations.iter().filter(|one| one.kind == kind) {
            if let Some(text) = package.part(&relation.target)? {
                writer.append(xml::read(&text, &mut word, limits.text_bytes)?);
            }
        }
    }
    let extracted = writer.finish(Kind::Docx)?;
    Ok(Extracted { about: package.about("docProps/core.xml"), ..extracted })
}

/// The heading levels of paragraph styles, by the styles' ids.
fn levels(styles: &str) -> HashMap<String, u8> {
    #[derive(Default)]
    struct Style {
        level: Option<u8>,
        base: Option<String>,
    }
    let mut found: HashMap<String, Style> = HashMap::new();
    let mut id = String::new();
    // What a damaged part says up to its damage is used.
    let _ = xml::each(styles, |element| {
        let value = || attribute(element, "val");
        match element.local_name().as_ref() {
            "style" => {
                id = attribute(element, "styleId").unwrap_or_default();
                found.insert(id.clone(), Style::default());
            }
            name => {
                let Some(style) = found.get_mut(&id) else { return };
                match name {
                    "name" => style.level = style.level.or(value().and_then(|name| level_of_name(&name))),
                    "outlineLvl" => style.level = style.level.or(value().and_then(|level| level_of(&level))),
                    "basedOn" => style.base = value(),
                    _ => {}
                }
            }
        }
    });
    let level = |id: &String| {
        let mut style = found.get(id)?;
        for _ in 0..10 {
            if style.level.is_some() {
                return style.level;
            }
            style = found.get(style.base.as_ref()?)?;
        }
        None
    };
    found.keys().filter_map(|id| Some((id.clone(), level(id)?))).collect()
}

fn level_of_name(name: &str) -> Option<u8> {
    let name = name.to_ascii_lowercase();
    match name.as_str() {
        "title" => Some(1),
        name => name.strip_prefix("heading ")?.parse().ok().filter(|level| (1..=9).contains(level)),
    }
}

/// The heading level of an outline level, which counts from 0; 9 is body text.
fn level_of(outline: &str) -> Option<u8> {
    outline.parse::<u8>().ok().filter(|level| *level < 9).map(|level| level + 1)
}

/// Word's vocabulary.
#[derive(Default)]
struct Word {
    /// Heading levels by style.
    levels: HashMap<String, u8>,
    /// Relation ids of parts that are included in this one.
    imported: Vec<String>,
}

impl Dialect for Word {
    const KIND: Kind = Kind::Docx;
    const IS_MIXED: bool = false;

    fn start(&mut self, element: &BytesStart<'_>, body: &mut Body) -> Element {
        let parent = body.parent();
        let name = element.local_name();
        let found = match name.as_ref() {
            "p" => Element::Paragraph,
            "r" => Element::Run,
            "rPr" => Element::RunProperties,
            "t" => Element::Text,
            "tbl" => Element::Table,
            "tr" => Element::Row,
            "tc" => Element::Cell,
            "txbxContent" => Element::Box,
            // Deleted and moved text, field codes, the older of two renderings, phonetic guides over a
            // word, former appearances.
            "del" | "moveFrom" | "delText" | "instrText" | "delInstrText" | "Fallback" | "rt"
            | "pPrChange" | "rPrChange" => Element::Hidden,
            _ => Element::Other,
        };
        if body.is_hidden() {
            return found;
        }
        let value = || attribute(element, "val");
        let is_on = |value: Option<String>| !matches!(value.as_deref(), Some("0" | "false" | "off"));
        match name.as_ref() {
            "tab" | "ptab" if parent == Element::Run => body.write("\t"),
            "br" | "cr" if parent == Element::Run => body.write("\n"),
            "noBreakHyphen" => body.write("-"),
            "sym" => {
                let code = attribute(element, "char").and_then(|code| u32::from_str_radix(&code, 16).ok());
                if let Some(c) = code.and_then(symbol) {
                    body.write(c.encode_utf8(&mut [0; 4]));
                }
            }
            "vanish" if parent == Element::RunProperties && body.is_below(Element::Run, 1) => {
                body.is_vanished = is_on(value());
            }
            "pStyle" => {
                if let Some(&level) = value().and_then(|style| self.levels.get(&style)) {
                    body.flows.set_heading(level);
                }
            }
            "outlineLvl" => {
                if let Some(level) = value().and_then(|level| level_of(&level)) {
                    body.flows.set_heading(level);
                }
            }
            "tblHeader" if is_on(value()) => body.flows.set_header(),
            "tblLook" => {
                let bits = value().and_then(|bits| u16::from_str_radix(&bits, 16).ok()).unwrap_or(0);
                if attribute(element, "firstRow").map_or(bits & 0x20 != 0, |first| is_on(Some(first))) {
                    body.flows.set_header();
                }
            }
            // The paragraph continues after its drop cap.
            "framePr" => body.joins_next = attribute(element, "dropCap").is_some_and(|value| value != "none"),
            // What a picture shows, for those who do not see it.
            "docPr" => {
                if let Some(shown) = attribute(element, "descr").filter(|_| !body.is_vanished) {
                    body.flows.write_flowing(&format!(" {shown} "));
                }
            }
            "altChunk" => self.imported.extend(attribute(element, "id")),
            _ => {}
        }
        found
    }
}

/// The character for a code of a symbol font: only the few that a reader would read out.
pub(super) fn symbol(code: u32) -> Option<char> {
    match code {
        0xF0B7 | 0xF09F => Some('•'),
        0xF0A7 => Some('▪'),
        0xF0E0 => Some('→'),
        0xF0FC | 0xF0FE => Some('✓'),
        0xF0D7 => Some('×'),
        0xE000..=0xF8FF | 0xF0000.. => None,
        _ => char::from_u32(code),
    }
}

#[cfg(test)]
pub(super) mod tests;
