//! Form fields with the values that are filled in.

use html5ever::Attribute;
use markup5ever_rcdom::{Handle, NodeData};

use super::super::writer::one_line;
use super::navigation::value;
use super::page_scan::{text_of, ticked};
use super::walk::Walk;

/// Types of `input` whose value is not visible.
const HIDDEN_TYPES: [&str; 6] = ["hidden", "password", "file", "color", "image", "reset"];
/// Maximum number of elements in a label that are searched for its box.
const MAX_IN_LABEL: usize = 100;
/// Further options of a list are ignored.
const MAX_OPTIONS: usize = 100_000;

impl Walk {
    /// Writes the value of a field: a box, a text, or the selected options.
    pub(super) fn field(&mut self, name: &str, attributes: &[Attribute], node: &Handle) {
        if name == "select" {
            let chosen = chosen(node, value(attributes, "multiple").is_some());
            return self.write_value(&chosen.join(", "));
        }
        if let Some(is_ticked) = ticked(attributes) {
            let has_label = value(attributes, "id").is_some_and(|id| self.boxes.labelled.contains(id));
            if !has_label && !self.is_ticked {
                self.tick(is_ticked);
            }
            return;
        }
        let kind = value(attributes, "type").unwrap_or("text");
        if !HIDDEN_TYPES.iter().any(|hidden| hidden.eq_ignore_ascii_case(kind)) {
            self.write_value(value(attributes, "value").unwrap_or_default());
        }
    }

    /// Begins a label, and writes its box before it.
    pub(super) fn begin_label(&mut self, attributes: &[Attribute], node: &Handle) {
        self.labels += 1;
        let named = value(attributes, "for").and_then(|id| self.boxes.ticked.get(id).copied());
        if let Some(is_ticked) = named.or_else(|| box_in(node)) {
            self.tick(is_ticked);
            self.is_ticked = true;
        }
    }

    /// Writes a check box for an element that has the role of one.
    pub(super) fn tick_by_role(&mut self, attributes: &[Attribute]) {
        if value(attributes, "role").is_some_and(|role| matches!(role, "checkbox" | "radio" | "switch")) {
            self.tick(value(attributes, "aria-checked") == Some("true"));
        }
    }

    fn tick(&mut self, is_ticked: bool) {
        if !self.is_shown() {
            return;
        }
        self.flows.write_flowing(if is_ticked { " ☑ " } else { " ☐ " });
    }

    /// Writes a value after its label.
    fn write_value(&mut self, value: &str) {
        let value = one_line(value);
        if value.is_empty() || !self.is_shown() {
            return;
        }
        let has_label = self.labels > 0 || self.is_after_label;
        if has_label && self.flows.is_after(char::is_alphanumeric) {
            self.flows.write_before_gap(":");
        }
        self.flows.write_flowing(&format!(" {value} "));
        self.is_after_label = false;
    }
}

/// Whether the box in a label is ticked; `None` without a box.
fn box_in(label: &Handle) -> Option<bool> {
    let mut open = vec![label.clone()];
    for _ in 0..MAX_IN_LABEL {
        let node = open.pop()?;
        if let NodeData::Element { name, attrs, .. } = &node.data
            && &*name.local == "input"
            && let Some(is_ticked) = ticked(&attrs.borrow())
        {
            return Some(is_ticked);
        }
        open.extend(node.children.borrow().iter().rev().take(MAX_IN_LABEL).cloned());
    }
    None
}

/// The selected options of a list. In a list that allows only one, the first if none is selected.
fn chosen(select: &Handle, is_multiple: bool) -> Vec<String> {
    let mut first = None;
    let mut found = Vec::new();
    let mut open = vec![select.clone()];
    for _ in 0..MAX_OPTIONS {
        let Some(node) = open.pop() else { break };
        if let NodeData::Element { name, attrs, .. } = &node.data
            && &*name.local == "option"
        {
            let attributes = attrs.borrow();
            let label = value(&attributes, "label").map_or_else(|| text_of(&node), str::to_owned);
            if value(&attributes, "selected").is_some() {
                found.push(one_line(&label));
            } else {
                first = first.or(Some(one_line(&label)));
            }
            continue;
        }
        open.extend(node.children.borrow().iter().rev().cloned());
    }
    match found.pop() {
        Some(last) if is_multiple => found.into_iter().chain([last]).collect(),
        Some(last) => vec![last],
        None => first.filter(|_| !is_multiple).into_iter().collect(),
    }
}
