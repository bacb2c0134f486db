//! The numbers of OpenDocument's list items and headings, computed from the order of items.

use std::collections::HashMap;

use quick_xml::events::BytesStart;

use super::super::list_numbers::{Counters, LEVELS, NumberFormat};
use super::super::xml::{attribute, id_attribute};
use super::styles::{Level, Levels, Styles};

/// An open list.
struct Open {
    style: Option<String>,
    /// Whether the next paragraph gets the item's number.
    is_pending: bool,
    /// The number that the item sets explicitly.
    value: Option<i64>,
}

/// The lists of a document, with their last numbers.
#[derive(Default)]
pub(super) struct Lists {
    open: Vec<Open>,
    counters: Counters,
    id: Option<String>,
    /// The counters of lists that have ended, since other lists may continue them.
    by_style: HashMap<String, Counters>,
    by_id: HashMap<String, Counters>,
    outline: Counters,
}

impl Lists {
    pub(super) fn begin(&mut self, list: &BytesStart<'_>) {
        let own = id_attribute(list, "style-name");
        if self.open.is_empty() {
            let continues = attribute(list, "continue-numbering").as_deref() == Some("true");
            let before = attribute(list, "continue-list").and_then(|id| self.by_id.get(&id));
            let alike = own.as_ref().filter(|_| continues).and_then(|style| self.by_style.get(style));
            self.counters = before.or(alike).copied().unwrap_or_default();
            self.id = id_attribute(list, "id");
        }
        let style = own.or_else(|| self.open.last()?.style.clone());
        self.open.push(Open { style, is_pending: false, value: None });
    }

    pub(super) fn end(&mut self) {
        let Some(list) = self.open.pop().filter(|_| self.open.is_empty()) else { return };
        self.by_style.extend(list.style.map(|style| (style, self.counters)));
        self.by_id.extend(self.id.take().map(|id| (id, self.counters)));
    }

    /// Begins an item, or a list header, which has no number.
    pub(super) fn item(&mut self, item: &BytesStart<'_>, is_numbered: bool) {
        if let Some(list) = self.open.last_mut() {
            list.is_pending = is_numbered;
            list.value = attribute(item, "start-value").and_then(|value| value.parse().ok());
        }
    }

    /// The number of a paragraph, with the gap after it.
    pub(super) fn number(&mut self, style: &str, styles: &Styles) -> Option<String> {
        let depth = self.open.len().checked_sub(1)?;
        let list = self.open.last_mut()?;
        if !std::mem::take(&mut list.is_pending) {
            return None;
        }
        let name = list.style.as_deref().or_else(|| styles.list_of(style))?;
        let level = depth.min(LEVELS - 1);
        count(&mut self.counters, level, list.value.take(), styles.list(name)?)
    }

    /// The number of a heading at this level (from 0), with the gap after it.
    pub(super) fn heading(
        &mut self,
        heading: &BytesStart<'_>,
        level: usize,
        style: &str,
        styles: &Styles,
    ) -> Option<String> {
        let is_on = |name| attribute(heading, name).as_deref() == Some("true");
        let level = level.min(LEVELS - 1);
        let list = styles.list_of(style);
        if is_on("is-list-header") || list == Some("") {
            return None;
        }
        let value = attribute(heading, "start-value").and_then(|value| value.parse().ok());
        let levels = list.and_then(|list| styles.list(list));
        let counters = match list.filter(|_| levels.is_some()) {
            Some(list) => self.by_style.entry(list.to_owned()).or_default(),
            None => &mut self.outline,
        };
        let value = value.or_else(|| is_on("restart-numbering").then_some(1));
        count(counters, level, value, levels.unwrap_or(&styles.outline))
    }
}

/// Counts an item at a level and formats its number.
fn count(counters: &mut Counters, level: usize, value: Option<i64>, levels: &Levels) -> Option<String> {
    let start = |at: usize| levels[at].as_ref().map_or(1, |level| level.start);
    if value.is_some() {
        counters.restart(level);
    }
    counters.count(level, value.unwrap_or_else(|| start(level)), |_| true);
    let shown = levels[level].as_ref()?;
    match shown.format {
        NumberFormat::None => return None,
        NumberFormat::Bullet => return Some("• ".to_owned()),
        _ => {}
    }
    let number = |at: usize| {
        let format = levels[at].as_ref().map_or(NumberFormat::Decimal, |level| level.format);
        format.write(counters.get(at).unwrap_or_else(|| start(at)))
    };
    let text = written(shown, level, number);
    Some(format!("{} ", text.trim_end()))
}

fn written(shown: &Level, level: usize, number: impl Fn(usize) -> String) -> String {
    if let Some(template) = &shown.template {
        // Every second piece is the number of a level.
        let pieces = template.split('%').enumerate();
        return pieces
            .map(|(at, piece)| match piece.parse::<usize>() {
                Ok(level) if at % 2 == 1 && (1..=LEVELS).contains(&level) => number(level - 1),
                _ => piece.to_owned(),
            })
            .collect();
    }
    let first = (level + 1).saturating_sub(shown.shown);
    let numbers: Vec<_> = (first..=level).map(number).filter(|number| !number.is_empty()).collect();
    format!("{}{}{}", shown.prefix, numbers.join("."), shown.suffix)
}
