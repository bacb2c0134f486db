//! OpenDocument's styles of paragraphs, lists, slides and sheets.

use std::collections::HashMap;

use quick_xml::events::BytesStart;

use super::super::list_numbers::{LEVELS, NumberFormat};
use super::super::xml::{self, CharacterFormat, Script, attribute, id_attribute};

/// Styles are based on one another; a longer chain is a cycle.
const MAX_PARENTS: usize = 10;

/// The format of a level of a list.
#[derive(Clone, Debug)]
pub(super) struct Level {
    pub(super) format: NumberFormat,
    pub(super) prefix: String,
    pub(super) suffix: String,
    /// The number of levels that its number shows.
    pub(super) shown: usize,
    pub(super) start: i64,
    /// The template of the number in later versions of the format: "%1%.%2%".
    pub(super) template: Option<String>,
}

/// The formats of all levels of a list.
pub(super) type Levels = [Option<Level>; LEVELS];

#[derive(Clone, Debug, Default)]
struct Style {
    parent: Option<String>,
    /// The list of a paragraph; empty removes the paragraph from its list.
    list: Option<String>,
    is_vanished: Option<bool>,
    is_struck: Option<bool>,
    is_bold: Option<bool>,
    script: Option<Script>,
    /// Whether the slide or the sheet is hidden.
    is_hidden: bool,
    /// Whether the slide hides its footer.
    hides_footer: bool,
}

/// The styles of a document.
#[derive(Default)]
pub(super) struct Styles {
    pub(super) outline: Levels,
    lists: HashMap<String, Levels>,
    /// Styles by family and name.
    styles: HashMap<(String, String), Style>,
}

impl Styles {
    /// Reads the styles of a part; of a damaged part, everything before the damage.
    pub(super) fn read(&mut self, part: &str) {
        let mut open = OpenStyle::None;
        let _ = xml::each(part, |element| self.element(element, &mut open));
    }

    pub(super) fn list(&self, name: &str) -> Option<&Levels> {
        self.lists.get(name)
    }

    /// The list of a paragraph style; empty if the style removes paragraphs from their list.
    pub(super) fn list_of(&self, paragraph: &str) -> Option<&str> {
        self.chain("paragraph", paragraph).find_map(|style| style.list.as_deref())
    }

    /// Applies a style to `format`.
    pub(super) fn apply(&self, family: &str, name: &str, format: &mut CharacterFormat) {
        let chain = || self.chain(family, name);
        format.is_vanished = chain().find_map(|style| style.is_vanished).unwrap_or(format.is_vanished);
        format.is_struck = chain().find_map(|style| style.is_struck).unwrap_or(format.is_struck);
        format.is_bold = chain().find_map(|style| style.is_bold).unwrap_or(format.is_bold);
        format.script = chain().find_map(|style| style.script).unwrap_or(format.script);
    }

    /// Whether a slide or a sheet of this style is hidden.
    pub(super) fn is_hidden(&self, family: &str, name: &str) -> bool {
        self.chain(family, name).any(|style| style.is_hidden)
    }

    /// Whether slides of this style hide their footer.
    pub(super) fn hides_footer(&self, name: &str) -> bool {
        self.chain("drawing-page", name).any(|style| style.hides_footer)
    }

    fn chain(&self, family: &str, name: &str) -> impl Iterator<Item = &Style> {
        let get = move |name: &str| self.styles.get(&(family.to_owned(), name.to_owned()));
        std::iter::successors(get(name), {
            let family = family.to_owned();
            move |style| self.styles.get(&(family.clone(), style.parent.clone()?))
        })
        .take(MAX_PARENTS)
    }

    fn element(&mut self, element: &BytesStart<'_>, open: &mut OpenStyle) {
        let value = |name| id_attribute(element, name);
        match element.local_name().as_ref() {
            "outline-style" => *open = OpenStyle::Outline,
            "list-style" => {
                let name = value("name").unwrap_or_default();
                self.lists.insert(name.clone(), Levels::default());
                *open = OpenStyle::List(name);
            }
            "style" => {
                let key = (value("family").unwrap_or_default(), value("name").unwrap_or_default());
                let style = Style {
                    parent: value("parent-style-name"),
                    list: value("list-style-name"),
                    ..Style::default()
                };
                self.styles.insert(key.clone(), style);
                *open = OpenStyle::Style(key);
            }
            "list-level-style-number" | "outline-level-style" => self.level(element, open, None),
            "list-level-style-bullet" | "list-level-style-image" => {
                self.level(element, open, Some(NumberFormat::Bullet));
            }
            "text-properties" | "drawing-page-properties" | "table-properties" => {
                let OpenStyle::Style(key) = open else { return };
                if let Some(style) = self.styles.get_mut(key) {
                    style.take(element);
                }
            }
            _ => {}
        }
    }

    fn level(&mut self, element: &BytesStart<'_>, open: &OpenStyle, format: Option<NumberFormat>) {
        let value = |name| id_attribute(element, name);
        let number = |name| value(name).and_then(|number| number.parse::<usize>().ok());
        let levels = match open {
            OpenStyle::Outline => Some(&mut self.outline),
            OpenStyle::List(name) => self.lists.get_mut(name),
            _ => None,
        };
        let at = number("level").unwrap_or(1).wrapping_sub(1);
        let Some(level) = levels.and_then(|levels| levels.get_mut(at)) else { return };
        *level = Some(Level {
            format: format.unwrap_or_else(|| {
                number_format(&value("num-format").unwrap_or_default(), is_synchronous(element))
            }),
            prefix: value("num-prefix").unwrap_or_default(),
            suffix: value("num-suffix").unwrap_or_default(),
            shown: number("display-levels").unwrap_or(1).clamp(1, LEVELS),
            start: value("start-value").and_then(|start| start.parse().ok()).unwrap_or(1),
            template: value("num-list-format"),
        });
    }
}

impl Style {
    fn take(&mut self, properties: &BytesStart<'_>) {
        for one in xml::attributes(properties) {
            let value = one.value.as_ref();
            match one.key.local_name().as_ref() {
                "text-line-through-style" | "text-line-through-type" => {
                    self.is_struck = Some(value != "none" || self.is_struck == Some(true));
                }
                "font-weight" => {
                    self.is_bold =
                        Some(value == "bold" || value.parse().is_ok_and(|weight: u16| weight >= 600));
                }
                "text-position" => self.script = Some(script_of(value)),
                "display" => {
                    self.is_vanished = Some(value == "none");
                    self.is_hidden |= value == "false";
                }
                "display-footer" => self.hides_footer = value == "false",
                "visibility" => self.is_hidden |= value == "hidden",
                _ => {}
            }
        }
    }
}

/// The style that is being read.
enum OpenStyle {
    None,
    Outline,
    List(String),
    Style((String, String)),
}

/// Whether numbers beyond the alphabet repeat their letter.
fn is_synchronous(element: &BytesStart<'_>) -> bool {
    attribute(element, "num-letter-sync").as_deref() == Some("true")
}

fn number_format(format: &str, is_synchronous: bool) -> NumberFormat {
    match format {
        "" => NumberFormat::None,
        "a" if is_synchronous => NumberFormat::Lower,
        "A" if is_synchronous => NumberFormat::Upper,
        "a" => NumberFormat::LowerBase,
        "A" => NumberFormat::UpperBase,
        "i" => NumberFormat::LowerRoman,
        "I" => NumberFormat::UpperRoman,
        "1st" => NumberFormat::Ordinal,
        padded if padded.starts_with("0") => NumberFormat::Padded(2),
        _ => NumberFormat::Decimal,
    }
}

/// The script of a position such as "super 58%" or "-33% 58%".
fn script_of(position: &str) -> Script {
    match position.split_whitespace().next().unwrap_or_default() {
        "super" => Script::Super,
        "sub" => Script::Sub,
        below if below.starts_with('-') => Script::Sub,
        "0%" | "" => Script::Normal,
        _ => Script::Super,
    }
}
