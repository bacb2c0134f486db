//! The numbers of Word's paragraphs (`numbering.xml`). Word does not store them; they are computed from the order of
//! paragraphs.

use std::collections::{HashMap, HashSet};

use quick_xml::events::BytesStart;

use super::super::list_numbers::{Counters, LEVELS, NumberFormat};
use super::super::xml::{self, attribute, id_attribute};

/// A paragraph's list and level.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct ListPosition {
    /// The list; "0" removes the paragraph from the list of its style.
    pub(super) list: Option<String>,
    pub(super) level: Option<usize>,
}

/// The format of a level of a list.
#[derive(Clone, Debug, Default)]
struct Level {
    start: Option<i64>,
    format: Option<NumberFormat>,
    text: Option<String>,
    /// The paragraph style for this level.
    style: Option<String>,
    /// The level restarts after an item of this level (from 1) or above; 0 means never.
    restarts_after: Option<usize>,
    /// All numbers are decimal.
    is_legal: bool,
    /// The text between number and paragraph.
    suffix: Option<String>,
}

type Levels = [Level; LEVELS];

/// A definition, which several lists may share; they then share its numbers.
#[derive(Default)]
struct Definition {
    levels: Levels,
    /// The numbering style whose list has the levels.
    style: Option<String>,
}

/// A list: a definition with overrides.
#[derive(Default)]
struct List {
    definition: String,
    starts: [Option<i64>; LEVELS],
    levels: HashMap<usize, Level>,
}

/// All lists of a document, with the last numbers.
#[derive(Default)]
pub(super) struct Numbering {
    definitions: HashMap<String, Definition>,
    lists: HashMap<String, List>,
    counters: HashMap<String, Counters>,
    /// The lists that have an item.
    begun: HashSet<String>,
}

impl Numbering {
    /// Reads the part; of a damaged part, everything before the damage.
    pub(super) fn read(part: &str) -> Self {
        let mut reader = PartReader::default();
        let _ = xml::each(part, |element| reader.read(element));
        reader.numbering
    }

    /// Replaces definitions that only name a numbering style by the definition of the list that `list_of` returns.
    pub(super) fn resolve(&mut self, list_of: impl Fn(&str) -> Option<String>) {
        let linked = self.definitions.iter().filter_map(|(id, definition)| {
            let list = self.lists.get(&list_of(definition.style.as_ref()?)?)?;
            (list.definition != *id).then(|| (id.clone(), list.definition.clone()))
        });
        let linked: HashMap<_, _> = linked.collect();
        for list in self.lists.values_mut() {
            if let Some(definition) = linked.get(&list.definition) {
                list.definition.clone_from(definition);
            }
        }
    }

    /// The level of a list for a paragraph style.
    pub(super) fn level_of_style(&self, list: &str, style: &str) -> Option<usize> {
        let definition = self.definitions.get(&self.lists.get(list)?.definition)?;
        definition.levels.iter().position(|level| level.style.as_deref() == Some(style))
    }

    /// Counts a paragraph; returns its number with the gap after it.
    pub(super) fn next(&mut self, list: &str, level: usize) -> Option<String> {
        let level = level.min(LEVELS - 1);
        let found = self.lists.get(list)?;
        let definition = self.definitions.get(&found.definition)?;
        let own = |at: usize| found.levels.get(&at).unwrap_or(&definition.levels[at]);
        let start = |at: usize| found.starts[at].or(own(at).start).unwrap_or(1);
        let counters = self.counters.entry(found.definition.clone()).or_default();
        if self.begun.insert(list.to_owned()) {
            (0..LEVELS).filter(|at| found.starts[*at].is_some()).for_each(|at| counters.restart(at));
        }
        counters
            .count(level, start(level), |below| own(below).restarts_after.is_none_or(|after| level < after));
        let shown = own(level);
        if shown.format == Some(NumberFormat::Bullet) {
            return Some(format!("{} ", bullet(shown.text.as_deref().unwrap_or_default())));
        }
        let number = |at: usize| {
            let format =
                if shown.is_legal { NumberFormat::Decimal } else { own(at).format.unwrap_or_default() };
            // If a level above has no item yet, its number is one less than the first.
            format.write(counters.get(at).unwrap_or_else(|| start(at).saturating_sub(1).max(0)))
        };
        let text = filled(shown.text.as_deref().unwrap_or_default(), number);
        let is_apart = shown.suffix.as_deref() != Some("nothing");
        let gap = if is_apart && !text.is_empty() && !text.ends_with(char::is_whitespace) { " " } else { "" };
        Some(text + gap)
    }
}

/// A bullet as text: check boxes are kept, all other bullets become the same character.
fn bullet(text: &str) -> char {
    match text.chars().next() {
        // The last two are codes of symbol fonts.
        Some('☐' | '□' | '❏' | '❑' | '\u{f06f}' | '\u{f0a8}') => '☐',
        Some('☑' | '☒' | '\u{f0fd}' | '\u{f0fe}') => '☑',
        _ => '•',
    }
}

/// Fills the numbers into a level's text: "%1.%2" becomes "7.2".
fn filled(text: &str, number: impl Fn(usize) -> String) -> String {
    let mut filled = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('%') {
        filled.push_str(before);
        let level = after.chars().next().and_then(|digit| digit.to_digit(10)).filter(|level| *level > 0);
        match level {
            Some(level) => {
                filled.push_str(&number(level as usize - 1));
                rest = &after[1..];
            }
            None => {
                filled.push('%');
                rest = after;
            }
        }
    }
    filled.push_str(rest);
    filled
}

/// Where the reader is in the part.
#[derive(Default)]
struct PartReader {
    numbering: Numbering,
    definition: String,
    list: Option<String>,
    level: usize,
}

impl PartReader {
    fn read(&mut self, element: &BytesStart<'_>) {
        let value = || id_attribute(element, "val");
        let number = || value().and_then(|value| value.parse::<i64>().ok());
        let level = || attribute(element, "ilvl").and_then(|level| level.parse::<usize>().ok());
        match element.local_name().as_ref() {
            "abstractNum" => {
                self.list = None;
                self.definition = id_attribute(element, "abstractNumId").unwrap_or_default();
                self.numbering.definitions.insert(self.definition.clone(), Definition::default());
            }
            "numStyleLink" => {
                if let Some(definition) = self.numbering.definitions.get_mut(&self.definition) {
                    definition.style = value();
                }
            }
            "num" => {
                let id = id_attribute(element, "numId").unwrap_or_default();
                self.numbering.lists.insert(id.clone(), List::default());
                self.list = Some(id);
            }
            "abstractNumId" => {
                if let (Some(list), Some(definition)) = (self.open_list(), value()) {
                    list.definition = definition;
                }
            }
            "lvlOverride" => self.level = level().unwrap_or(0),
            "startOverride" => {
                let level = self.level;
                if let Some(start) = self.open_list().and_then(|list| list.starts.get_mut(level)) {
                    *start = number();
                }
            }
            "lvl" => {
                self.level = level().unwrap_or(0);
                let level = self.level;
                if let Some(list) = self.open_list().filter(|_| level < LEVELS) {
                    list.levels.insert(level, Level::default());
                }
            }
            name => {
                let Some(level) = self.open_level() else { return };
                match name {
                    "start" => level.start = number(),
                    // There may be two renderings; the first is the newer one.
                    "numFmt" if level.format.is_none() => {
                        level.format =
                            Some(format(&value().unwrap_or_default(), attribute(element, "format")));
                    }
                    "lvlText" => level.text = value(),
                    "pStyle" => level.style = value(),
                    "lvlRestart" => level.restarts_after = number().and_then(|after| after.try_into().ok()),
                    "isLgl" => level.is_legal = !matches!(value().as_deref(), Some("0" | "false" | "off")),
                    "suff" => level.suffix = value(),
                    _ => {}
                }
            }
        }
    }

    fn open_list(&mut self) -> Option<&mut List> {
        self.numbering.lists.get_mut(self.list.as_ref()?)
    }

    fn open_level(&mut self) -> Option<&mut Level> {
        let level = self.level;
        match &self.list {
            Some(list) => self.numbering.lists.get_mut(list)?.levels.get_mut(&level),
            None => self.numbering.definitions.get_mut(&self.definition)?.levels.get_mut(level),
        }
    }
}

/// The format with this name in Word; formats of other scripts become decimal.
fn format(name: &str, custom: Option<String>) -> NumberFormat {
    match name {
        "decimalZero" => NumberFormat::Padded(2),
        "lowerLetter" => NumberFormat::Lower,
        "upperLetter" => NumberFormat::Upper,
        "lowerRoman" => NumberFormat::LowerRoman,
        "upperRoman" => NumberFormat::UpperRoman,
        "ordinal" => NumberFormat::Ordinal,
        "ordinalText" => NumberFormat::OrdinalWord,
        "cardinalText" => NumberFormat::Word,
        "bullet" => NumberFormat::Bullet,
        "none" => NumberFormat::None,
        // "001, 002, 003, …"
        "custom" => {
            let first = custom.unwrap_or_default();
            NumberFormat::Padded(first.chars().take_while(char::is_ascii_digit).count().clamp(1, 9))
        }
        _ => NumberFormat::Decimal,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn levels(levels: &[(&str, &str)]) -> String {
        let level = |(at, (format, text)): (usize, &(&str, &str))| {
            format!(
                "<w:lvl w:ilvl='{at}'><w:start w:val='1'/><w:numFmt w:val='{format}'/><w:lvlText w:val='{text}'/></w:lvl>"
            )
        };
        levels.iter().enumerate().map(level).collect()
    }

    fn given(numbering: &str, paragraphs: &[(&str, usize)]) -> Vec<String> {
        let mut numbering = Numbering::read(&format!("<w:numbering>{numbering}</w:numbering>"));
        paragraphs.iter().map(|(list, level)| numbering.next(list, *level).unwrap_or_default()).collect()
    }

    #[test]
    fn levels_count_by_themselves_and_begin_anew_below() {
        let part = format!(
            "<w:abstractNum w:abstractNumId='0'>{}</w:abstractNum><w:num w:numId='1'><w:abstractNumId w:val='0'/></w:num>",
            levels(&[("decimal", "%1."), ("decimal", "%1.%2"), ("lowerLetter", "(%3)"), ("bullet", "x")])
        );
        let places = [
            ("1", 0),
            ("1", 1),
            ("1", 1),
            ("1", 2),
            ("1", 2),
            ("1", 0),
            ("1", 1),
            ("1", 2),
            ("1", 3),
            ("9", 0),
        ];
        assert_eq!(
            given(&part, &places),
            ["1. ", "1.1 ", "1.2 ", "(a) ", "(b) ", "2. ", "2.1 ", "(a) ", "• ", ""]
        );
    }

    #[test]
    fn lists_of_one_definition_continue_unless_they_start_over() {
        let part = format!(
            "<w:abstractNum w:abstractNumId='0'>{}</w:abstractNum><w:num w:numId='1'><w:abstractNumId w:val='0'/></w:num>\
             <w:num w:numId='2'><w:abstractNumId w:val='0'/></w:num><w:num w:numId='3'><w:abstractNumId w:val='0'/>\
             <w:lvlOverride w:ilvl='0'><w:startOverride w:val='5'/></w:lvlOverride></w:num>",
            levels(&[("upperRoman", "Article %1")])
        );
        let places = [("1", 0), ("2", 0), ("3", 0), ("3", 0), ("1", 0)];
        assert_eq!(
            given(&part, &places),
            ["Article I ", "Article II ", "Article V ", "Article VI ", "Article VII "]
        );
    }

    #[test]
    fn levels_may_be_legal_continue_and_stand_close() {
        let level = |at: usize, format: &str, text: &str, more: &str| {
            format!(
                "<w:lvl w:ilvl='{at}'><w:start w:val='1'/><w:numFmt w:val='{format}'/><w:lvlText w:val='{text}'/>{more}</w:lvl>"
            )
        };
        let part = format!(
            "<w:abstractNum w:abstractNumId='7'>{}{}</w:abstractNum><w:num w:numId='1'><w:abstractNumId w:val='7'/></w:num>",
            level(0, "upperRoman", "§%1 100%", "<w:suff w:val='nothing'/>"),
            level(1, "decimalZero", "%1.%2", "<w:isLgl/><w:lvlRestart w:val='0'/>")
        );
        let places = [("1", 0), ("1", 1), ("1", 0), ("1", 1)];
        assert_eq!(given(&part, &places), ["§I 100%", "1.1 ", "§II 100%", "2.2 "]);
    }
}
