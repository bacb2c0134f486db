//! Line numbers of depositions and pleadings: a column of 1, 2, 3 … left of the text, down each page.

use super::glyphs::PageGlyphs;
use super::layout::{Glyph, Segment};

/// Minimum number of line numbers on a page …
const MIN_NUMBERS: usize = 10;
/// … which are at equal distances, within this share of the distance.
const MAX_UNEVEN: f32 = 0.25;
/// The numbers of a column are aligned at the left or right, within this many ems.
const ALIGNED: f32 = 0.4;
/// At least one in this many numbers has a row of text beside it.
const MIN_BESIDE: usize = 2;

/// The segments without their line numbers, if the page has a column of these.
pub(super) fn without_numbers(page: &PageGlyphs, segments: &[Segment]) -> Option<Vec<Segment>> {
    let mut numbers: Vec<Number> =
        segments.iter().enumerate().filter_map(|(at, one)| Number::of(page, at, one)).collect();
    numbers.sort_by(|a, b| a.v.total_cmp(&b.v));
    let column = column(&numbers)?;
    let left = column.iter().map(|number| number.u1).fold(f32::NEG_INFINITY, f32::max);
    // Above the first row of a table is the header of its numbers.
    let (first, step) = (column.first()?, column.get(1)?.v - column.first()?.v);
    let is_heading = |one: &Segment| {
        let is_above = one.v < first.v && first.v - one.v < 2.5 * step;
        one.angle == 0 && one.u0 < left && one.u1 < left + 3.0 * first.size && is_above
    };
    if segments.iter().any(is_heading) {
        return None;
    }
    let is_in_column = |at: usize| column.iter().find(|number| number.segment == at);
    // Nothing is to the left of line numbers, and text is to the right of most.
    let is_leftmost = segments
        .iter()
        .enumerate()
        .all(|(at, one)| one.angle != 0 || one.u1 > left || is_in_column(at).is_some());
    let beside = column.iter().filter(|number| {
        let bare = number.glyphs == segments[number.segment].glyphs.len();
        !bare
            || segments.iter().enumerate().any(|(at, one)| {
                at != number.segment && one.u0 > number.u1 && (one.v - number.v).abs() < 0.5 * one.size
            })
    });
    if !is_leftmost || beside.count() * MIN_BESIDE < column.len() {
        return None;
    }
    let rest = segments.iter().enumerate().filter_map(|(at, one)| match is_in_column(at) {
        None => Some(one.clone()),
        Some(number) => without_first(one, number.glyphs),
    });
    Some(rest.collect())
}

/// A number at the start of a segment.
struct Number {
    segment: usize,
    value: usize,
    /// Its number of glyphs.
    glyphs: usize,
    u0: f32,
    u1: f32,
    v: f32,
    size: f32,
}

impl Number {
    fn of(page: &PageGlyphs, at: usize, segment: &Segment) -> Option<Self> {
        let is_digit = |glyph: &&Glyph| {
            page.characters(glyph).chars().all(|c| c.is_ascii_digit()) && !page.characters(glyph).is_empty()
        };
        let glyphs = segment.glyphs.iter().take(4).take_while(is_digit).count();
        let last = segment.glyphs.get(glyphs.checked_sub(1)?)?;
        let ends =
            segment.glyphs.get(glyphs).is_none_or(|next| next.space || next.u0 - last.u1 > 0.4 * last.size);
        if segment.angle != 0 || glyphs > 2 || !ends {
            return None;
        }
        let text: String = segment.glyphs[..glyphs].iter().map(|glyph| page.characters(glyph)).collect();
        let first = &segment.glyphs[0];
        Some(Self {
            segment: at,
            value: text.parse().ok()?,
            glyphs,
            u0: first.u0,
            u1: last.u1,
            v: first.v,
            size: first.size,
        })
    }
}

/// The numbers 1, 2, 3 … one below the other.
fn column(numbers: &[Number]) -> Option<Vec<&Number>> {
    let firsts = numbers.iter().filter(|number| number.value == 1);
    firsts.take(4).map(|first| run(first, numbers)).find(|run| run.len() >= MIN_NUMBERS && is_even(run))
}

fn run<'a>(first: &'a Number, numbers: &'a [Number]) -> Vec<&'a Number> {
    let mut run = vec![first];
    for number in numbers.iter().filter(|number| number.v > first.v) {
        let aligned = (number.u0 - first.u0).abs() < ALIGNED * first.size
            || (number.u1 - run[run.len() - 1].u1).abs() < ALIGNED * first.size;
        if number.value == run.len() + 1 && aligned {
            run.push(number);
        }
    }
    run
}

fn is_even(run: &[&Number]) -> bool {
    let mut steps: Vec<f32> = run.windows(2).map(|pair| pair[1].v - pair[0].v).collect();
    steps.sort_unstable_by(f32::total_cmp);
    let median = steps[steps.len() / 2];
    steps.iter().filter(|step| (**step - median).abs() <= MAX_UNEVEN * median).count() * 10 >= steps.len() * 9
}

/// A segment without its first glyphs; `None` if nothing is left.
fn without_first(segment: &Segment, count: usize) -> Option<Segment> {
    let rest = segment.glyphs[count..].iter().skip_while(|glyph| glyph.space);
    let glyphs: Vec<Glyph> = rest.copied().collect();
    let u0 = glyphs.iter().map(|glyph| glyph.u0).fold(f32::INFINITY, f32::min);
    (!glyphs.is_empty()).then(|| Segment { glyphs, u0, ..segment.clone() })
}

#[cfg(test)]
mod tests {
    use super::super::extract;
    use super::super::tests::{Placed, document, saved};
    use crate::Limits;

    /// Pages of lines whose numbers begin with `first`.
    fn text(pages: usize, first: usize) -> String {
        let numbers: Vec<String> = (first..first + 12).map(|number| number.to_string()).collect();
        let page: Vec<Placed<'_>> = numbers
            .iter()
            .zip((100..).step_by(24))
            .flat_map(|(number, down)| {
                [(50, 700 - down, number.as_str()), (80, 700 - down, "and the driver")]
            })
            .collect();
        extract(&saved(document(&vec![page; pages])), &Limits::default()).unwrap().text
    }

    #[test]
    fn numbers_beside_the_lines_of_several_pages_are_dropped() {
        let read = text(3, 1);
        assert!(!read.contains(|c: char| c.is_ascii_digit()), "{read}");
        assert_eq!(read.matches("and the driver").count(), 36);
    }

    #[test]
    fn a_list_and_a_table_keep_their_numbers() {
        for read in [text(1, 1), text(3, 5)] {
            assert!(read.contains("12"), "{read}");
        }
    }
}
