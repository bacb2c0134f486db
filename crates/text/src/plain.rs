//! The text of a sentence for the models: no markup, no soft line breaks, no invisible characters.
//!
//! The hash of this text is the sentence's identity in the store. Any change here makes every library embed its
//! sentences again. The text depends only on the sentence and its kind.

use std::borrow::Cow;
use std::ops::Range;

use oriel_core::Kind;
use pulldown_cmark::{BrokenLink, CowStr, Event, LinkType, Options, Parser, Tag, TagEnd, TextMergeStream};

/// `sentence` (a slice of a document's text) without markup and soft line breaks.
#[must_use]
pub fn plain(sentence: &str, kind: Kind) -> String {
    match kind {
        _ if kind.is_markdown() => {
            let line = one_line(sentence, true);
            let read = if line.contains(MARKUP_CHARACTERS) { without_markup(&line) } else { line };
            one_line(&read, false)
        }
        // Kinds whose lines are wrapped by hand.
        Kind::Text
        | Kind::Rst
        | Kind::AsciiDoc
        | Kind::Org
        | Kind::Latex
        | Kind::Eml
        | Kind::Mbox
        | Kind::Msg => one_line(&without_hyphens(sentence), false),
        _ => one_line(sentence, false),
    }
}

/// The bytes of `sentence` that became `part` of its plain text `read`. `None` if these bytes alone do not convert to
/// that part, as for an entity of Markdown or half of a link.
#[must_use]
pub fn source_of(sentence: &str, kind: Kind, read: &str, part: Range<usize>) -> Option<Range<usize>> {
    let mut source = sentence.char_indices();
    let mut found: Option<Range<usize>> = None;
    for (at, wanted) in read.char_indices().take_while(|(at, _)| *at < part.end) {
        let is_same = |c: char| c == wanted || (c.is_whitespace() && wanted == ' ');
        let (start, c) = source.find(|(_, c)| is_same(*c))?;
        if at >= part.start {
            let first = found.map_or(start, |found| found.start);
            found = Some(first..start + c.len_utf8());
        }
    }
    found.filter(|found| plain(&sentence[found.clone()], kind) == read[part])
}

/// A line without these characters has no Markdown to remove.
const MARKUP_CHARACTERS: &[char] = &['*', '_', '`', '[', '<', '&', '\\', '|', '~'];

/// Whether `c` is invisible: soft hyphens, zero-width characters, directional marks.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2064}' | '\u{feff}')
}

/// Whether `c` is Chinese or Japanese.
fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{3001}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ff01}'..='\u{ff60}')
}

/// Collapses every run of white space to one space, trims, and removes invisible characters; from quoted lines also the
/// leading `>`.
fn one_line(text: &str, quoted: bool) -> String {
    let mut line = String::with_capacity(text.len());
    let mut at_line_start = false;
    for c in text.chars() {
        if c.is_whitespace() || (quoted && at_line_start && c == '>') {
            at_line_start |= c == '\n';
            if !line.is_empty() && !line.ends_with(' ') {
                line.push(' ');
            }
        } else if !is_invisible(c) {
            // In scripts without spaces between words, a line end is not a space.
            if at_line_start && is_unspaced(c) && line.trim_end().ends_with(is_unspaced) {
                line.truncate(line.trim_end().len());
            }
            at_line_start = false;
            // A control character would change the sentence's hash without a visible difference.
            if !c.is_control() {
                line.push(c);
            }
        }
    }
    line.truncate(line.trim_end().len());
    line
}

/// `text` with words joined that are hyphenated at the end of a line.
fn without_hyphens(text: &str) -> Cow<'_, str> {
    if !text.contains("-\n") && !text.contains("-\r\n") && !text.contains("\u{2010}\n") {
        return Cow::Borrowed(text);
    }
    let mut joined = String::with_capacity(text.len());
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let stem = line.strip_suffix(['-', '\u{2010}']);
        let next = lines.peek().and_then(|next| next.trim_start().chars().next());
        match stem {
            Some(stem) if stem.ends_with(char::is_alphabetic) && next.is_some_and(char::is_lowercase) => {
                joined.push_str(stem);
                if let Some(next) = lines.peek_mut() {
                    *next = next.trim_start();
                }
            }
            _ => {
                joined.push_str(line);
                joined.push('\n');
            }
        }
    }
    Cow::Owned(joined)
}

/// The visible text of one line of inline Markdown.
fn without_markup(line: &str) -> String {
    // With a word before it, nothing in the line can open a block (`1.`, `#`, `-`).
    const GUARD: &str = "x ";
    let guarded = format!("{GUARD}{line}");
    let options = Options::ENABLE_STRIKETHROUGH | Options::ENABLE_WIKILINKS;
    // Reference definitions are elsewhere in the document, so `[text][label]` counts as a link without one.
    let mut resolve = |link: BrokenLink<'_>| {
        let refers = matches!(link.link_type, LinkType::Reference | LinkType::Collapsed);
        (refers || link.reference.starts_with('^')).then_some((CowStr::Borrowed("^"), CowStr::Borrowed("")))
    };
    let mut text = String::with_capacity(line.len());
    let mut hidden = 0_usize;
    let events = Parser::new_with_broken_link_callback(&guarded, options, Some(&mut resolve));
    for event in TextMergeStream::new(events) {
        match event {
            Event::Start(Tag::Image { link_type: LinkType::WikiLink { .. }, .. }) => hidden += 1,
            Event::Start(Tag::Link { link_type: LinkType::ShortcutUnknown, .. }) => hidden += 1,
            Event::Start(Tag::Link { .. } | Tag::Image { .. }) if hidden > 0 => hidden += 1,
            Event::End(TagEnd::Link | TagEnd::Image) => hidden = hidden.saturating_sub(1),
            _ if hidden > 0 => {}
            Event::Text(part) => push_text(&mut text, &part),
            // Struck text does not count as part of the sentence, so its marks are kept.
            Event::Start(Tag::Strikethrough) | Event::End(TagEnd::Strikethrough) => text.push_str("~~"),
            Event::Code(code) => text.push_str(&code),
            Event::InlineHtml(tag) | Event::Html(tag) => {
                if is_break(&tag) {
                    text.push(' ');
                } else if !is_tag(&tag) {
                    text.push_str(&tag);
                }
            }
            Event::SoftBreak | Event::HardBreak => text.push(' '),
            _ => {}
        }
    }
    text.strip_prefix(GUARD).unwrap_or(&text).to_owned()
}

/// Appends text between marks: cell borders become commas, and marks whose partner is outside of the sentence are
/// dropped.
fn push_text(text: &mut String, part: &str) {
    let part = if part.contains("**") || part.contains("__") || part.contains("~~") {
        Cow::Owned(part.replace("**", "").replace("~~", "").replace("__", "_"))
    } else {
        Cow::Borrowed(part)
    };
    if !part.contains('|') {
        text.push_str(&part);
        return;
    }
    for (index, cell) in part.split('|').enumerate() {
        if index > 0 {
            let end = text.trim_end().len();
            text.truncate(end);
            text.push_str(if end > 0 && !text.ends_with(',') { ", " } else { " " });
            text.push_str(cell.trim_start());
        } else {
            text.push_str(cell);
        }
    }
}

pub(crate) fn is_break(tag: &str) -> bool {
    tag.get(..3).is_some_and(|head| head.eq_ignore_ascii_case("<br"))
}

/// Whether `tag` is HTML, and not a type parameter or a placeholder such as `<T>` or `<name>`.
pub(crate) fn is_tag(tag: &str) -> bool {
    const NAMES: &[&str] = &[
        "a",
        "abbr",
        "b",
        "bdo",
        "big",
        "blockquote",
        "center",
        "cite",
        "code",
        "dd",
        "del",
        "details",
        "dfn",
        "div",
        "dl",
        "dt",
        "em",
        "figcaption",
        "figure",
        "font",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "hr",
        "i",
        "iframe",
        "img",
        "ins",
        "kbd",
        "li",
        "mark",
        "ol",
        "p",
        "picture",
        "pre",
        "q",
        "s",
        "samp",
        "section",
        "small",
        "source",
        "span",
        "strike",
        "strong",
        "sub",
        "summary",
        "sup",
        "table",
        "tbody",
        "td",
        "th",
        "thead",
        "tr",
        "tt",
        "u",
        "ul",
        "var",
        "video",
        "wbr",
    ];
    if tag.starts_with("<!--") {
        return true;
    }
    let name = tag.trim_start_matches(['<', '/']);
    let end = name.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(name.len());
    NAMES.binary_search(&name[..end].to_ascii_lowercase().as_str()).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn md(text: &str) -> String {
        plain(text, Kind::Markdown)
    }

    #[test]
    fn a_part_of_the_plain_text_is_found_in_the_sentence() {
        let found = |sentence: &str, kind, part: &str| {
            let plain = plain(sentence, kind);
            let start = plain.find(part).unwrap();
            source_of(sentence, kind, &plain, start..start + part.len())
                .map(|source| sentence[source].to_owned())
        };
        assert_eq!(found("It *costs*\n  **5 €** now.", Kind::Markdown, "5 €").as_deref(), Some("5 €"));
        assert_eq!(found("> It costs\n> 5 €.", Kind::Markdown, "costs 5").as_deref(), Some("costs\n> 5"));
        assert_eq!(found("See [the rules](r.md) now.", Kind::Markdown, "rules now"), None, "half of a link");
        assert_eq!(
            found("A so-\ncalled  oriel.", Kind::Text, "socalled oriel").as_deref(),
            Some("so-\ncalled  oriel")
        );
        assert_eq!(
            found("The sum &lt; 5.", Kind::Markdown, "< 5"),
            None,
            "an entity has no letters of its own"
        );
    }

    #[test]
    fn markup_is_removed() {
        assert_eq!(
            md("A **bold** and *soft* `a*b` [link](http://x.y/z) end."),
            "A bold and soft a*b link end."
        );
        assert_eq!(
            md("See [[Some page|the page]], [[Other]] and ![alt text](p.png)."),
            "See the page, Other and alt text."
        );
        assert_eq!(md("Noted[^1] here &amp; [there][ref]."), "Noted here & there.");
        assert_eq!(md("one | **two** | three"), "one, two, three");
        assert_eq!(md("A quote\n> that goes\n> on."), "A quote that goes on.");
        assert_eq!(md("H<sub>2</sub>O and Vec<String><br>next"), "H2O and Vec<String> next");
    }

    #[test]
    fn text_that_only_looks_like_a_mark_stays() {
        assert_eq!(md("1. not a list"), "1. not a list");
        assert_eq!(md("# of items"), "# of items");
        assert_eq!(md("- 5 degrees"), "- 5 degrees");
        assert_eq!(md("snake_case_name and [sic] and 2 * 3 * 4"), "snake_case_name and [sic] and 2 * 3 * 4");
        assert_eq!(md("**A sentence cut in two."), "A sentence cut in two.");
    }

    #[test]
    fn soft_breaks_and_invisible_characters_make_no_difference() {
        assert_eq!(plain("a  b\n c\u{ad}d\u{200b}", Kind::Pdf), "a b cd");
        assert_eq!(
            plain("an exam-\n  ple of 1990-\n2000 and A-\nB", Kind::Text),
            "an example of 1990- 2000 and A- B"
        );
    }

    proptest! {
        #[test]
        fn white_space_is_no_identity(words in prop::collection::vec("[a-z]{1,8}", 1..12), kind in prop::sample::select(Kind::ALL.to_vec())) {
            prop_assert_eq!(plain(&words.join(" "), kind), plain(&words.join(" \n\t "), kind));
        }

        #[test]
        fn any_text_has_a_plain_form_of_one_line(text in any::<String>(), kind in prop::sample::select(Kind::ALL.to_vec())) {
            let plain = plain(&text, kind);
            prop_assert!(!plain.contains('\n') && !plain.contains("  "));
            prop_assert_eq!(plain.trim(), plain.as_str());
        }
    }
}
