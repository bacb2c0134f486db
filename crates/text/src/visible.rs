//! Markdown for display: without markup, but with lines, lists, tables and code.
//!
//! Unlike [`crate::plain`], which turns a sentence into one line for the models, this maps each piece to its source, so
//! that sentences can be marked in the displayed text.

use std::borrow::Cow;
use std::ops::Range;

use oriel_core::ByteSpan;
use pulldown_cmark::{BrokenLink, CowStr, Event, LinkType, Options, Parser, Tag};

use crate::plain::{is_break, is_tag};

/// A piece of displayed text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece<'t> {
    /// Its source, in bytes of the text.
    pub span: ByteSpan,
    /// The displayed text.
    pub text: Cow<'t, str>,
}

impl Piece<'_> {
    /// Whether it equals its source byte for byte, so that both can be cut at the same place.
    #[must_use]
    pub fn is_source(&self) -> bool {
        self.text.len() == self.span.len() as usize
    }
}

/// The displayed pieces of `span` in a Markdown text, in order. This parses the whole text, because the meaning of a
/// line depends on the lines above it.
#[must_use]
pub fn visible(text: &str, span: ByteSpan) -> Vec<Piece<'_>> {
    let options = Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_WIKILINKS
        | Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES;
    // Reference definitions may be below, so `[text][label]` counts as a link without one, and `[^1]` as a footnote.
    let mut resolve = |link: BrokenLink<'_>| {
        let refers = matches!(link.link_type, LinkType::Reference | LinkType::Collapsed);
        (refers || link.reference.starts_with('^')).then_some((CowStr::Borrowed("^"), CowStr::Borrowed("")))
    };
    // Text after the line of the span does not change it, except below a table's header or an underlined heading.
    let end = (span.end as usize).min(text.len());
    let end = text[end..].match_indices('\n').nth(2).map_or(text.len(), |(at, _)| end + at);
    let read = &text[..end];
    let parser = Parser::new_with_broken_link_callback(read, options, Some(&mut resolve));
    let mut reader = Reader { text: read, at: 0, open: Vec::new(), is_broken: false, pieces: Vec::new() };
    for (event, range) in parser.into_offset_iter() {
        reader.read(event, range);
    }
    reader.gap(read.len());
    laid_out(&reader.pieces, span)
}

/// What to do with the text between two events.
#[derive(Clone, Copy, PartialEq)]
enum Gap {
    /// Show it, because the marks of a list carry meaning.
    Keep,
    /// Drop it as markup, but show its line ends.
    Drop,
    /// Show the borders of cells, but not the line below a table's header.
    Table,
    /// Like [`Gap::Drop`], inside code, which has no markup.
    Code,
    /// Drop it with its content.
    Hide,
}

impl Gap {
    fn of(tag: &Tag<'_>, around: Self) -> Self {
        match tag {
            _ if around == Self::Hide => Self::Hide,
            Tag::Image { link_type: LinkType::WikiLink { .. }, .. }
            | Tag::Link { link_type: LinkType::ShortcutUnknown, .. } => Self::Hide,
            Tag::CodeBlock(_) => Self::Code,
            Tag::Table(_) | Tag::TableHead | Tag::TableRow | Tag::TableCell => Self::Table,
            Tag::Paragraph
            | Tag::Heading { .. }
            | Tag::BlockQuote(_)
            | Tag::Emphasis
            | Tag::Strong
            | Tag::Strikethrough
            | Tag::Link { .. }
            | Tag::Image { .. } => Self::Drop,
            _ => Self::Keep,
        }
    }
}

struct Reader<'t> {
    text: &'t str,
    /// The position up to which the text is read.
    at: usize,
    open: Vec<Gap>,
    /// Whether a line has just ended within a paragraph: the next one begins with markup, not text.
    is_broken: bool,
    pieces: Vec<Piece<'t>>,
}

impl<'t> Reader<'t> {
    fn read(&mut self, event: Event<'_>, range: Range<usize>) {
        match event {
            Event::Start(tag) => {
                self.gap(range.start);
                let around = self.around();
                self.open.push(Gap::of(&tag, around));
            }
            Event::End(_) => {
                self.gap(range.end);
                self.open.pop();
            }
            leaf => {
                self.gap(range.start);
                if self.around() != Gap::Hide && range.end > self.at {
                    self.leaf(leaf, range.clone());
                }
                self.at = self.at.max(range.end);
            }
        }
    }

    fn around(&self) -> Gap {
        self.open.last().copied().unwrap_or(Gap::Keep)
    }

    /// Reads up to the next event.
    fn gap(&mut self, to: usize) {
        let from = self.at;
        let is_broken = std::mem::take(&mut self.is_broken);
        let Some(gap) = self.text.get(from..to).filter(|gap| !gap.is_empty()) else { return };
        self.at = to;
        let mut begin = from;
        for line in gap.split_inclusive('\n') {
            let end = begin + line.len();
            let words = line.trim_end_matches(['\n', '\r']);
            let is_rule = words.contains('-') && words.chars().all(|one| "|-:> \t".contains(one));
            match self.around() {
                Gap::Hide => {}
                Gap::Table if is_rule => {}
                Gap::Keep | Gap::Table if !is_broken => self.source(begin..end),
                _ => self.source(begin + words.len()..end),
            }
            begin = end;
        }
    }

    fn leaf(&mut self, leaf: Event<'_>, range: Range<usize>) {
        match leaf {
            Event::Text(text) if self.text[range.clone()] != *text => self.replaced(range, &text),
            Event::Text(_) if self.around() == Gap::Code => self.source(range),
            Event::Text(_) => self.unpaired(range),
            Event::Code(code) => match self.text[range.clone()].find(&*code) {
                Some(at) => self.source(range.start + at..range.start + at + code.len()),
                None => self.replaced(range, &code),
            },
            Event::InlineHtml(tag) if is_break(&tag) => self.replaced(range, "\n"),
            Event::InlineHtml(tag) if is_tag(&tag) => {}
            Event::InlineHtml(_) | Event::Html(_) => self.source(range),
            Event::SoftBreak => {
                self.replaced(range, " ");
                self.is_broken = true;
            }
            Event::HardBreak => {
                self.replaced(range, "\n");
                self.is_broken = true;
            }
            // Rulers and footnote numbers.
            _ => {}
        }
    }

    /// Text as written, without marks that have lost their partner.
    fn unpaired(&mut self, range: Range<usize>) {
        let mut from = range.start;
        let text = &self.text[range.clone()];
        let marks = text.match_indices("**").chain(text.match_indices("~~")).map(|(at, _)| range.start + at);
        let mut marks: Vec<usize> = marks.collect();
        marks.sort_unstable();
        for mark in marks {
            self.source(from..mark);
            from = mark + 2;
        }
        self.source(from..range.end);
    }

    fn source(&mut self, range: Range<usize>) {
        if let Some(text) = self.text.get(range.clone()).filter(|text| !text.is_empty()) {
            self.pieces.push(Piece { span: span(range), text: Cow::Borrowed(text) });
        }
    }

    fn replaced(&mut self, range: Range<usize>, text: &str) {
        self.pieces.push(Piece { span: span(range), text: Cow::Owned(text.to_owned()) });
    }
}

fn span(range: Range<usize>) -> ByteSpan {
    let number = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    ByteSpan::new(number(range.start), number(range.end))
}

/// The pieces within `span`, with one blank line where markup left several, and none at either end.
fn laid_out<'t>(pieces: &[Piece<'t>], span: ByteSpan) -> Vec<Piece<'t>> {
    let mut shown: Vec<Piece<'t>> = Vec::new();
    // As if the previous text had ended with a blank line.
    let mut ends = 2;
    for piece in pieces {
        let Some(mut piece) = clipped(piece, span) else { continue };
        let begins = piece.text.bytes().take_while(|byte| *byte == b'\n').count();
        let extra = (begins + ends).saturating_sub(2).min(begins);
        piece = without_first(piece, extra);
        if piece.text.is_empty() {
            continue;
        }
        let own = piece.text.bytes().rev().take_while(|byte| *byte == b'\n').count();
        ends = if own == piece.text.len() { ends + own } else { own };
        shown.push(piece);
    }
    while let Some(last) = shown.pop() {
        let trimmed = last.text.trim_end().len();
        if trimmed > 0 {
            let is_cut = trimmed < last.text.len();
            shown.push(if is_cut { first(last, trimmed) } else { last });
            break;
        }
    }
    shown
}

/// The part of a piece within `span`. A piece that replaces other text counts as being at its beginning.
fn clipped<'t>(piece: &Piece<'t>, span: ByteSpan) -> Option<Piece<'t>> {
    let (from, to) = (piece.span.start.max(span.start), piece.span.end.min(span.end));
    if from >= to {
        return None;
    }
    if !piece.is_source() {
        return Some(piece.clone()).filter(|piece| piece.span.start >= span.start);
    }
    let cut = first(piece.clone(), (to - piece.span.start) as usize);
    Some(without_first(cut, (from - piece.span.start) as usize))
}

/// The first `length` bytes of a piece.
fn first(piece: Piece<'_>, length: usize) -> Piece<'_> {
    let end = if piece.is_source() {
        piece.span.start + u32::try_from(length).unwrap_or(0)
    } else {
        piece.span.end
    };
    let text = cut(piece.text, ..length);
    Piece { span: ByteSpan::new(piece.span.start, end), text }
}

/// A piece without its first `length` bytes.
fn without_first(piece: Piece<'_>, length: usize) -> Piece<'_> {
    let from = if piece.is_source() {
        piece.span.start + u32::try_from(length).unwrap_or(0)
    } else {
        piece.span.start
    };
    let text = cut(piece.text, length..);
    Piece { span: ByteSpan::new(from, piece.span.end), text }
}

/// A part of a text; all of it if the part would begin or end within a character.
fn cut<'t>(text: Cow<'t, str>, part: impl std::slice::SliceIndex<str, Output = str> + Clone) -> Cow<'t, str> {
    match text {
        Cow::Borrowed(text) => Cow::Borrowed(text.get(part).unwrap_or(text)),
        Cow::Owned(text) => Cow::Owned(text.get(part).map(str::to_owned).unwrap_or(text)),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn whole(text: &str) -> ByteSpan {
        span(0..text.len())
    }

    fn told(text: &str, span: ByteSpan) -> String {
        visible(text, span).into_iter().map(|piece| piece.text).collect()
    }

    fn shown(text: &str) -> String {
        told(text, whole(text))
    }

    #[test]
    fn marks_are_not_shown() {
        assert_eq!(
            shown("## A *title*\n\nA **bold** and *soft* `a*b` [link](http://x.y/z) end.\n"),
            "A title\n\nA bold and soft a*b link end."
        );
        assert_eq!(shown("Under\n=====\nText."), "Under\n\nText.");
        assert_eq!(
            shown("[[Some page|the page]], ![alt](p.png), [there][ref], <http://x.y>."),
            "the page, alt, there, http://x.y."
        );
        assert_eq!(
            shown("Noted[^1] here &amp; 2 \\* 3.\n\n[^1]: So it is."),
            "Noted here & 2 * 3.\n\n[^1]: So it is."
        );
        assert_eq!(shown("H<sub>2</sub>O<br>and Vec<String>"), "H2O\nand Vec<String>");
        assert_eq!(shown("one\n\n---\n\ntwo"), "one\n\ntwo");
    }

    #[test]
    fn lines_of_a_paragraph_flow_and_all_others_stay() {
        assert_eq!(shown("one\ntwo  \nthree\n\n\n\nfour"), "one two\nthree\n\nfour");
        assert_eq!(
            shown("- one\n- **two**\n  goes on\n  - three\n\n1. four"),
            "- one\n- two goes on\n  - three\n\n1. four"
        );
        assert_eq!(shown("> A quote\n> that *goes*\n> on."), "A quote that goes on.");
    }

    #[test]
    fn tables_keep_their_borders_and_code_all_that_it_has() {
        assert_eq!(shown("| a | b |\n|---|:-:|\n| **c** | `d` |\n\nEnd."), "| a | b |\n| c | d |\n\nEnd.");
        assert_eq!(
            shown("Run:\n\n```sh\nls **/*.md # [x](y)\n  cd &amp;\n```\n\nDone."),
            "Run:\n\nls **/*.md # [x](y)\n  cd &amp;\n\nDone."
        );
    }

    #[test]
    fn a_part_is_read_as_what_it_is_in_the_whole() {
        let part = |text: &str, words: &str| {
            let at = text.find(words).unwrap();
            told(text, span(at..at + words.len()))
        };
        assert_eq!(part("**One. Two** three.", "Two** three."), "Two three.");
        assert_eq!(part("```\na\n\n**b**\n```\n", "**b**"), "**b**", "code has no markup");
        assert_eq!(
            part("| a | b |\n|--|--|\n| **c** | d |\n| e | f |\n", "| **c** | d |\n| e | f |"),
            "| c | d |\n| e | f |"
        );
        assert_eq!(part("There were 12\n1. and more", "1. and more"), "1. and more");
        assert_eq!(part("A *b* c &lt; d.", "*b* c &lt;"), "b c <");
    }

    proptest! {
        #[test]
        fn pieces_stand_where_they_say(text in "([a-zä#>*_`~|<&\\[\\]()! -]|\n|\\^1|&lt;){0,80}", ends in any::<[prop::sample::Index; 2]>()) {
            let mut cuts = ends.map(|end| {
                let mut at = end.index(text.len() + 1);
                while !text.is_char_boundary(at) {
                    at -= 1;
                }
                at
            });
            cuts.sort_unstable();
            let part = span(cuts[0]..cuts[1]);
            let mut at = part.start;
            for piece in visible(&text, part) {
                prop_assert!(piece.span.start >= at && piece.span.start < part.end, "{piece:?}");
                at = piece.span.end;
                if piece.is_source() && piece.span.len() > 1 {
                    prop_assert_eq!(piece.span.of(&text), Some(&*piece.text));
                }
                prop_assert!(!piece.text.is_empty());
            }
        }

        #[test]
        fn words_without_marks_stay(words in prop::collection::vec("[a-zäß,.]{1,8}", 1..12)) {
            let text = words.join(" ");
            prop_assert_eq!(shown(&text), text);
        }
    }
}
