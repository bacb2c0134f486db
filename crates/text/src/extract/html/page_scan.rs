//! Collects what must be known before a page is read: its style sheets, and which boxes are ticked.

use std::collections::{HashMap, HashSet};

use html5ever::Attribute;
use markup5ever_rcdom::{Handle, NodeData};

use super::css::{self, Sheet};
use super::navigation::value;

/// Further bytes of style sheets are ignored.
const MAX_STYLE_BYTES: usize = 8 << 20;

/// The boxes of a page whose label is elsewhere.
#[derive(Default)]
pub(super) struct Boxes {
    /// Whether the box with this id is ticked.
    pub(super) ticked: HashMap<String, bool>,
    /// The ids that labels refer to.
    pub(super) labelled: HashSet<String>,
}

#[derive(Default)]
pub(super) struct PageScan {
    pub(super) sheet: Sheet,
    pub(super) boxes: Boxes,
    style_bytes: usize,
}

impl PageScan {
    /// Scans a whole page in linear time and without recursion.
    pub(super) fn of(document: &Handle, style_sheet: &mut dyn FnMut(&str) -> Option<String>) -> Self {
        let mut scan = Self::default();
        let mut open = vec![document.clone()];
        while let Some(node) = open.pop() {
            if let NodeData::Element { name, attrs, .. } = &node.data {
                scan.element(&name.local, &attrs.borrow(), &node, style_sheet);
            }
            open.extend(node.children.borrow().iter().rev().cloned());
        }
        scan
    }

    fn element(
        &mut self,
        name: &str,
        attributes: &[Attribute],
        node: &Handle,
        style_sheet: &mut dyn FnMut(&str) -> Option<String>,
    ) {
        let value = |name: &str| value(attributes, name);
        let is_for_screen = || css::is_for_screen(value("media").unwrap_or_default());
        match name {
            "style" if is_for_screen() => self.read(&text_of(node)),
            "link" if is_style_sheet(attributes) && is_for_screen() => {
                let href = value("href").filter(|_| self.style_bytes <= MAX_STYLE_BYTES);
                match href.and_then(style_sheet) {
                    Some(sheet) => self.read(&sheet),
                    None => self.sheet.has_unknown_backgrounds = true,
                }
            }
            "label" => self.boxes.labelled.extend(value("for").map(str::to_owned)),
            "input" => {
                let id = value("id").filter(|id| !id.is_empty());
                let ticked = ticked(attributes);
                self.boxes.ticked.extend(id.map(str::to_owned).zip(ticked));
            }
            _ => {}
        }
    }

    fn read(&mut self, sheet: &str) {
        self.style_bytes = self.style_bytes.saturating_add(sheet.len());
        if self.style_bytes <= MAX_STYLE_BYTES {
            self.sheet.read(sheet);
        }
    }
}

/// Whether a box or a radio button is ticked; `None` for other elements.
pub(super) fn ticked(attributes: &[Attribute]) -> Option<bool> {
    let kind = value(attributes, "type")?;
    let is_box = kind.eq_ignore_ascii_case("checkbox") || kind.eq_ignore_ascii_case("radio");
    is_box.then(|| value(attributes, "checked").is_some())
}

fn is_style_sheet(attributes: &[Attribute]) -> bool {
    let mut words = value(attributes, "rel").unwrap_or_default().split_ascii_whitespace();
    let is_other = value(attributes, "disabled").is_some()
        || value(attributes, "rel").is_some_and(|rel| rel.to_ascii_lowercase().contains("alternate"));
    words.any(|word| word.eq_ignore_ascii_case("stylesheet")) && !is_other
}

/// The text directly inside an element.
pub(super) fn text_of(node: &Handle) -> String {
    let children = node.children.borrow();
    let texts = children.iter().filter_map(|child| match &child.data {
        NodeData::Text { contents } => Some(contents.borrow().to_string()),
        _ => None,
    });
    texts.collect()
}
