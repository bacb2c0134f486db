//! Text formats that are read without conversion, and the headings in them.

use std::ops::Range;

use oriel_core::{About, ByteSpan, Extracted, Failure, HeaderRow, Heading, Kind, Outline};
use pulldown_cmark::{Event, Parser, Tag, TagEnd};

use super::bold_headings::{self, BoldRun};
use super::{Limits, chat_text, comments, encoding, plain_structure};
use crate::segment::markdown_options;

/// Plain text, or a chat.
pub(super) fn text(bytes: &[u8], limits: &Limits) -> Result<Extracted, Failure> {
    let raw = unchanged(Kind::Text, bytes)?;
    match chat_text::read(&raw.text, limits) {
        Some(chat) => chat.finish(Kind::Text),
        None => Ok(plain_structure::with_structure(raw)),
    }
}

pub(super) fn code(bytes: &[u8], _: &Limits) -> Result<Extracted, Failure> {
    unchanged(Kind::Code, bytes)
}

pub(super) fn yaml(bytes: &[u8], _: &Limits) -> Result<Extracted, Failure> {
    unchanged(Kind::Yaml, bytes)
}

pub(super) fn xml(bytes: &[u8], _: &Limits) -> Result<Extracted, Failure> {
    Ok(Extracted::new(Kind::Xml, encoding::plain_text(bytes, encoding::declared(bytes))?))
}

/// Markdown, without its comments.
pub(super) fn markdown(bytes: &[u8], _: &Limits) -> Result<Extracted, Failure> {
    let raw = without(Kind::Markdown, bytes, comments::without_markdown)?;
    Ok(Extracted {
        outline: markdown_outline(&raw.text),
        boilerplate: plain_structure::linked_contents(&raw.text),
        ..raw
    })
}

/// reStructuredText: a heading is underlined with one repeated character; the first heading's character has the highest
/// level, and so on.
pub(super) fn rst(bytes: &[u8], _: &Limits) -> Result<Extracted, Failure> {
    let mut ranks: Vec<(char, bool)> = Vec::new();
    let rule = |line: &str| {
        let sign = line.chars().next().filter(char::is_ascii_punctuation)?;
        (line.len() > 2 && line.chars().all(|c| c == sign)).then_some(sign)
    };
    headed(without(Kind::Rst, bytes, comments::without_rst)?, |lines| {
        let [above, line, below] = lines;
        let sign = rule(below).filter(|_| !line.is_empty() && rule(line).is_none())?;
        if below.chars().count() < line.chars().count() || line.starts_with(' ') && rule(above) != Some(sign)
        {
            return None;
        }
        let rank = (sign, rule(above) == Some(sign));
        let level = ranks.iter().position(|one| *one == rank).unwrap_or_else(|| {
            ranks.push(rank);
            ranks.len() - 1
        });
        Some((level + 1, line))
    })
}

/// AsciiDoc: `=` for the title, `==` and more for sections.
pub(super) fn asciidoc(bytes: &[u8], _: &Limits) -> Result<Extracted, Failure> {
    headed(without(Kind::AsciiDoc, bytes, comments::without_asciidoc)?, |[_, line, _]| marked(line, '='))
}

/// Org mode: one star per level.
pub(super) fn org(bytes: &[u8], _: &Limits) -> Result<Extracted, Failure> {
    headed(without(Kind::Org, bytes, comments::without_org)?, |[_, line, _]| marked(line, '*'))
}

/// LaTeX: the argument of a sectioning command on one line.
pub(super) fn latex(bytes: &[u8], _: &Limits) -> Result<Extracted, Failure> {
    const COMMANDS: [&str; 6] =
        ["\\part", "\\chapter", "\\section", "\\subsection", "\\subsubsection", "\\paragraph"];
    headed(without(Kind::Latex, bytes, comments::without_latex)?, |[_, line, _]| {
        let line = line.trim_start();
        let level = COMMANDS.iter().position(|command| {
            line.strip_prefix(command).is_some_and(|rest| rest.starts_with(['{', '[', '*']))
        })?;
        let (_, rest) = line.split_once('{')?;
        let mut depth = 1;
        let end = rest.find(|c| {
            depth += i32::from(c == '{') - i32::from(c == '}');
            depth == 0
        });
        Some((level + 1, &rest[..end.unwrap_or(rest.len())]))
    })
}

fn unchanged(kind: Kind, bytes: &[u8]) -> Result<Extracted, Failure> {
    Ok(Extracted::new(kind, encoding::plain_text(bytes, None)?))
}

/// Removes the comments from a text.
fn without(kind: Kind, bytes: &[u8], without: fn(&str) -> String) -> Result<Extracted, Failure> {
    Ok(Extracted::new(kind, without(&encoding::plain_text(bytes, None)?)))
}

/// The level of a heading and its words after a run of `sign` and a space.
fn marked(line: &str, sign: char) -> Option<(usize, &str)> {
    let words = line.trim_start_matches(sign);
    let level = line.len() - words.len();
    (level > 0 && words.starts_with(' ')).then_some((level, words))
}

/// A text with the headings that `heading` finds. It gets the line above, the line, and the line below, and returns the
/// level and the heading's part of the line.
fn headed(
    mut raw: Extracted,
    mut heading: impl for<'t> FnMut([&'t str; 3]) -> Option<(usize, &'t str)>,
) -> Result<Extracted, Failure> {
    let text = raw.text.as_str();
    let mut headings = Vec::new();
    let mut lines = text.split('\n').map(str::trim_end).peekable();
    let mut above = "";
    while let Some(line) = lines.next() {
        let below = lines.peek().copied().unwrap_or_default();
        if let Some((level, words)) = heading([above, line, below]) {
            let words = words.trim();
            // `words` is a slice of `text`.
            let start = words.as_ptr() as usize - text.as_ptr() as usize;
            headings.extend(heading_at(level, start..start + words.len()));
        }
        above = line;
    }
    let first = headings.first().and_then(|heading| heading.span.of(text)).map(str::to_owned);
    raw.about = About { title: first, ..About::default() };
    raw.outline = Outline { headings, ..Outline::default() };
    Ok(raw)
}

fn heading_at(level: usize, range: Range<usize>) -> Option<Heading> {
    let level = u8::try_from(level).unwrap_or(u8::MAX);
    span(range).map(|span| Heading::new(span, level))
}

/// A range as a span; `None` if it is empty or too large.
fn span(range: Range<usize>) -> Option<ByteSpan> {
    let span = ByteSpan::new(u32::try_from(range.start).ok()?, u32::try_from(range.end).ok()?);
    (!span.is_empty()).then_some(span)
}

/// The headings and tables of a Markdown text.
pub(super) fn markdown_outline(text: &str) -> Outline {
    let mut outline = Outline::default();
    let mut bold = BoldWords::default();
    // The level of the open heading and the range of its words.
    let mut open: Option<(usize, Option<Range<usize>>)> = None;
    let mut header = None;
    for (event, range) in Parser::new_ext(text, markdown_options()).into_offset_iter() {
        bold.take(&event, &range);
        match event {
            Event::Start(Tag::Heading { level, .. }) => open = Some((level as usize, None)),
            Event::End(TagEnd::Heading(_)) => {
                let Some((level, Some(words))) = open.take() else { continue };
                // An underlined heading may have several lines.
                let line = text[words.clone()].lines().next().map_or(0, |line| line.trim_end().len());
                outline.headings.extend(heading_at(level, words.start..words.start + line));
            }
            Event::Start(Tag::TableHead) => header = span(trimmed(text, range)),
            Event::End(TagEnd::Table) => {
                if let (Some(header), Some(table)) = (header.take(), span(trimmed(text, range)))
                    && table.end > header.end
                {
                    outline.tables.push(HeaderRow { span: header, end: table.end });
                }
            }
            Event::End(_) => {}
            _ => {
                if let Some((_, words)) = &mut open {
                    // Events for nested marks come after the outer ones, and end before them.
                    *words = Some(match words.take() {
                        Some(words) => words.start..words.end.max(range.end),
                        None => range,
                    });
                }
            }
        }
    }
    bold_headings::add_headings(text, &mut outline, &bold.found);
    bold_headings::insert(&mut outline.headings, bold_headings::questions(text));
    outline
}

/// Finds the bold words at the beginning of paragraphs and items in Markdown.
#[derive(Default)]
struct BoldWords {
    found: Vec<BoldRun>,
    /// Whether the paragraph has no text yet.
    is_fresh: bool,
    /// Whether the item has no text yet.
    is_item: bool,
    /// Whether a paragraph that began with bold words continues.
    is_open: bool,
}

impl BoldWords {
    fn take(&mut self, event: &Event<'_>, range: &Range<usize>) {
        match event {
            Event::Start(Tag::Item) => (self.is_fresh, self.is_item, self.is_open) = (true, true, false),
            Event::Start(Tag::Paragraph) => (self.is_fresh, self.is_open) = (true, false),
            Event::Start(Tag::Strong) if self.is_fresh => {
                // The marks are two characters on each side.
                let words = span(range.start + 2..range.end.saturating_sub(2).max(range.start + 2));
                self.found.extend(words.map(|words| BoldRun {
                    words,
                    end: words.end,
                    is_item: self.is_item,
                    until: None,
                }));
                (self.is_fresh, self.is_open) = (false, words.is_some());
            }
            Event::Start(
                Tag::Emphasis | Tag::Strong | Tag::Strikethrough | Tag::Link { .. } | Tag::Image { .. },
            )
            | Event::Text(_)
            | Event::Code(_)
            | Event::InlineHtml(_)
            | Event::SoftBreak
            | Event::HardBreak
            | Event::FootnoteReference(_) => {
                self.is_fresh = false;
                let end = u32::try_from(range.end).unwrap_or(u32::MAX);
                if let Some(last) = self.found.last_mut().filter(|_| self.is_open) {
                    last.end = last.end.max(end);
                }
            }
            Event::End(TagEnd::Paragraph | TagEnd::Item) | Event::Start(_) => {
                (self.is_fresh, self.is_item, self.is_open) = (false, false, false);
            }
            _ => {}
        }
    }
}

fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let row = &text[range.clone()];
    range.start..range.start + row.trim_end().len()
}

#[cfg(test)]
mod tests {
    use super::*;

    type Read = fn(&[u8], &Limits) -> Result<Extracted, Failure>;

    fn headings(read: Read, text: &str) -> Vec<(u8, String)> {
        let raw = read(text.as_bytes(), &Limits::default()).unwrap().validated().unwrap();
        assert_eq!(raw.text, text, "the text is the file itself");
        let headings = raw.outline.headings.iter();
        headings.map(|one| (one.level, one.span.of(&raw.text).unwrap().to_owned())).collect()
    }

    fn expected(headings: &[(u8, &str)]) -> Vec<(u8, String)> {
        headings.iter().map(|(level, words)| (*level, (*words).to_owned())).collect()
    }

    #[test]
    fn headings_of_light_markup_are_found() {
        assert_eq!(
            headings(
                rst,
                "=====\nTitle\n=====\n\nPart\n----\r\nText.\n\nNext\n----\n\nSub\n~~~\n\n- a\n\n----\n"
            ),
            expected(&[(1, "Title"), (2, "Part"), (2, "Next"), (3, "Sub")])
        );
        assert_eq!(
            headings(asciidoc, "= Title\n\n== Part\n==== \n=x\n"),
            expected(&[(1, "Title"), (2, "Part")])
        );
        assert_eq!(headings(org, "* One\n** Two\n- *bold*\n"), expected(&[(1, "One"), (2, "Two")]));
        assert_eq!(
            headings(latex, "\\section*{A \\emph{b} c}\nText \\section{no}\n\\subsection[s]{Long}\n"),
            expected(&[(3, "A \\emph{b} c"), (4, "Long")])
        );
    }

    #[test]
    fn headings_and_tables_of_markdown_are_found() {
        let text = "# A *title* #\n\n## **Bold**\n\nText\n\nUnder\n=====\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nEnd\n";
        assert_eq!(headings(markdown, text), expected(&[(1, "A *title*"), (2, "**Bold**"), (1, "Under")]));
        let bold = "# A\n\n**Scope**: it is for all. It binds.\n\nShort.\n\n- **Term**: a year. Or two.\n- Other\n\n**Fees**\n\nNone.\n";
        let outline = markdown_outline(bold);
        let above = |words: &str| {
            let path = outline.walk().path(u32::try_from(bold.find(words).unwrap()).unwrap()).to_vec();
            path.iter().map(|one| one.span.of(bold).unwrap()).collect::<Vec<_>>().join(" > ")
        };
        assert_eq!(
            ["It binds", "Short", "Or two", "Other", "None"].map(above),
            ["A > Scope", "A", "A > Term", "A", "A > Fees"]
        );
        let outline = markdown_outline(text);
        assert_eq!(outline.tables[0].span.of(text), Some("| a | b |"));
        assert!(text[..outline.tables[0].end as usize].ends_with("| 1 | 2 |"));
    }
}
