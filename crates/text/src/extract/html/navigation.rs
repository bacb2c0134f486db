//! Which elements of an HTML page lead to other places and say nothing themselves: menus, contents, indexes, "Next" and "Prev".
//!
//! Pages declare it (`nav`, `role`, `rel`, `epub:type`, the classes that generators of manuals use), or it shows: almost all text of
//! a list is links to other parts of the same site. A list of links to other sites is something that a user may look for.

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
/// Classes of navigation, as Docbook, Sphinx, Doxygen, MkDocs, MediaWiki and site generators write them.
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
/// Values of `rel` of a link that turns pages.
const TURNS: &[&str] = &["prev", "next", "up", "home", "contents", "index", "start", "first", "last", "top"];
/// Access keys of such links in Docbook's pages.
const TURN_KEYS: &[&str] = &["p", "n", "u", "h"];
/// A bar that turns pages has at most this many characters.
const MAX_BAR: usize = 400;
/// A list of fewer links may be a sentence with links.
const MIN_LINKS: usize = 3;
/// In navigation that only shows, at least so many of a hundred characters are links.
const LINKED: usize = 80;
/// In navigation that the class declares.
const DECLARED_LINKED: usize = 30;
/// An index has a link in this many characters.
const INDEX_ENTRY: usize = 80;

/// The elements of a page that are navigation, each by its address in memory.
pub(super) struct Navigation(HashSet<*const Node>);

impl Navigation {
    /// Looks through a whole page, in linear time and without recursion.
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
                        text.leave(&name.local, &attrs.borrow());
                        if text.is_navigation(&name.local, &attrs.borrow()) {
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

/// What an element holds.
#[derive(Clone, Copy, Default)]
struct Text {
    /// Its characters other than white space, and those in links to other parts of the site.
    all: usize,
    linked: usize,
    links: usize,
    /// Links that turn pages.
    turns: usize,
    has_heading: bool,
}

impl Text {
    fn add(&mut self, other: &Self) {
        self.all += other.all;
        self.linked += other.linked;
        self.links += other.links;
        self.turns += other.turns;
        self.has_heading |= other.has_heading;
    }

    /// Counts an element itself, when all that it holds is counted.
    fn leave(&mut self, name: &str, attributes: &[Attribute]) {
        match name {
            "script" | "style" | "title" | "template" => *self = Self::default(),
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => self.has_heading = true,
            "a" if self.all > 0 && value(attributes, "href").is_some_and(is_local) => {
                self.linked = self.all;
                self.links = 1;
                let turns =
                    has_token(attributes, "rel", TURNS) || has_token(attributes, "accesskey", TURN_KEYS);
                self.turns = usize::from(turns);
            }
            _ => {}
        }
    }

    fn is_navigation(&self, name: &str, attributes: &[Attribute]) -> bool {
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
        (has_token(attributes, "class", CLASSES) && is_linked(DECLARED_LINKED))
            || (has_token(attributes, "class", INDEX_CLASSES) && is_index)
            || (self.turns > 0 && self.links >= 2 && self.all <= MAX_BAR && !self.has_heading)
            || (self.links >= MIN_LINKS && is_linked(LINKED) && !self.has_heading)
    }
}

/// Whether a link is the sign beside a heading that leads to the heading itself.
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

/// Whether an address is on the same site, as far as it shows.
fn is_local(href: &str) -> bool {
    let scheme = href.find(':').is_some_and(|colon| !href[..colon].contains(['/', '?', '#']));
    !scheme && !href.starts_with("//")
}

/// The value of an attribute.
pub(super) fn value<'a>(attributes: &'a [Attribute], name: &str) -> Option<&'a str> {
    attributes.iter().find(|one| &*one.name.local == name).map(|one| &*one.value)
}

/// Whether an attribute has one of these words, whatever their case.
fn has_token(attributes: &[Attribute], name: &str, tokens: &[&str]) -> bool {
    let mut words = value(attributes, name).unwrap_or_default().split_ascii_whitespace();
    words.any(|word| tokens.iter().any(|token| token.eq_ignore_ascii_case(word)))
}
