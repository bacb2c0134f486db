//! Finds the elements of an HTML page that only link to other places: menus, contents, indexes, "Next" and "Prev".
//!
//! Pages declare navigation (`nav`, `role`, `rel`, `epub:type`, the classes of documentation generators), or it can be
//! recognised: almost all text of a list is links to other parts of the same site. A list of links to other sites is
//! content, which a user may look for.

use std::collections::HashSet;

use html5ever::Attribute;
use markup5ever_rcdom::{Handle, Node, NodeData};

/// Values of `role` and `epub:type`.
const ROLES: &[&str] = &[
    "navigation",
    "menubar",
    "doc-toc",
    "doc-index",
    "doc-pagelist",
    "toc",
    "index",
    "landmarks",
    "page-list",
    "lot",
    "loi",
];
/// Classes of navigation in Docbook, Sphinx, Doxygen, MkDocs, MediaWiki and site generators.
const CLASSES: &[&str] = &[
    "breadcrumb",
    "breadcrumbs",
    "nav",
    "navbar",
    "navfooter",
    "navheader",
    "navigation",
    "pager",
    "pagination",
    "prev-next",
    "related",
    "sidebar",
    "sphinxsidebar",
    "toc",
    "toctree-wrapper",
    "table-of-contents",
    "navpath",
    "navbox",
];
/// Classes of the index of a book.
const INDEX_CLASSES: &[&str] = &["index", "indexdiv", "genindex-table", "indextable"];
/// Values of `rel` in links to other pages of the same document.
const TURNS: &[&str] = &["prev", "next", "up", "home", "contents", "index", "start", "first", "last", "top"];
/// The words of such links, and of the labels before them.
const TURN_WORDS: &[&str] = &[
    "prev",
    "previous",
    "next",
    "up",
    "home",
    "top",
    "contents",
    "index",
    "back",
    "forward",
    "first",
    "last",
    "table of contents",
    "back to top",
    "top of page",
    "go to top",
    "vor",
    "zurück",
    "weiter",
    "nach oben",
    "hoch",
    "anfang",
    "inhalt",
    "startseite",
    "stichwortverzeichnis",
    "précédent",
    "suivant",
    "sommaire",
    "accueil",
    "haut",
    "anterior",
    "siguiente",
    "subir",
    "inicio",
    "contenido",
    "precedente",
    "successivo",
    "avanti",
    "indietro",
    "vorige",
    "volgende",
    "omhoog",
    "seguinte",
    "próximo",
];
/// Characters around such words, or in their place.
const ARROWS: &[char] = &['«', '»', '<', '>', '←', '→', '↑', '⇐', '⇒', '‹', '›', '◀', '▶', '⟵', '⟶'];
/// Maximum number of parts of an element that are checked for such words.
const MAX_PARTS: usize = 64;
/// Access keys of such links in Docbook's pages.
const TURN_KEYS: &[&str] = &["p", "n", "u", "h"];
/// Maximum characters of a navigation bar.
const MAX_BAR: usize = 400;
/// A list with fewer links may be a sentence with links.
const MIN_LINKS: usize = 3;
/// Minimum percentage of characters in links, for navigation that is not declared.
const LINKED: usize = 80;
/// The same for navigation that is declared by its class.
const DECLARED_LINKED: usize = 30;
/// An index has at least one link per this many characters.
const INDEX_ENTRY: usize = 80;
/// An index that is not declared has at least so many links that are numbers, and one per so many characters.
const NUMBERED: (usize, usize) = (20, 40);

/// The navigation elements of a page, by their address in memory.
pub(super) struct Navigation(HashSet<*const Node>);

impl Navigation {
    /// Scans a whole page in linear time and without recursion.
    pub(super) fn of(document: &Handle) -> Self {
        let mut found = HashSet::new();
        let mut open: Vec<(Handle, usize, Text)> = vec![(document.clone(), 0, Text::default())];
        while let Some((node, next, text)) = open.last_mut() {
            let child = node.children.borrow().get(*next).cloned();
            *next += 1;
            match child {
                Some(child) => {
                    if let NodeData::Text { contents } = &child.data {
                        text.all += visible(&contents.borrow());
                    } else {
                        open.push((child, 0, Text::default()));
                    }
                }
                None => {
                    let Some((node, _, mut text)) = open.pop() else { break };
                    if let NodeData::Element { name, attrs, .. } = &node.data {
                        text.leave(&name.local, &attrs.borrow(), &node);
                        if text.is_navigation(&name.local, &attrs.borrow(), &node) {
                            found.insert(std::rc::Rc::as_ptr(&node));
                        }
                    }
                    if let Some((_, _, above)) = open.last_mut() {
                        above.add(&text);
                    }
                }
            }
        }
        Self(found)
    }

    /// Whether an element is navigation.
    pub(super) fn is(&self, node: &Handle) -> bool {
        self.0.contains(&std::rc::Rc::as_ptr(node))
    }
}

/// Statistics of an element's text.
#[derive(Clone, Copy, Default)]
struct Text {
    /// Characters other than white space: all of them, and those in links to other parts of the site.
    all: usize,
    linked: usize,
    links: usize,
    /// Links to the next or previous page.
    turns: usize,
    /// Links that are numbers.
    numbers: usize,
    has_heading: bool,
}

impl Text {
    fn add(&mut self, other: &Self) {
        self.all += other.all;
        self.linked += other.linked;
        self.links += other.links;
        self.turns += other.turns;
        self.numbers += other.numbers;
        self.has_heading |= other.has_heading;
    }

    /// Counts an element itself, after its content.
    fn leave(&mut self, name: &str, attributes: &[Attribute], node: &Handle) {
        match name {
            "script" | "style" | "title" | "template" => *self = Self::default(),
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => self.has_heading = true,
            "a" if self.all > 0 && value(attributes, "href").is_some_and(is_local) => {
                self.linked = self.all;
                self.links = 1;
                let turns =
                    has_token(attributes, "rel", TURNS) || has_token(attributes, "accesskey", TURN_KEYS);
                self.turns = usize::from(turns);
                self.numbers = usize::from(self.all <= 8 && parts(node).iter().all(|part| is_number(part)));
            }
            _ => {}
        }
    }

    fn is_navigation(&self, name: &str, attributes: &[Attribute], node: &Handle) -> bool {
        let is_container = matches!(
            name,
            "div"
                | "section"
                | "aside"
                | "header"
                | "footer"
                | "ul"
                | "ol"
                | "dl"
                | "menu"
                | "table"
                | "p"
                | "nav"
        );
        if name == "nav" || has_token(attributes, "role", ROLES) || has_token(attributes, "epub:type", ROLES)
        {
            return name != "body" && name != "html";
        }
        if !is_container || self.links == 0 {
            return false;
        }
        let is_linked = |share: usize| self.linked * 100 >= self.all * share;
        let is_index = self.links >= 10 && self.links * INDEX_ENTRY >= self.all;
        let (numbers, characters) = NUMBERED;
        let is_numbered = self.numbers >= numbers && self.numbers * characters >= self.all;
        (has_token(attributes, "class", CLASSES) && is_linked(DECLARED_LINKED))
            || (has_token(attributes, "class", INDEX_CLASSES) && is_index)
            || is_numbered
            || self.is_bar(node)
            || (self.turns > 0 && self.links >= 2 && self.all <= MAX_BAR && !self.has_heading)
            || (self.links >= MIN_LINKS && is_linked(LINKED) && !self.has_heading)
    }
}

impl Text {
    /// Whether an element is a navigation bar, or a link back to the top.
    fn is_bar(&self, node: &Handle) -> bool {
        if self.all > MAX_BAR || self.has_heading || self.linked * 100 < self.all * DECLARED_LINKED {
            return false;
        }
        let parts = parts(node);
        let turns = parts.iter().filter(|part| turns(part)).count();
        (turns >= 2 && self.links >= 2) || (self.links == 1 && turns == parts.len())
    }
}

/// The texts in an element, at most [`MAX_PARTS`].
fn parts(node: &Handle) -> Vec<String> {
    let (mut parts, mut open, mut seen) = (Vec::new(), vec![node.clone()], 0);
    while let Some(node) = open.pop().filter(|_| seen < MAX_PARTS) {
        seen += 1;
        match &node.data {
            NodeData::Text { contents } => {
                let text = contents.borrow();
                // White space may be very long.
                let text = &text[..text.floor_char_boundary(4 * MAX_BAR)];
                parts.extend(Some(text.trim()).filter(|part| !part.is_empty()).map(str::to_owned));
            }
            _ => open.extend(node.children.borrow().iter().take(MAX_PARTS).rev().cloned()),
        }
    }
    parts
}

/// Whether a text is a word for turning pages, or a character that stands for one.
fn turns(part: &str) -> bool {
    let bare = part.trim_matches(|c: char| !c.is_alphanumeric());
    let word = bare.to_lowercase();
    if bare.is_empty() { part.contains(ARROWS) } else { TURN_WORDS.contains(&word.as_str()) }
}

/// Whether a text is a number: `12`, `4.2`, `[7]`, `12–14`.
fn is_number(part: &str) -> bool {
    part.contains(|c: char| c.is_ascii_digit()) && !part.contains(char::is_alphabetic)
}

/// Whether a link is the permalink beside a heading.
pub(super) fn is_permalink(node: &Handle, href: Option<&str>) -> bool {
    let children = node.children.borrow();
    let mut text = String::new();
    for child in children.iter() {
        let NodeData::Text { contents } = &child.data else { return false };
        text.push_str(&contents.borrow());
    }
    href.is_some_and(|href| href.contains('#'))
        && matches!(text.trim(), "\u{b6}" | "#" | "\u{a7}" | "\u{f0c1}" | "\u{1f517}")
}

fn visible(text: &str) -> usize {
    text.chars().filter(|c| !c.is_whitespace()).count()
}

/// Whether an address is on the same site, as far as it tells.
fn is_local(href: &str) -> bool {
    let scheme = href.find(':').is_some_and(|colon| !href[..colon].contains(['/', '?', '#']));
    !scheme && !href.starts_with("//")
}

pub(super) fn value<'a>(attributes: &'a [Attribute], name: &str) -> Option<&'a str> {
    attributes.iter().find(|one| &*one.name.local == name).map(|one| &*one.value)
}

/// Whether an attribute contains one of these words, in any case.
pub(super) fn has_token(attributes: &[Attribute], name: &str, tokens: &[&str]) -> bool {
    let mut words = value(attributes, name).unwrap_or_default().split_ascii_whitespace();
    words.any(|word| tokens.iter().any(|token| token.eq_ignore_ascii_case(word)))
}
