//! HTML to the text a reader would see.

use std::thread;

use encoding_rs::Encoding;
use html2text::config;
use html2text::render::TextDecorator;
use oriel_core::{Failure, FailureCode};

use super::{Limits, encoding, too_large};

/// Wide enough that no paragraph is wrapped.
const WIDTH: usize = 1 << 20;
/// The renderer frees its tree by recursion: deep nesting needs a deep stack.
const STACK: usize = 256 << 20;
/// Browsers stop at 512.
const MAX_DEPTH: usize = 20_000;
/// Where a declaration of the encoding may stand.
const DECLARED_WITHIN: usize = 4096;

/// The text of an HTML page; a paragraph is one line, a table's cells are parted by two spaces.
pub(super) fn extract(bytes: &[u8], limits: &Limits) -> Result<String, Failure> {
    let html = encoding::decode(bytes, declared(bytes));
    if html.len() > limits.text_bytes {
        return Err(too_large());
    }
    if nesting(&html) > MAX_DEPTH {
        return Err(Failure::new(FailureCode::Broken, "The page nests its elements too deeply to be read."));
    }
    let rendered = thread::scope(|scope| {
        let render = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, || render(&html));
        render
            .map_err(|error| error.to_string())?
            .join()
            .unwrap_or_else(|_| Err("the renderer gave up".to_owned()))
    });
    let text = rendered.map_err(|error| {
        Failure::new(FailureCode::Broken, format!("The page cannot be read as HTML: {error}."))
    })?;
    Ok(tidy(&text))
}

fn render(html: &str) -> Result<String, String> {
    config::with_decorator(Plain)
        .no_table_borders()
        .allow_width_overflow()
        .no_link_wrapping()
        .string_from_read(html.as_bytes(), WIDTH)
        .map_err(|error| error.to_string())
}

/// The encoding that `<meta charset>`, `http-equiv` or an XML declaration names.
fn declared(bytes: &[u8]) -> Option<&'static Encoding> {
    let head = bytes[..bytes.len().min(DECLARED_WITHIN)].to_ascii_lowercase();
    let head = String::from_utf8_lossy(&head);
    let labels = ["charset=", "encoding="].into_iter().filter_map(|name| {
        let value = head[head.find(name)? + name.len()..].trim_start_matches(['"', '\'', ' ']);
        Encoding::for_label(value.split(['"', '\'', ';', ' ', '>', '?', '/']).next()?.as_bytes())
    });
    labels.into_iter().next()
}

/// How many elements are open at once, at most; elements that are never closed count too, which errs high.
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

/// Table columns are padded with spaces, and empty cells leave lines of them: two spaces part cells as well.
fn tidy(rendered: &str) -> String {
    let mut text = String::with_capacity(rendered.len());
    let mut blank = 0;
    for line in rendered.lines() {
        let line = line.trim();
        if line.is_empty() {
            blank += 1;
            continue;
        }
        if !text.is_empty() {
            text.push_str(if blank > 0 { "\n\n" } else { "\n" });
        }
        blank = 0;
        let mut spaces = 0;
        for c in line.chars() {
            spaces = if c == ' ' { spaces + 1 } else { 0 };
            if spaces <= 2 {
                text.push(c);
            }
        }
    }
    text
}

/// Writes what is on the page and no marks of its own, but for the bullets and numbers that a browser draws.
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
