//! Walks through the elements of a page in reading order.

use std::ops::Range;

use html5ever::Attribute;
use markup5ever_rcdom::{Handle, NodeData};
use oriel_core::About;

use super::super::Limits;
use super::super::bold_headings::{CAPTION_LEVEL, TERM_LEVEL};
use super::super::flow::Flows;
use super::super::writer::one_line;
use super::computed_style::{ComputedStyle, StyleRules};
use super::navigation::{self, Navigation, value};
use super::page::Page;
use super::page_scan::{Boxes, PageScan, text_of};
use super::role::Role;

/// Further quotes in a page are not distinguished.
const MAX_QUOTES: usize = 10_000;

/// The level of headings in a box beside the text: below all other headings, above terms.
const ASIDE_LEVEL: u8 = 180;

/// A step of the walk through the tree.
enum Step {
    Enter(Handle),
    Leave(Role),
    /// The end of a navigation element.
    LeaveNavigation,
}

pub(super) struct Walk {
    pub(super) flows: Flows,
    about: About,
    rules: StyleRules,
    /// The open elements, and the style of each.
    open: Vec<Handle>,
    /// Where each of them begins in the text, if it is a block of the page.
    starts: Vec<Option<usize>>,
    styles: Vec<ComputedStyle>,
    pub(super) boxes: Boxes,
    navigation: Navigation,
    /// Where the outermost open navigation element begins in the text.
    navigation_from: Option<usize>,
    /// The open lists; ordered ones with the number of the next item.
    lists: Vec<Option<i64>>,
    /// The number of open boxes beside the text.
    asides: u8,
    /// The number of open definition lists.
    definitions: u8,
    /// The number of open preformatted elements.
    pre: usize,
    /// The number of open elements with raised text.
    raised: usize,
    /// The vertical position of the last text in a drawing.
    height: Option<String>,
    /// The number of open cells.
    cells: usize,
    /// Whether the last text is struck out, and its mark is still open.
    is_striking: bool,
    quotes: Vec<Range<usize>>,
    /// The open quotes, by their index.
    open_quotes: Vec<usize>,
    /// The number of open labels of form fields.
    pub(super) labels: usize,
    /// Whether a label of a form field has just ended.
    pub(super) is_after_label: bool,
    /// Whether the box of the open label is already written.
    pub(super) is_ticked: bool,
}

impl Walk {
    pub(super) fn new(document: &Handle, scan: PageScan, limits: &Limits) -> Self {
        Self {
            flows: Flows::new(limits.text_bytes),
            about: About::default(),
            rules: StyleRules::new(scan.sheet),
            open: Vec::new(),
            starts: Vec::new(),
            styles: Vec::new(),
            boxes: scan.boxes,
            navigation: Navigation::of(document),
            navigation_from: None,
            lists: Vec::new(),
            asides: 0,
            definitions: 0,
            pre: 0,
            raised: 0,
            height: None,
            cells: 0,
            is_striking: false,
            quotes: Vec::new(),
            open_quotes: Vec::new(),
            labels: 0,
            is_after_label: false,
            is_ticked: false,
        }
    }

    /// Reads the whole page.
    pub(super) fn page(mut self, document: &Handle) -> Page {
        self.walk(document.clone());
        self.end_strike();
        Page { writer: self.flows.finish(), about: self.about, quotes: self.quotes }
    }

    fn walk(&mut self, document: Handle) {
        let mut steps = vec![Step::Enter(document)];
        while let Some(step) = steps.pop() {
            match step {
                Step::Leave(role) => self.leave(role),
                Step::LeaveNavigation => {
                    self.end_strike();
                    if let Some(from) = self.navigation_from.take() {
                        self.flows.end_boilerplate(from);
                    }
                }
                Step::Enter(node) => {
                    match &node.data {
                        NodeData::Text { contents } => self.text(&contents.borrow()),
                        NodeData::Element { name, attrs, .. } => {
                            if self.navigation_from.is_none() && self.navigation.is(&node) {
                                self.end_strike();
                                self.navigation_from = Some(self.flows.position());
                                steps.push(Step::LeaveNavigation);
                            }
                            let attributes = attrs.borrow();
                            let Some(style) = self.style_of(&name.local, &attributes, &node) else {
                                continue;
                            };
                            self.styles.push(style);
                            let role = self.element(&name.local, &attributes, &node);
                            let Some(role) = role else {
                                self.styles.pop();
                                continue;
                            };
                            let is_part = role == Role::Block && !matches!(&*name.local, "html" | "body");
                            self.starts.push(is_part.then(|| self.flows.position()));
                            self.open.push(node.clone());
                            steps.push(Step::Leave(role));
                        }
                        _ => {}
                    }
                    steps.extend(node.children.borrow().iter().rev().cloned().map(Step::Enter));
                }
            }
        }
    }

    /// The style of an element; `None` if it is not displayed at all.
    fn style_of(&mut self, name: &str, attributes: &[Attribute], node: &Handle) -> Option<ComputedStyle> {
        if Role::of(name) == Role::Hidden
            || (name == "a" && navigation::is_permalink(node, value(attributes, "href")))
        {
            return None;
        }
        let above = self.styles.last().copied().unwrap_or_else(|| self.rules.root());
        self.rules.within(&above, node, name, attributes, &self.open)
    }

    fn text(&mut self, text: &str) {
        let style = self.styles.last().copied().unwrap_or_else(|| self.rules.root());
        if !style.is_readable() {
            return;
        }
        let mut text = text;
        if !text.trim().is_empty() {
            self.is_after_label = false;
            if style.is_struck && !self.is_striking {
                text = self.begin_strike(text);
            } else if !style.is_struck {
                self.end_strike();
            }
        }
        self.flows.set_bold(style.is_bold);
        match superscript(text).filter(|_| self.raised > 0 && self.flows.is_after(is_raisable)) {
            Some(raised) => self.flows.write(&raised),
            None if self.pre > 0 => self.flows.write(text),
            None => self.flows.write_flowing(text),
        }
    }

    /// Whether an image or a field would be visible here.
    pub(super) fn is_shown(&self) -> bool {
        self.styles.last().is_none_or(ComputedStyle::is_visible)
    }

    /// Begins struck text after leading white space. Returns the text without that white space.
    fn begin_strike<'t>(&mut self, text: &'t str) -> &'t str {
        let bare = text.trim_start();
        if bare.len() < text.len() {
            self.flows.write_flowing(" ");
        }
        self.flows.write("~~");
        self.is_striking = true;
        bare
    }

    /// Ends struck text before trailing white space.
    fn end_strike(&mut self) {
        if std::mem::take(&mut self.is_striking) {
            self.flows.write_before_gap("~~");
        }
    }

    /// Begins a text in a drawing, which may be on another line than the one before. A word divided by a hyphen is
    /// joined.
    fn begin_stretch(&mut self, attributes: &[Attribute]) {
        let Some(height) = value(attributes, "y") else { return };
        let is_lower = self.height.as_deref().is_some_and(|before| before != height);
        self.height = Some(height.to_owned());
        if is_lower && !self.flows.is_blank() && !self.flows.is_after(|c| c == '-') {
            self.flows.write("\n");
        }
    }

    /// Begins an element; `None` if it needs no further processing.
    fn element(&mut self, name: &str, attributes: &[Attribute], node: &Handle) -> Option<Role> {
        let value = |name: &str| value(attributes, name);
        let role = match Role::of(name) {
            // A heading, term or caption ends the table of contents before it.
            Role::Heading(_) | Role::Term | Role::Caption if self.navigation_from.is_some() => Role::Block,
            role => role,
        };
        match (role, name) {
            (_, "title") => {
                let title = one_line(&text_of(node));
                self.about.title = self.about.title.take().or(Some(title).filter(|title| !title.is_empty()));
                return None;
            }
            (_, "meta") if value("name").is_some_and(|name| name.eq_ignore_ascii_case("author")) => {
                self.about.author = value("content").map(one_line);
            }
            (_, "img") => {
                if self.is_shown() {
                    self.flows.write_flowing(value("alt").unwrap_or_default());
                }
            }
            (_, "input" | "select") => {
                self.field(name, attributes, node);
                return None;
            }
            (_, "label") => self.begin_label(attributes, node),
            (_, "sup") => self.raised += 1,
            (_, "tspan") => self.begin_stretch(attributes),
            (Role::Inline, _) => {}
            (Role::Break, _) => self.flows.write("\n"),
            (Role::Row | Role::Cell | Role::TableHead, _) => self.end_strike(),
            _ => self.end_paragraph(),
        }
        if name == "blockquote" && self.cells == 0 {
            self.open_quotes.push(self.quotes.len());
            let start = self.flows.position();
            self.quotes.extend((self.quotes.len() < MAX_QUOTES).then_some(start..start));
        }
        self.tick_by_role(attributes);
        self.asides = self.asides.saturating_add(u8::from(is_aside(name, attributes)));
        match role {
            // The heading of a box beside the text does not apply to the text after the box.
            Role::Heading(level) if self.asides > 0 => self.flows.set_heading(ASIDE_LEVEL + level),
            Role::Heading(level) => self.flows.set_heading(level),
            Role::List => {
                let first = value("start").and_then(|start| start.trim().parse().ok()).unwrap_or(1);
                self.lists.push((name == "ol").then_some(first));
            }
            Role::Item => {
                let mark = match self.lists.last_mut() {
                    Some(Some(number)) => {
                        let mark = format!("{number}. ");
                        *number = number.saturating_add(1);
                        mark
                    }
                    _ => "• ".to_owned(),
                };
                self.flows.set_mark(Some(mark));
            }
            Role::Definitions => self.definitions = self.definitions.saturating_add(1),
            Role::Term => {
                self.flows.end_terms(self.term_level());
                self.flows.set_heading(self.term_level());
            }
            Role::Caption => self.flows.set_heading(CAPTION_LEVEL),
            Role::Preformatted => self.pre += 1,
            Role::Table => self.flows.open_table(),
            Role::TableHead => self.flows.set_header(),
            Role::Row if is_header(node) => self.flows.set_header(),
            Role::Cell => {
                self.cells += 1;
                self.flows.open();
            }
            _ => {}
        }
        Some(role)
    }

    /// The level of terms in the innermost definition list.
    fn term_level(&self) -> u8 {
        TERM_LEVEL.saturating_add(self.definitions.saturating_sub(1))
    }

    fn end_paragraph(&mut self) {
        self.end_strike();
        self.flows.end_paragraph();
    }

    /// Ends everything that began with the element.
    fn leave_element(&mut self) {
        self.styles.pop();
        if let Some(start) = self.starts.pop().flatten() {
            self.flows.end_bold_runs(start);
        }
        let Some(node) = self.open.pop() else { return };
        let NodeData::Element { name, attrs, .. } = &node.data else { return };
        if is_aside(&name.local, &attrs.borrow()) {
            self.flows.end_terms(ASIDE_LEVEL);
            self.asides = self.asides.saturating_sub(1);
        }
        match &*name.local {
            "label" => {
                self.labels = self.labels.saturating_sub(1);
                (self.is_after_label, self.is_ticked) = (true, false);
            }
            "sup" => self.raised = self.raised.saturating_sub(1),
            "blockquote" if self.cells == 0 => {
                let end = self.flows.position();
                let quote = self.open_quotes.pop().and_then(|quote| self.quotes.get_mut(quote));
                if let Some(quote) = quote {
                    quote.end = end;
                }
            }
            _ => {}
        }
    }

    fn leave(&mut self, role: Role) {
        if !matches!(role, Role::Inline | Role::Break) {
            self.end_strike();
        }
        self.leave_element();
        match role {
            Role::Inline | Role::Break | Role::TableHead | Role::Hidden => {}
            Role::Block | Role::Heading(_) | Role::Term | Role::Caption => self.flows.end_paragraph(),
            Role::Definition => self.flows.end_terms(self.term_level()),
            Role::Definitions => {
                self.flows.end_terms(self.term_level());
                self.definitions = self.definitions.saturating_sub(1);
            }
            Role::List => {
                self.flows.end_paragraph();
                self.lists.pop();
            }
            Role::Item => {
                self.flows.end_paragraph();
                self.flows.set_mark(None);
            }
            Role::Preformatted => {
                self.pre -= 1;
                self.flows.end_paragraph();
            }
            Role::Cell => {
                self.cells = self.cells.saturating_sub(1);
                self.flows.close_cell();
            }
            Role::Row => self.flows.close_row(),
            Role::Table => {
                self.flows.close_table();
                self.flows.end_terms(CAPTION_LEVEL);
            }
        }
    }
}

/// Whether an element is a box beside the text, such as a note or a sidebar.
fn is_aside(name: &str, attributes: &[Attribute]) -> bool {
    const BOXES: &[&str] =
        &["sidebar", "admonition", "callout", "note", "tip", "warning", "caution", "important", "hint"];
    name == "aside" || (name == "div" && navigation::has_token(attributes, "class", BOXES))
}

/// Whether all cells of a row are header cells, not only its label.
fn is_header(row: &Handle) -> bool {
    let children = row.children.borrow();
    let mut cells = children.iter().filter_map(|child| match &child.data {
        NodeData::Element { name, .. } => Some(&*name.local == "th"),
        _ => None,
    });
    cells.next() == Some(true) && cells.all(|is_header| is_header)
}

/// Characters after which a number may be raised.
fn is_raisable(c: char) -> bool {
    c.is_ascii_digit() || SUPERSCRIPTS.iter().any(|(_, raised)| *raised == c)
}

const SUPERSCRIPTS: [(char, char); 13] = [
    ('0', '⁰'),
    ('1', '¹'),
    ('2', '²'),
    ('3', '³'),
    ('4', '⁴'),
    ('5', '⁵'),
    ('6', '⁶'),
    ('7', '⁷'),
    ('8', '⁸'),
    ('9', '⁹'),
    ('-', '⁻'),
    ('−', '⁻'),
    ('+', '⁺'),
];

/// Converts a number to raised digits.
fn superscript(text: &str) -> Option<String> {
    let raised = |c| SUPERSCRIPTS.iter().find(|(plain, _)| *plain == c).map(|(_, raised)| *raised);
    text.trim().chars().map(raised).collect::<Option<String>>().filter(|raised| !raised.is_empty())
}
