//! Divides text into sentences: first into blocks (paragraphs, headings, items, rows, code), then each block into
//! sentences.
//!
//! Every span is a trimmed slice of the given text with at least one letter or digit; prose is more than a single short
//! number. Spans ascend and never overlap. This module knows nothing about files, models or the use of sentences,
//! except how much of one the embedder reads ([`limit`]).
//!
//! It runs in linear time: parts that may be slow on odd input (the sentence rules) only get bounded pieces.

mod block;
mod glue;
mod html;
mod languages;
mod limit;
mod lines;
mod mark;
mod markdown;
mod paragraphs;
mod segmenter;
mod split;
mod within;

use oriel_core::{ByteSpan, Kind, PageMap, Sentence};

use block::Block;
use languages::Languages;

pub(crate) use languages::is_frequent;
pub use languages::language;
pub(crate) use mark::{Caption, caption, is_section_number, list_mark_len};
pub(crate) use markdown::options as markdown_options;
pub(crate) use segmenter::Segmenter;

/// Whether a line is a table row, in any text.
pub(crate) fn is_row(line: &str) -> bool {
    line.starts_with('|') || lines::is_row(line, EXTRACTED_CELL_GAP)
}

/// The number of spaces that the PDF extractor writes between the cells of a row.
const EXTRACTED_CELL_GAP: usize = 2;
/// The number of spaces that users type between cells; many type two after a sentence.
const TYPED_CELL_GAP: usize = 3;

/// See [`crate::sentences`].
pub(crate) fn sentences(text: &str, kind: Kind, segmenter: Segmenter, pages: &PageMap) -> Vec<Sentence> {
    let languages = Languages::of(text);
    let mut sentences: Vec<Sentence> = Vec::new();
    let mut spans = Vec::new();
    let mut take = |block: &Block| {
        spans.clear();
        split::spans(text, block, &languages, &mut spans);
        for span in &spans {
            let (Ok(start), Ok(end)) = (u32::try_from(span.start), u32::try_from(span.end)) else { continue };
            sentences.push(Sentence { span: ByteSpan::new(start, end), page: pages.page_at(start) });
        }
    };
    match segmenter {
        Segmenter::Markdown => markdown::blocks(text, &mut take),
        // Rows in these texts have tabs.
        Segmenter::Lines => lines::blocks(text, usize::MAX, &mut take),
        Segmenter::Paragraphs if kind == Kind::Pdf => paragraphs::blocks(text, EXTRACTED_CELL_GAP, &mut take),
        Segmenter::Paragraphs => paragraphs::blocks(text, TYPED_CELL_GAP, &mut take),
        Segmenter::Names => {}
    }
    sentences
}

#[cfg(test)]
mod tests;
