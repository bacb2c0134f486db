//! Finds and removes running headers, footers and page numbers.
//!
//! A row is furniture if the same text, except for digits, is at the same height on three or more pages. Only rows at
//! the edge of the page are checked, from the edge inwards to the first that does not repeat, so that a table heading
//! in the middle of many pages stays.

use std::collections::HashMap;

use super::blocks::blocks;
use super::glyphs::PageGlyphs;
use super::layout::{Block, Row};
use super::lines::segments;
use super::{fields, line_numbers, notes};

/// Number of rows checked at each edge of a page.
const EDGE_ROWS: usize = 5;
/// Furniture is within this share of the page's height at either edge.
const EDGE_SHARE: f32 = 0.16;
/// On fewer pages a repetition may be chance.
const MIN_PAGES: usize = 3;
/// On fewer pages, numbers beside lines may be a list.
const MIN_NUMBERED: usize = 2;
/// The height recorded for a single page number at the end of a text, regardless of its position.
const ANYWHERE: i32 = i32::MAX;

/// The blocks of one page, and its height in points.
pub(super) struct PageBlocks {
    pub(super) blocks: Vec<Block>,
    pub(super) height: f32,
    /// The blocks without line numbers, if the page has these.
    pub(super) unnumbered: Option<Vec<Block>>,
}

impl PageBlocks {
    pub(super) fn of(page: &mut PageGlyphs) -> Self {
        let mut segments = segments(page);
        let notes = notes::of_page(page, &mut segments);
        fields::add_values(page, &mut segments);
        let unnumbered = line_numbers::without_numbers(page, &segments).map(|segments| {
            let mut blocks = blocks(page, segments);
            notes::insert(&mut blocks, notes.clone(), page);
            blocks
        });
        let mut blocks = blocks(page, segments);
        notes::insert(&mut blocks, notes, page);
        Self { blocks, height: page.dimensions.1, unnumbered }
    }

    /// A page with recognised words.
    pub(super) fn recognised(blocks: Vec<Block>, height: f32) -> Self {
        Self { blocks, height, unnumbered: None }
    }

    /// Adds the annotations to a recognised page; `glyphs` are those of the file.
    pub(super) fn with_annotations(mut self, page: &mut PageGlyphs) -> Self {
        let mut placed = notes::of_page(page, &mut []);
        placed.extend(fields::of_recognised_page(page));
        notes::insert(&mut self.blocks, placed, page);
        self
    }
}

/// Drops line numbers if several pages have them.
pub(super) fn drop_line_numbers(pages: &mut [PageBlocks]) {
    let numbered = pages.iter().filter(|page| page.unnumbered.is_some()).count();
    let drops = numbered >= MIN_NUMBERED && numbered * 3 >= pages.len();
    for page in pages {
        if let Some(unnumbered) = page.unnumbered.take().filter(|_| drops) {
            page.blocks = unnumbered;
        }
    }
}

/// A row's text without digits, and its height on the page in steps of four points.
type Key = (String, i32);

/// Drops running headers, footers and page numbers from all pages.
pub(super) fn drop_furniture(pages: &mut [PageBlocks]) {
    if pages.len() < MIN_PAGES {
        return;
    }
    let edges: Vec<_> = pages.iter().map(edges).collect();
    let mut seen: HashMap<Key, (usize, usize)> = HashMap::new();
    for (page, [top, bottom]) in edges.iter().enumerate() {
        for edge_row in top.iter().chain(bottom) {
            let steps = edge_row
                .height
                .checked_sub(1)
                .into_iter()
                .chain([edge_row.height])
                .chain(edge_row.height.checked_add(1));
            for height in steps {
                let count = seen.entry((edge_row.text.clone(), height)).or_insert((0, usize::MAX));
                // Two equal rows side by side on one page count once.
                if count.1 != page {
                    *count = (count.0 + 1, page);
                }
            }
        }
    }
    let repeats = |edge_row: &EdgeRow| {
        // A single number in the middle of a page may be content, unless many pages end with one.
        let least = if edge_row.height == ANYWHERE { MIN_PAGES.max(edges.len() / 8) } else { MIN_PAGES };
        seen.get(&(edge_row.text.clone(), edge_row.height)).is_some_and(|&(count, _)| count >= least)
    };
    for (page, sides) in pages.iter_mut().zip(&edges) {
        let mut dropped: Vec<(usize, usize)> = Vec::new();
        for side in sides {
            dropped.extend(
                side.iter()
                    .take_while(|edge_row| repeats(edge_row))
                    .map(|edge_row| (edge_row.block, edge_row.row)),
            );
        }
        for (at, block) in page.blocks.iter_mut().enumerate() {
            let mut row = 0;
            block.rows.retain(|_| {
                row += 1;
                !dropped.contains(&(at, row - 1))
            });
        }
        page.blocks.retain(|block| !block.rows.is_empty());
    }
}

/// The candidates at the top and bottom of a page, each as the indices of its block and row.
pub(super) fn candidates(page: &PageBlocks) -> [Vec<(usize, usize)>; 2] {
    edges(page).map(|side| side.iter().map(|edge_row| (edge_row.block, edge_row.row)).collect())
}

struct EdgeRow {
    text: String,
    height: i32,
    block: usize,
    row: usize,
}

/// The outermost rows of a page, from the edges inwards: top and bottom.
fn edges(page: &PageBlocks) -> [Vec<EdgeRow>; 2] {
    let edge = EDGE_SHARE * page.height;
    let rows = || {
        let upright = page.blocks.iter().enumerate().filter(|(_, block)| block.angle == 0);
        upright
            .flat_map(|(at, block)| block.rows.iter().enumerate().map(move |(row, found)| (at, row, found)))
    };
    let edge_row = |(block, row, found): (usize, usize, &Row), height: Option<f32>| {
        let height = height.map_or(ANYWHERE, |height| (height / 4.0).round() as i32);
        EdgeRow { text: pattern(&found.text), height, block, row }
    };
    // A page number can also be alone below a text that ends early.
    let inwards = |sorted: Vec<(usize, usize, &Row)>, in_zone: &dyn Fn(f32) -> bool| -> Vec<EdgeRow> {
        let zone = sorted.iter().take_while(|(.., row)| in_zone(row.v)).take(EDGE_ROWS);
        let mut rows: Vec<EdgeRow> = zone.map(|&found| edge_row(found, Some(found.2.v))).collect();
        if rows.is_empty() {
            let alone = sorted.first().filter(|(.., row)| pattern(&row.text) == "#");
            rows.extend(alone.map(|&found| edge_row(found, None)));
        }
        rows
    };
    let mut sorted: Vec<_> = rows().collect();
    sorted.sort_by(|a, b| a.2.v.total_cmp(&b.2.v));
    let top = inwards(sorted.clone(), &|v| v < edge);
    sorted.reverse();
    let bottom = inwards(sorted, &|v| v > page.height - edge);
    [top, bottom]
}

/// The text with `#` for every number, including Roman page numbers.
fn pattern(text: &str) -> String {
    let trimmed = text.trim();
    if !trimmed.is_empty() && trimmed.len() < 8 && trimmed.chars().all(|c| "ivxlcIVXLC".contains(c)) {
        return "#".to_owned();
    }
    let mut pattern = String::with_capacity(text.len());
    for c in trimmed.chars() {
        if !c.is_numeric() {
            pattern.push(c);
        } else if !pattern.ends_with('#') {
            pattern.push('#');
        }
    }
    pattern
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_do_not_matter() {
        assert_eq!(pattern("Page 12 of 340"), "Page # of #");
        assert_eq!(pattern("xiv"), "#");
        assert_eq!(pattern(" 7 "), "#");
        assert_eq!(pattern("civil law"), "civil law");
    }
}
