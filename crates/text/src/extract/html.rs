//! HTML to the text a reader would see.

use encoding_rs::Encoding;
use html5ever::tendril::TendrilSink;
use html5ever::{Attribute, ParseOpts, parse_document};
use markup5ever_rcdom::{Handle, NodeData, RcDom};
use oriel_core::{About, Extracted, Failure, FailureCode, Kind, Notice};

use super::flow::Flows;
use super::navigation::{self, Navigation};
use super::writer::{TERM_LEVEL, Writer, one_line};
use super::{Limits, encoding, too_large};

/// The parser takes quadratic time on deep nesting; browsers stop at 512.
const MAX_DEPTH: usize = 20_000;

/// A page's text and what it says about itself.
pub(super) struct Page {
    pub(super) writer: Writer,
    pub(super) about: About,
}

/// The text of an HTML page.
pub(super) fn extract(bytes: &[u8], limits: &Limits) -> Result<Extracted, Failure> {
    let page = read(bytes, None, limits)?;
    Ok(Extracted { about: page.about, ..page.writer.finish(Kind::Html)? })
}

/// Reads a page whose bytes came with the name of an encoding, or declare one.
pub(super) fn read(bytes: &[u8], label: Option<&str>, limits: &Limits) -> Result<Page, Failure> {
    let declared = label.and_then(|label| Encoding::for_label(label.as_bytes()));
    let text = encoding::decode(bytes, declared.or_else(|| encoding::declared(bytes)));
    if text.trim_start_matches('\u{FEFF}').starts_with("<?xml") {
        return read_text(&closed(&text), limits);
    }
    read_text(&text, limits)
}

/// Reads a page.
pub(super) fn read_text(html: &str, limits: &Limits) -> Result<Page, Failure> {
    if html.len() > limits.text_bytes {
        return Err(too_large());
    }
    if nesting(html) > MAX_DEPTH {
        return Err(Failure::new(FailureCode::Broken, Notice::PageNestedTooDeeply));
    }
    let dom = parse_document(RcDom::default(), ParseOpts::default()).one(html);
    let mut walk = Walk {
        flows: Flows::new(limits.text_bytes),
        about: About::default(),
        navigation: Navigation::of(&dom.document),
        navigation_from: None,
        lists: Vec::new(),
        definitions: 0,
        pre: 0,
    };
    walk.walk(dom.document.clone());
    Ok(Page { writer: walk.flows.finish(), about: walk.about })
}

/// XHTML as HTML: elements that XML closes where they open, and whose content HTML reads up to their end.
pub(super) fn closed(xhtml: &str) -> String {
    const RAW: [&str; 7] = ["title", "script", "style", "textarea", "iframe", "noframes", "xmp"];
    let mut html = String::with_capacity(xhtml.len());
    let mut rest = xhtml;
    while let Some(at) = rest.find("/>") {
        let tag = rest[..at].rfind('<').map_or("", |open| &rest[open + 1..at]);
        html.push_str(&rest[..at]);
        rest = &rest[at + 2..];
        match tag.split_whitespace().next().filter(|name| RAW.contains(name)) {
            Some(name) => html.extend(["></", name, ">"]),
            None => html.push_str("/>"),
        }
    }
    html.push_str(rest);
    html
}

/// Maximum nesting of elements; counts elements that are never closed too, so it errs high.
fn nesting(html: &str) -> usize {
    const VOID: [&str; 18] = [
        "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source",
        "track", "wbr", "p", "li", "td", "tr",
    ];
    let (mut open, mut most) = (0_usize, 0);
    // In drawings and formulas every element nests.
    let mut foreign = 0_usize;
    for (at, _) in html.match_indices('<') {
        let tag = &html[at + 1..];
        let closes = tag.starts_with('/');
        let name = tag.trim_start_matches('/');
        let name = &name[..name.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(name.len())];
        if ["svg", "math"].iter().any(|one| one.eq_ignore_ascii_case(name)) {
            foreign = if closes { foreign.saturating_sub(1) } else { foreign + 1 };
        }
        let is_void = foreign == 0 && VOID.iter().any(|void| void.eq_ignore_ascii_case(name));
        if name.is_empty() || is_void {
            continue;
        }
        open = if closes { open.saturating_sub(1) } else { open + 1 };
        most = most.max(open);
    }
    most
}

/// What an element is on the page.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Inline,
    Block,
    Heading(u8),
    Break,
    List,
    Item,
    Definitions,
    Term,
    Definition,
    Preformatted,
    Table,
    TableHead,
    Row,
    Cell,
    Hidden,
}

impl Role {
    fn of(name: &str) -> Self {
        match name {
            "h1" => Self::Heading(1),
            "h2" => Self::Heading(2),
            "h3" => Self::Heading(3),
            "h4" => Self::Heading(4),
            "h5" => Self::Heading(5),
            "h6" => Self::Heading(6),
            "br" => Self::Break,
            "ul" | "ol" | "menu" | "dir" => Self::List,
            "li" => Self::Item,
            "dl" => Self::Definitions,
            "dt" => Self::Term,
            "dd" => Self::Definition,
            "pre" | "listing" | "plaintext" | "textarea" => Self::Preformatted,
            "table" => Self::Table,
            "thead" => Self::TableHead,
            "tr" => Self::Row,
            "td" | "th" => Self::Cell,
            // Besides what is never drawn: the phonetic guide over a word.
            "script" | "style" | "noscript" | "template" | "iframe" | "noframes" | "rt" | "rp"
            | "ix:header" => Self::Hidden,
            "address" | "article" | "aside" | "blockquote" | "body" | "caption" | "center" | "details"
            | "dialog" | "div" | "fieldset" | "figcaption" | "figure" | "footer" | "form" | "frameset"
            | "head" | "header" | "hgroup" | "hr" | "html" | "legend" | "main" | "nav" | "optgroup"
            | "option" | "p" | "search" | "section" | "summary" | "tbody" | "tfoot" => Self::Block,
            _ => Self::Inline,
        }
    }
}

/// A step on the way through the tree.
enum Step {
    Enter(Handle),
    Leave(Role),
    /// The end of an element that is navigation.
    LeaveNavigation,
}

struct Walk {
    flows: Flows,
    about: About,
    navigation: Navigation,
    /// Where the outermost open navigation begins in the text.
    navigation_from: Option<usize>,
    /// The open lists, with the number of the next item of an ordered one.
    lists: Vec<Option<i64>>,
    /// How many definition lists are open.
    definitions: u8,
    /// How many preformatted elements are open.
    pre: usize,
}

impl Walk {
    fn walk(&mut self, document: Handle) {
        let mut steps = vec![Step::Enter(document)];
        while let Some(step) = steps.pop() {
            match step {
                Step::Leave(role) => self.leave(role),
                Step::LeaveNavigation => {
                    if let Some(from) = self.navigation_from.take() {
                        self.flows.end_boilerplate(from);
                    }
                }
                Step::Enter(node) => {
                    match &node.data {
                        NodeData::Text { contents } => self.text(&contents.borrow()),
                        NodeData::Element { name, attrs, .. } => {
                            if self.navigation_from.is_none() && self.navigation.is(&node) {
                                self.navigation_from = Some(self.flows.position());
                                steps.push(Step::LeaveNavigation);
                            }
                            let Some(role) = self.element(&name.local, &attrs.borrow(), &node) else {
                                continue;
                            };
                            steps.push(Step::Leave(role));
                        }
                        _ => {}
                    }
                    steps.extend(node.children.borrow().iter().rev().cloned().map(Step::Enter));
                }
            }
        }
    }

    fn text(&mut self, text: &str) {
        if self.pre > 0 { self.flows.write(text) } else { self.flows.write_flowing(text) }
    }

    /// Begins an element; `None` if nothing of it is seen.
    fn element(&mut self, name: &str, attributes: &[Attribute], node: &Handle) -> Option<Role> {
        let value = |name: &str| navigation::value(attributes, name);
        let style: String =
            value("style").unwrap_or_default().to_ascii_lowercase().split_whitespace().collect();
        let is_hidden = value("hidden").is_some()
            || style.contains("display:none")
            || style.contains("visibility:hidden");
        let is_hidden = is_hidden || (name == "a" && navigation::is_permalink(node, value("href")));
        let role = match Role::of(name) {
            _ if is_hidden => Role::Hidden,
            // What stands below a table of contents is no part of it.
            Role::Heading(_) | Role::Term if self.navigation_from.is_some() => Role::Block,
            role => role,
        };
        match (role, name) {
            (Role::Hidden, _) => return None,
            (_, "title") => {
                self.about.title = self.about.title.take().or_else(|| text_of(node));
                return None;
            }
            (_, "meta") if value("name").is_some_and(|name| name.eq_ignore_ascii_case("author")) => {
                self.about.author = value("content").map(one_line);
            }
            (_, "img") => {
                self.flows.write_flowing(value("alt").unwrap_or_default());
            }
            (Role::Inline, _) => {}
            (Role::Break, _) => self.flows.write("\n"),
            (Role::Row | Role::Cell | Role::TableHead, _) => {}
            _ => self.flows.end_paragraph(),
        }
        match role {
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
            Role::Preformatted => self.pre += 1,
            Role::Table => self.flows.open_table(),
            Role::TableHead => self.flows.set_header(),
            Role::Row if is_header(node) => self.flows.set_header(),
            Role::Cell => self.flows.open(),
            _ => {}
        }
        Some(role)
    }

    /// The level of the terms of the innermost definition list.
    fn term_level(&self) -> u8 {
        TERM_LEVEL.saturating_add(self.definitions.saturating_sub(1))
    }

    fn leave(&mut self, role: Role) {
        match role {
            Role::Inline | Role::Break | Role::TableHead | Role::Hidden => {}
            Role::Block | Role::Heading(_) | Role::Term => self.flows.end_paragraph(),
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
            Role::Cell => self.flows.close_cell(),
            Role::Row => self.flows.close_row(),
            Role::Table => self.flows.close_table(),
        }
    }
}

/// Whether all cells of a row are header cells, and not only the name of the row.
fn is_header(row: &Handle) -> bool {
    let children = row.children.borrow();
    let mut cells = children.iter().filter_map(|child| match &child.data {
        NodeData::Element { name, .. } => Some(&*name.local == "th"),
        _ => None,
    });
    cells.next() == Some(true) && cells.all(|is_header| is_header)
}

fn text_of(node: &Handle) -> Option<String> {
    let children = node.children.borrow();
    let texts = children.iter().filter_map(|child| match &child.data {
        NodeData::Text { contents } => Some(contents.borrow().to_string()),
        _ => None,
    });
    Some(one_line(&texts.collect::<String>())).filter(|text| !text.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(html: &[u8]) -> String {
        extract(html, &Limits::default()).unwrap().text
    }

    #[test]
    fn a_reader_sees_paragraphs_lists_and_tables() {
        let html = b"<html><head><title>Minutes of \n May</title><style>p { color: red }</style><script>var no = 1;</script></head>\
            <body><h1>Minutes</h1><p>The <a href='https://example.org'>board</a> met\non <b>Monday</b>.</p>\
            <ul><li>Budget</li><li><p>Roof</p></ul><ol start=3><li>Three<li>Four</ol>\
            <table><tr><th>Item</th><th>Cost</th></tr><tr><td>Paint</td><td>40<br>euros</td></tr></table>End</body></html>";
        let page = extract(html, &Limits::default()).unwrap().validated().unwrap();
        let expected = "Minutes\n\nThe board met on Monday.\n• Budget\n• Roof\n3. Three\n4. Four\n\nItem\tCost\nPaint\t40 euros\n\nEnd";
        assert_eq!(page.text, expected);
        assert_eq!(page.about.title.as_deref(), Some("Minutes of May"));
        assert_eq!(page.outline.headings[0].span.of(&page.text), Some("Minutes"));
        assert_eq!(page.outline.tables[0].span.of(&page.text), Some("Item\tCost"));
    }

    #[test]
    fn a_term_is_the_heading_of_its_definition() {
        let html = b"<h2>Memory</h2><dl><dt><code>buffers</code> (integer)<a href='#b' class='permalink'>&para;</a></dt><dd><p>Sets it.</p>\
            <dl><dt>Unit</dt><dd>Blocks.</dd></dl>More.</dd><dt>work</dt><dd>Other.</dd></dl><p>After.</p>";
        let page = extract(html, &Limits::default()).unwrap().validated().unwrap();
        let above = |words: &str| {
            let at = u32::try_from(page.text.find(words).unwrap()).unwrap();
            let path = page.outline.walk().path(at).to_vec();
            path.iter().map(|one| one.span.of(&page.text).unwrap().to_owned()).collect::<Vec<_>>().join(" > ")
        };
        assert_eq!(above("Sets it."), "Memory > buffers (integer)");
        assert_eq!(above("Blocks."), "Memory > buffers (integer) > Unit");
        assert_eq!(above("More."), "Memory > buffers (integer)");
        assert_eq!(above("Other."), "Memory > work");
        assert_eq!(above("After."), "Memory");
    }

    #[test]
    fn navigation_is_seen_but_has_no_sentences() {
        let html = b"<nav><a href='a.html'>Home</a> of the manual</nav>\
            <div class='toc'><p><b>Table of Contents</b></p><ul><li><a href='b.html'>1. Rules</a></li><li><a href='#c'>2. Fees</a></li></ul></div>\
            <h1>Rules</h1><p>Read <a href='d.html'>the fees</a> first.</p>\
            <ul><li><a href='https://example.org'>A page of others</a></li><li><a href='https://example.com'>Another</a></li>\
            <li><a href='https://example.net'>A third</a></li></ul>\
            <table><tr><td><a accesskey='p' href='e.html'>Prev</a></td><td>Chapter 2. Fees</td><td><a accesskey='n' href='f.html'>Next</a></td></tr></table>";
        let read = crate::read(Kind::Html, html, &Limits::default()).unwrap();
        let sentences: Vec<_> = read.sentences.iter().map(|one| one.span.of(&read.text).unwrap()).collect();
        assert_eq!(
            sentences,
            [
                "Rules",
                "Read the fees first.",
                "\u{2022} A page of others",
                "\u{2022} Another",
                "\u{2022} A third"
            ]
        );
        assert!(read.text.contains("2. Fees") && read.text.contains("Prev"), "{}", read.text);
        let headings: Vec<_> =
            read.outline.headings.iter().map(|one| one.span.of(&read.text).unwrap()).collect();
        assert_eq!(headings, ["Rules"]);
    }

    #[test]
    fn a_table_that_lays_out_the_page_is_no_table() {
        let long = "A long paragraph of a newsletter. ".repeat(12);
        let html = format!(
            "<table><tr><td><h2>News</h2><p>{long}</p></td><td><table><tr><td>a</td><td>b</td></tr></table></td></tr></table>"
        );
        assert_eq!(text(html.as_bytes()), format!("News\n\n{}\n\na\tb", long.trim()));
    }

    #[test]
    fn preformatted_lines_and_ruby_are_as_seen() {
        assert_eq!(text(b"<pre>one\n  two</pre>"), "one\n  two");
        assert_eq!(text("<p><ruby>草枕<rp>(</rp><rt>くさまくら</rt></ruby>を読む".as_bytes()), "草枕を読む");
    }

    #[test]
    fn what_the_page_hides_is_left_out() {
        let html = b"<p>Seen.</p><div style='display: none'>Not seen.</div><p hidden>Nor this.</p>\
            <div style='DISPLAY:NONE'><ix:header>0001 false</ix:header></div>";
        assert_eq!(text(html), "Seen.");
    }

    #[test]
    fn the_declared_encoding_is_used() {
        let html = b"<meta charset=\"iso-8859-2\"><p>Stra\xBE \xB1</p>";
        assert_eq!(text(html), "Straž ą");
        let utf8 = "<meta charset=\"iso-8859-1\"><p>Größe</p>".as_bytes();
        assert_eq!(text(utf8), "Größe", "valid UTF-8 is UTF-8, whatever the page declares");
    }

    #[test]
    fn a_wide_paragraph_is_one_line() {
        let words = "word ".repeat(5000);
        assert_eq!(text(format!("<p>{words}</p>").as_bytes()), words.trim_end());
    }

    #[test]
    fn deep_nesting_is_refused_or_read() {
        let deep = format!("{}x{}", "<div>".repeat(15_000), "</div>".repeat(15_000));
        assert_eq!(text(deep.as_bytes()), "x");
        let deeper = "<span>".repeat(100_000);
        assert_eq!(extract(deeper.as_bytes(), &Limits::default()).unwrap_err().code, FailureCode::Broken);
    }
}
