//! The visible text of HTML in a Markdown file, fed line by line.

use std::ops::Range;

use super::block::{Block, Shape};

/// Elements inside a sentence; every other tag ends a block.
const INLINE: &[&str] = &[
    "a", "abbr", "b", "bdi", "bdo", "big", "cite", "code", "data", "del", "dfn", "em", "font", "i", "ins",
    "kbd", "label", "mark", "q", "ruby", "s", "samp", "small", "span", "strike", "strong", "sub", "sup",
    "time", "tt", "u", "var", "wbr",
];

/// The construct that is open from one line to the next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Inside {
    #[default]
    Text,
    Tag,
    Comment,
    /// A script or style, up to this closing tag.
    Raw(&'static str),
}

/// Reads lines of HTML into blocks.
#[derive(Debug, Default)]
pub(super) struct Reader {
    inside: Inside,
}

impl Reader {
    /// Appends the visible part of `text[range]` to `block`; passes `block` to `take` wherever a tag ends it.
    pub fn feed(&mut self, text: &str, range: Range<usize>, block: &mut Block, take: &mut dyn FnMut(&Block)) {
        let mut at = range.start;
        while at < range.end {
            let rest = &text[at..range.end];
            let (skip, next) = match self.inside {
                Inside::Text => match tag_at(rest) {
                    Some((0, tag)) => self.open(tag, at, block, take),
                    found => {
                        let end = found.map_or(rest.len(), |(end, _)| end);
                        let visible = rest[..end].trim_end_matches(['\n', '\r']);
                        block.push(visible, at..at + visible.len());
                        if visible.len() < end {
                            block.space(at + visible.len()..at + end);
                        }
                        (end, Inside::Text)
                    }
                },
                Inside::Tag => after(rest, ">"),
                Inside::Comment => after(rest, "-->"),
                Inside::Raw(close) => match find_ignoring_case(rest, close) {
                    Some(found) => (found + close.len(), Inside::Tag),
                    None => (rest.len(), self.inside),
                },
            };
            let left = if skip >= rest.len() && next == Inside::Text && !ended(self.inside, rest) {
                self.inside
            } else {
                next
            };
            self.inside = left;
            at += skip.max(1).min(rest.len());
        }
    }

    /// Forgets an element that was never closed.
    pub fn reset(&mut self) {
        self.inside = Inside::Text;
    }

    fn open(&self, tag: &str, at: usize, block: &mut Block, take: &mut dyn FnMut(&Block)) -> (usize, Inside) {
        if tag == "!--" {
            return (4, Inside::Comment);
        }
        let name = tag.trim_start_matches('/').to_ascii_lowercase();
        if name == "br" {
            block.space(at..at);
        } else if !INLINE.contains(&name.as_str()) {
            take(block);
            block.clear(Shape::Prose);
        }
        let raw = match name.as_str() {
            "script" if !tag.starts_with('/') => Inside::Raw("</script"),
            "style" if !tag.starts_with('/') => Inside::Raw("</style"),
            _ => Inside::Tag,
        };
        (1 + tag.len(), raw)
    }
}

/// The length up to the end of `mark`, after which text follows; the whole length if there is no mark.
fn after(rest: &str, mark: &str) -> (usize, Inside) {
    (rest.find(mark).map_or(rest.len(), |found| found + mark.len()), Inside::Text)
}

/// Whether the construct `inside` ended in `rest`.
fn ended(inside: Inside, rest: &str) -> bool {
    match inside {
        Inside::Tag => rest.contains('>'),
        Inside::Comment => rest.contains("-->"),
        Inside::Text | Inside::Raw(_) => true,
    }
}

/// The position and name of the first tag, with a slash if it closes; `!--` for a comment.
fn tag_at(rest: &str) -> Option<(usize, &str)> {
    let mut from = 0;
    while let Some(found) = rest[from..].find('<') {
        let at = from + found;
        let name = &rest[at + 1..];
        if name.starts_with("!--") {
            return Some((at, &name[..3]));
        }
        let slash = usize::from(name.starts_with('/'));
        let end =
            name[slash..].find(|c: char| !c.is_ascii_alphanumeric()).map_or(name.len(), |end| slash + end);
        if name[slash..end].starts_with(|c: char| c.is_ascii_alphabetic()) {
            return Some((at, &name[..end]));
        }
        from = at + 1;
    }
    None
}

fn find_ignoring_case(text: &str, needle: &str) -> Option<usize> {
    text.as_bytes().windows(needle.len()).position(|window| window.eq_ignore_ascii_case(needle.as_bytes()))
}
