//! Word's styles: the heading level, list, and hidden, struck or bold text of paragraphs and runs.

use std::collections::HashMap;

use oriel_core::Kind;
use quick_xml::events::BytesStart;

use super::super::xml::{self, Body, CharacterFormat, Dialect, Element, Script, attribute, id_attribute};
use super::numbering::ListPosition;

/// Styles are based on one another; a longer chain is a cycle.
const MAX_BASES: usize = 10;

/// Changes of a run's formatting.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct FormatChange {
    is_vanished: Option<bool>,
    is_struck: Option<bool>,
    is_bold: Option<bool>,
    script: Option<Script>,
}

impl FormatChange {
    /// The change by a run property; `None` if the property does not matter here.
    pub(super) fn of(element: &BytesStart<'_>) -> Option<Self> {
        let is_on = || Some(is_on(attribute(element, "val").as_deref()));
        match element.local_name().as_ref() {
            "vanish" | "specVanish" => Some(Self { is_vanished: is_on(), ..Self::default() }),
            "strike" | "dstrike" => Some(Self { is_struck: is_on(), ..Self::default() }),
            "b" => Some(Self { is_bold: is_on(), ..Self::default() }),
            "vertAlign" => {
                let script = match attribute(element, "val").as_deref() {
                    Some("superscript") => Script::Super,
                    Some("subscript") => Script::Sub,
                    _ => Script::Normal,
                };
                Some(Self { script: Some(script), ..Self::default() })
            }
            _ => None,
        }
    }

    pub(super) fn apply(self, format: &mut CharacterFormat) {
        format.is_vanished = self.is_vanished.unwrap_or(format.is_vanished);
        format.is_struck = self.is_struck.unwrap_or(format.is_struck);
        format.is_bold = self.is_bold.unwrap_or(format.is_bold);
        format.script = self.script.unwrap_or(format.script);
    }

    fn or(self, other: Self) -> Self {
        Self {
            is_vanished: self.is_vanished.or(other.is_vanished),
            is_struck: self.is_struck.or(other.is_struck),
            is_bold: self.is_bold.or(other.is_bold),
            script: self.script.or(other.script),
        }
    }
}

/// Whether a value turns a property on. A missing value means on.
pub(super) fn is_on(value: Option<&str>) -> bool {
    !matches!(value, Some("0" | "false" | "off"))
}

/// A style, with the properties that it inherits.
#[derive(Clone, Debug, Default)]
pub(super) struct Style {
    /// The level of its headings.
    pub(super) level: Option<u8>,
    pub(super) list_position: ListPosition,
    pub(super) format: FormatChange,
    base: Option<String>,
}

impl Style {
    fn take_from(&mut self, base: &Self) {
        self.level = self.level.or(base.level);
        self.list_position.list = self.list_position.list.take().or_else(|| base.list_position.list.clone());
        self.list_position.level = self.list_position.level.or(base.list_position.level);
        self.format = self.format.or(base.format);
    }
}

/// The styles of a document by their ids.
#[derive(Default)]
pub(super) struct Styles {
    styles: HashMap<String, Style>,
    /// The default style of paragraphs.
    usual: Option<String>,
}

impl Styles {
    /// Reads the part; of a damaged part, everything before the damage.
    pub(super) fn read(part: &str) -> Self {
        let mut reader = PartReader::default();
        let _ = xml::read(part, &mut reader, 0);
        let mut styles = reader.styles;
        styles.styles = styles.styles.keys().filter_map(|id| Some((id.clone(), styles.whole(id)?))).collect();
        styles
    }

    /// The style with this id, or the default style of paragraphs.
    pub(super) fn paragraph(&self, id: Option<&str>) -> Option<&Style> {
        self.styles.get(id.or(self.usual.as_deref())?)
    }

    pub(super) fn get(&self, id: &str) -> Option<&Style> {
        self.styles.get(id)
    }

    /// The id of the default style of paragraphs.
    pub(super) fn default_paragraph(&self) -> Option<&str> {
        self.usual.as_deref()
    }

    fn whole(&self, id: &str) -> Option<Style> {
        let mut whole = self.styles.get(id)?.clone();
        let mut base = whole.base.clone();
        for _ in 0..MAX_BASES {
            let Some(style) = base.and_then(|base| self.styles.get(&base)) else { break };
            whole.take_from(style);
            base = style.base.clone();
        }
        Some(whole)
    }
}

#[derive(Default)]
struct PartReader {
    styles: Styles,
    id: String,
}

impl Dialect for PartReader {
    const KIND: Kind = Kind::Docx;
    const IS_MIXED: bool = false;

    fn start(&mut self, element: &BytesStart<'_>, body: &mut Body) -> Element {
        let value = || id_attribute(element, "val");
        let name = element.local_name();
        match name.as_ref() {
            "style" => {
                self.id = id_attribute(element, "styleId").unwrap_or_default();
                let is_usual = attribute(element, "type").as_deref() == Some("paragraph")
                    && attribute(element, "default").is_some_and(|usual| is_on(Some(&usual)));
                if is_usual {
                    self.styles.usual = Some(self.id.clone());
                }
                self.styles.styles.insert(self.id.clone(), Style::default());
            }
            // Formats for parts of a table, such as its first row, do not apply to the style itself.
            "tblStylePr" => return Element::Hidden,
            _ if body.is_hidden() => {}
            name => {
                let Some(style) = self.styles.styles.get_mut(&self.id) else { return Element::Other };
                match name {
                    "name" => style.level = style.level.or(value().and_then(|name| level_of_name(&name))),
                    "outlineLvl" => style.level = style.level.or(value().and_then(|level| level_of(&level))),
                    "basedOn" => style.base = value(),
                    "numId" => style.list_position.list = value(),
                    "ilvl" => style.list_position.level = value().and_then(|level| level.parse().ok()),
                    _ => {
                        if let Some(change) = FormatChange::of(element) {
                            style.format = change.or(style.format);
                        }
                    }
                }
            }
        }
        Element::Other
    }
}

fn level_of_name(name: &str) -> Option<u8> {
    let name = name.to_ascii_lowercase();
    match name.as_str() {
        "title" => Some(1),
        name => name.strip_prefix("heading ")?.parse().ok().filter(|level| (1..=9).contains(level)),
    }
}

/// The heading level of an outline level, which counts from 0; 9 is body text.
pub(super) fn level_of(outline: &str) -> Option<u8> {
    outline.parse::<u8>().ok().filter(|level| *level < 9).map(|level| level + 1)
}
