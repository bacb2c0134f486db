//! HTML to the text that a browser would show.
//!
//! A page is walked as a tree, not rendered: a rendered table puts the lines of neighbouring cells side by side. A
//! table that only lays out a page is no table.

mod colour;
mod computed_style;
mod css;
mod forms;
mod length;
mod navigation;
mod page;
mod page_scan;
mod role;
mod selector;
mod unquoted;
mod walk;

use encoding_rs::Encoding;
use html5ever::tendril::TendrilSink;
use html5ever::{ParseOpts, parse_document};
use markup5ever_rcdom::RcDom;
use oriel_core::{Extracted, Failure, FailureCode, Kind, Notice};

use super::{Limits, encoding, too_large};
pub(super) use page::Page;
use page_scan::PageScan;
use walk::Walk;

/// Maximum nesting: the parser takes quadratic time on deep nesting. Browsers stop at 512.
const MAX_DEPTH: usize = 20_000;

/// The text of an HTML page.
pub(super) fn extract(bytes: &[u8], limits: &Limits) -> Result<Extracted, Failure> {
    let page = read(bytes, None, limits)?;
    Ok(Extracted { about: page.about, ..page.writer.finish(Kind::Html)? })
}

/// Reads a page whose bytes declare their encoding, or that came with its name.
pub(super) fn read(bytes: &[u8], label: Option<&str>, limits: &Limits) -> Result<Page, Failure> {
    let declared = label.and_then(|label| Encoding::for_label(label.as_bytes()));
    let text = encoding::decode(bytes, declared.or_else(|| encoding::declared(bytes)));
    if text.trim_start_matches('\u{FEFF}').starts_with("<?xml") {
        return read_text(&xhtml_to_html(&text), limits);
    }
    read_text(&text, limits)
}

/// Reads a page.
pub(super) fn read_text(html: &str, limits: &Limits) -> Result<Page, Failure> {
    read_styled(html, limits, &mut |_| None)
}

/// Reads a page. `style_sheet` returns the style sheet at an address, if available.
pub(super) fn read_styled(
    html: &str,
    limits: &Limits,
    style_sheet: &mut dyn FnMut(&str) -> Option<String>,
) -> Result<Page, Failure> {
    if html.len() > limits.text_bytes {
        return Err(too_large());
    }
    if nesting(html) > MAX_DEPTH {
        return Err(Failure::new(FailureCode::Broken, Notice::PageNestedTooDeeply));
    }
    let dom = parse_document(RcDom::default(), ParseOpts::default()).one(html);
    let scan = PageScan::of(&dom.document, style_sheet);
    Ok(Walk::new(&dom.document, scan, limits).page(&dom.document))
}

/// Converts XHTML to HTML: elements that XML closes at once, but whose content HTML reads up to an end tag.
pub(super) fn xhtml_to_html(xhtml: &str) -> String {
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

/// The maximum nesting of elements. Elements without an end tag count too, so the result may be too high.
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

#[cfg(test)]
mod tests;
