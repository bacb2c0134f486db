//! Blocks of Markdown without their markup: headings, paragraphs, items, rows, code, front matter.

use std::ops::Range;

use pulldown_cmark::{Event, LinkType, Options, Parser, Tag, TagEnd};

use super::block::{Block, Shape};
use super::html;

/// Maximum bytes of code that is one sentence.
const MAX_CODE_BYTES: usize = 400;

/// The dialect of GitHub and Obsidian.
pub(crate) fn options() -> Options {
    Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_YAML_STYLE_METADATA_BLOCKS
        | Options::ENABLE_PLUSES_DELIMITED_METADATA_BLOCKS
        | Options::ENABLE_GFM
        | Options::ENABLE_WIKILINKS
}

/// Calls `take` with each block of `text`.
pub(super) fn blocks(text: &str, take: &mut dyn FnMut(&Block)) {
    let mut reader = Reader {
        text,
        take,
        block: Block::new(Shape::Prose),
        html: html::Reader::default(),
        verbatim: None,
        broken: None,
        skipped: 0,
    };
    for (event, range) in Parser::new_ext(text, options()).into_offset_iter() {
        reader.event(&event, range);
    }
    reader.flush(Shape::Prose);
}

/// Text that is read line by line: code, or front matter.
struct Verbatim {
    lines: Option<Range<usize>>,
    metadata: bool,
}

struct Reader<'a> {
    text: &'a str,
    take: &'a mut dyn FnMut(&Block),
    block: Block,
    html: html::Reader,
    verbatim: Option<Verbatim>,
    /// A hard line break before the next text.
    broken: Option<Range<usize>>,
    /// The nesting depth inside an element without words, such as an embedded image.
    skipped: usize,
}

impl Reader<'_> {
    fn event(&mut self, event: &Event<'_>, range: Range<usize>) {
        match event {
            Event::Start(tag) => self.start(tag, range),
            Event::End(tag) => self.end(*tag, range),
            Event::Text(_) if self.verbatim.is_some() => self.verbatim(range),
            Event::Text(visible) => self.push(visible, range),
            Event::Code(code) | Event::InlineMath(code) | Event::DisplayMath(code) => {
                // The rules must not see a sentence end inside code.
                let masked: String =
                    code.chars().map(|c| if c.is_alphanumeric() { c } else { '_' }).collect();
                self.push(&masked, range);
            }
            Event::Html(_) => self.html.feed(self.text, range, &mut self.block, self.take),
            Event::InlineHtml(tag) if tag.len() >= 3 && tag.as_bytes()[..3].eq_ignore_ascii_case(b"<br") => {
                self.broken = Some(range);
            }
            Event::InlineHtml(tag) if tag.starts_with("</") => self.block.close(&range),
            Event::InlineHtml(_) => {}
            Event::FootnoteReference(_) => self.block.close(&range),
            Event::SoftBreak => self.block.space(range),
            Event::HardBreak => self.broken = Some(range),
            Event::Rule => self.flush(Shape::Prose),
            // Whether a task is done is part of its sentence.
            Event::TaskListMarker(_) => self.block.open(range.start),
        }
    }

    fn start(&mut self, tag: &Tag<'_>, range: Range<usize>) {
        match tag {
            Tag::Image { link_type: LinkType::WikiLink { .. }, .. } => self.skipped += 1,
            Tag::Emphasis
            | Tag::Strong
            | Tag::Strikethrough
            | Tag::Superscript
            | Tag::Subscript
            | Tag::Link { .. }
            | Tag::Image { .. } => {
                if self.skipped > 0 {
                    self.skipped += 1;
                } else {
                    self.resolve_break(None);
                    self.block.open(range.start);
                }
            }
            Tag::TableCell => {
                if !self.block.is_empty() {
                    self.block.space(range.start..range.start);
                }
            }
            Tag::Heading { .. } | Tag::TableHead | Tag::TableRow | Tag::DefinitionListTitle => {
                self.flush(Shape::Whole);
            }
            Tag::CodeBlock(_) | Tag::MetadataBlock(_) => {
                self.flush(Shape::Prose);
                let metadata = matches!(tag, Tag::MetadataBlock(_));
                self.verbatim = Some(Verbatim { lines: None, metadata });
            }
            Tag::Paragraph
            | Tag::BlockQuote(_)
            | Tag::HtmlBlock
            | Tag::List(_)
            | Tag::Item
            | Tag::FootnoteDefinition(_)
            | Tag::DefinitionList
            | Tag::DefinitionListDefinition
            | Tag::Table(_) => self.flush(Shape::Prose),
        }
    }

    fn end(&mut self, tag: TagEnd, range: Range<usize>) {
        match tag {
            TagEnd::Emphasis
            | TagEnd::Strong
            | TagEnd::Strikethrough
            | TagEnd::Superscript
            | TagEnd::Subscript
            | TagEnd::Link
            | TagEnd::Image => {
                if self.skipped > 0 {
                    self.skipped -= 1;
                } else {
                    self.block.close(&range);
                }
            }
            TagEnd::TableCell => {}
            TagEnd::CodeBlock | TagEnd::MetadataBlock(_) => {
                self.flush_lines();
                self.verbatim = None;
            }
            TagEnd::HtmlBlock => {
                self.flush(Shape::Prose);
                self.html.reset();
            }
            _ => self.flush(Shape::Prose),
        }
    }

    fn push(&mut self, visible: &str, range: Range<usize>) {
        if self.skipped > 0 {
            return;
        }
        self.resolve_break(visible.chars().next());
        self.block.push(visible, range);
    }

    /// A hard break continues the block if the next line begins in lower case, and ends it otherwise.
    fn resolve_break(&mut self, next: Option<char>) {
        let Some(range) = self.broken.take() else { return };
        if next.is_some_and(char::is_lowercase) || self.block.shape == Shape::Whole {
            self.block.space(range);
        } else {
            self.flush(self.block.shape);
        }
    }

    /// Passes the block to `take` and begins the next one.
    fn flush(&mut self, next: Shape) {
        (self.take)(&self.block);
        self.block.clear(next);
        self.broken = None;
    }

    /// Groups lines of code up to a blank line or [`MAX_CODE_BYTES`] bytes; in front matter, short lines.
    fn verbatim(&mut self, range: Range<usize>) {
        let mut at = range.start;
        for line in self.text[range].split_inclusive('\n') {
            let Some(verbatim) = &mut self.verbatim else { return };
            let this = at..at + line.len();
            at = this.end;
            let blank = line.trim().is_empty();
            let long = verbatim.metadata && line.split_whitespace().count() > 4;
            let full = verbatim.lines.as_ref().is_some_and(|lines| this.end - lines.start > MAX_CODE_BYTES);
            if blank || long || full {
                self.flush_lines();
            }
            let Some(verbatim) = &mut self.verbatim else { return };
            if !blank {
                let start = verbatim.lines.as_ref().map_or(this.start, |lines| lines.start);
                verbatim.lines = Some(start..this.end);
            }
            if long {
                self.flush_lines();
            }
        }
    }

    fn flush_lines(&mut self) {
        let Some(lines) = self.verbatim.as_mut().and_then(|verbatim| verbatim.lines.take()) else { return };
        self.block.clear(Shape::Whole);
        self.block.push(&self.text[lines.clone()], lines);
        self.flush(Shape::Prose);
    }
}
