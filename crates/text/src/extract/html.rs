//! HTML to the text a reader would see.

use std::thread;

use encoding_rs::Encoding;
use html2text::config;
use html2text::render::TextDecorator;
use html2text::{Element, Handle};
use oriel_core::{Failure, FailureCode, Notice};

use super::{Limits, encoding, too_large};

/// Line width, large enough that no paragraph is wrapped.
const LINE_WIDTH: usize = 1 << 20;
/// The renderer frees its tree by recursion: deep nesting needs a deep stack.
const RENDER_STACK_BYTES: usize = 256 << 20;
/// Browsers stop at 512.
const MAX_DEPTH: usize = 20_000;
/// A declaration of the encoding must be within this many bytes.
const DECLARED_WITHIN: usize = 4096;

/// The text of an HTML page; a paragraph is one line, two spaces separate a table's cells.
pub(super) fn extract(bytes: &[u8], limits: &Limits) -> Result<String, Failure> {
    let html = encoding::decode(bytes, declared(bytes));
    if html.len() > limits.text_bytes {
        return Err(too_large());
    }
    if nesting(&html) > MAX_DEPTH {
        return Err(Failure::new(FailureCode::Broken, Notice::PageNestedTooDeeply));
    }
    let rendered = thread::scope(|scope| {
        let render =
            thread::Builder::new().stack_size(RENDER_STACK_BYTES).spawn_scoped(scope, || render(&html));
        render
            .map_err(|error| error.to_string())?
            .join()
            .unwrap_or_else(|_| Err("the renderer gave up".to_owned()))
    });
    let text =
        rendered.map_err(|error| Failure::new(FailureCode::Broken, Notice::PageUnreadable { error }))?;
    Ok(tidy(&text))
}

fn render(html: &str) -> Result<String, String> {
    let config = config::with_decorator(Plain).allow_width_overflow().no_link_wrapping();
    let page = config.parse_html(html.as_bytes()).map_err(|error| error.to_string())?;
    hide(page.document.clone());
    let tree = config.dom_to_render_tree(&page).map_err(|error| error.to_string())?;
    config.render_to_string(tree, LINE_WIDTH).map_err(|error| error.to_string())
}

/// Removes what the page itself hides: `hidden`, `display: none`, and the header of inline XBRL.
fn hide(document: Handle) {
    let mut nodes = vec![document];
    while let Some(node) = nodes.pop() {
        let mut children = node.children.borrow_mut();
        children.retain(|child| !is_hidden(child));
        nodes.extend(children.iter().cloned());
    }
}

fn is_hidden(node: &Handle) -> bool {
    let Element { name, attrs, .. } = &node.data else { return false };
    if &*name.local == "ix:header" {
        return true;
    }
    attrs.borrow().iter().any(|attribute| match &*attribute.name.local {
        "hidden" => true,
        "style" => {
            let style: String = attribute.value.to_ascii_lowercase().split_whitespace().collect();
            style.contains("display:none") || style.contains("visibility:hidden")
        }
        _ => false,
    })
}

/// The encoding in `<meta charset>`, `http-equiv` or an XML declaration.
fn declared(bytes: &[u8]) -> Option<&'static Encoding> {
    let head = bytes[..bytes.len().min(DECLARED_WITHIN)].to_ascii_lowercase();
    let head = String::from_utf8_lossy(&head);
    let labels = ["charset=", "encoding="].into_iter().filter_map(|name| {
        let value = head[head.find(name)? + name.len()..].trim_start_matches(['"', '\'', ' ']);
        Encoding::for_label(value.split(['"', '\'', ';', ' ', '>', '?', '/']).next()?.as_bytes())
    });
    labels.into_iter().next()
}

/// Maximum nesting of elements; counts elements that are never closed too, so it errs high.
fn nesting(html: &str) -> usize {
    const VOID: [&str; 18] = [
        "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source",
        "track", "wbr", "p", "li", "td", "tr",
    ];
    let (mut open, mut most) = (0_usize, 0);
    for (at, _) in html.match_indices('<') {
        let tag = &html[at + 1..];
        let closes = tag.starts_with('/');
        let name = tag.trim_start_matches('/');
        let name = &name[..name.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(name.len())];
        if name.is_empty() || VOID.iter().any(|void| void.eq_ignore_ascii_case(name)) {
            continue;
        }
        open = if closes { open.saturating_sub(1) } else { open + 1 };
        most = most.max(open);
    }
    most
}

/// The lines without table drawing: borders and padding become two spaces.
fn tidy(rendered: &str) -> String {
    let mut text = String::with_capacity(rendered.len());
    let mut blank = false;
    for line in rendered.lines() {
        let is_border =
            line.contains('─') && line.chars().all(|c| matches!(c, '\u{2500}'..='\u{257F}' | ' '));
        if is_border {
            continue;
        }
        let start = text.len();
        let mut gap = 0;
        for c in line.chars() {
            match c {
                '│' => gap += 2,
                _ if c.is_whitespace() => gap += 1,
                _ => {
                    if text.len() > start {
                        text.push_str(&"  "[..gap.min(2)]);
                    } else if start > 0 {
                        text.push_str(if blank { "\n\n" } else { "\n" });
                    }
                    gap = 0;
                    text.push(c);
                }
            }
        }
        blank = text.len() == start;
    }
    text
}

/// Adds no decoration to the page's text, except the bullets and numbers that a browser draws.
struct Plain;

impl TextDecorator for Plain {
    type Annotation = ();

    fn decorate_link_start(&mut self, _: &str) -> (String, ()) {
        Default::default()
    }
    fn decorate_link_end(&mut self) -> String {
        String::new()
    }
    fn decorate_em_start(&self) -> (String, ()) {
        Default::default()
    }
    fn decorate_em_end(&self) -> String {
        String::new()
    }
    fn decorate_strong_start(&self) -> (String, ()) {
        Default::default()
    }
    fn decorate_strong_end(&self) -> String {
        String::new()
    }
    fn decorate_strikeout_start(&self) -> (String, ()) {
        Default::default()
    }
    fn decorate_strikeout_end(&self) -> String {
        String::new()
    }
    fn decorate_code_start(&self) -> (String, ()) {
        Default::default()
    }
    fn decorate_code_end(&self) -> String {
        String::new()
    }
    fn decorate_preformat_first(&self) {}
    fn decorate_preformat_cont(&self) {}
    fn decorate_image(&mut self, _: &str, title: &str) -> (String, ()) {
        (title.to_owned(), ())
    }
    fn header_prefix(&self, _: usize) -> String {
        String::new()
    }
    fn quote_prefix(&self) -> String {
        String::new()
    }
    fn unordered_item_prefix(&self) -> String {
        "• ".to_owned()
    }
    fn ordered_item_prefix(&self, number: i64) -> String {
        format!("{number}. ")
    }
    fn make_subblock_decorator(&self) -> Self {
        Self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(html: &[u8]) -> String {
        extract(html, &Limits::default()).unwrap()
    }

    #[test]
    fn a_reader_sees_paragraphs_lists_and_tables() {
        let html = b"<html><head><title>No</title><style>p { color: red }</style><script>var no = 1;</script></head>\
            <body><h1>Minutes</h1><p>The <a href='https://example.org'>board</a> met\non <b>Monday</b>.</p>\
            <ul><li>Budget</li><li>Roof</li></ul>\
            <table><tr><td>Item</td><td>Cost</td></tr><tr><td>Paint</td><td>40</td></tr></table></body></html>";
        assert_eq!(
            text(html),
            "Minutes\n\nThe board met on Monday.\n• Budget\n• Roof\n\nItem  Cost\nPaint  40"
        );
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
