//! The length of a sentence as the embedder counts it, and where an over-long one may be cut.

use std::ops::Range;

/// What the embedder reads of a sentence with room to spare (256 tokens), in quarters of a token.
const LIMIT: usize = 220 * 4;

/// Roughly how many quarters of a token a character costs in an English word-piece vocabulary: words are some four
/// letters to a token, marks and characters of other scripts mostly one each.
fn quarters(c: char) -> usize {
    match c {
        'a'..='z' | 'A'..='Z' => 1,
        '0'..='9' => 2,
        c if c.is_whitespace() => 1,
        c if c.is_ascii() => 3,
        '\u{80}'..='\u{24f}' => 2,
        _ => 4,
    }
}

/// The estimated length of `text` in quarters of a token.
fn length(text: &str) -> usize {
    text.chars().map(quarters).sum()
}

/// Whether the embedder reads all of `text`.
pub(super) fn fits(text: &str) -> bool {
    text.len() <= LIMIT / 4 || length(text) <= LIMIT
}

/// How good a place after `c` is for a cut; 0 is none.
fn rank(c: char) -> u8 {
    match c {
        '.' | '!' | '?' | '。' | '！' | '？' => 5,
        ';' | '；' => 4,
        ':' | '：' => 3,
        ',' | '，' | '、' | '،' | '|' | '\t' | '\n' => 2,
        c if c.is_whitespace() => 1,
        _ => 0,
    }
}

/// Calls `piece` with consecutive parts of `text[range]`, each within the limit, cut at the best places there are.
pub(super) fn pieces(text: &str, range: Range<usize>, mut piece: impl FnMut(Range<usize>)) {
    let slice = &text[range.clone()];
    if fits(slice) {
        piece(range);
        return;
    }
    let mut rest = length(slice);
    let mut start = range.start;
    while rest > LIMIT {
        // The last part is not left a stump.
        let most = LIMIT.min(rest * 7 / 10);
        let (end, cost) = cut(text, start..range.end, most);
        piece(start..end);
        start = end;
        rest -= cost;
    }
    if start < range.end {
        piece(start..range.end);
    }
}

/// Where to cut `text[range]` so that the first part costs `most` at most, and what it costs.
fn cut(text: &str, range: Range<usize>, most: usize) -> (usize, usize) {
    let mut cost = 0;
    let mut best = (0, range.start, 0);
    let mut edge = (range.start, 0);
    let mut chars = text[range.clone()].char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let next = cost + quarters(c);
        if next > most && edge.0 > range.start {
            break;
        }
        cost = next;
        let end = range.start + at + c.len_utf8();
        edge = (end, cost);
        // A mark inside a number or a name (3,000 or a:b) is no place to cut.
        let open =
            c.is_whitespace() || !c.is_ascii() || chars.peek().is_none_or(|(_, next)| next.is_whitespace());
        let rank = if open { rank(c) } else { 0 };
        if cost * 5 >= most * 2 && rank > 0 && rank >= best.0 {
            best = (rank, end, cost);
        }
    }
    if best.0 > 0 { (best.1, best.2) } else { edge }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(text: &str) -> Vec<&str> {
        let mut parts = Vec::new();
        pieces(text, 0..text.len(), |range| parts.push(&text[range]));
        parts
    }

    #[test]
    fn what_fits_stays_whole() {
        assert_eq!(parts("One short sentence."), ["One short sentence."]);
    }

    #[test]
    fn a_long_sentence_is_cut_at_semicolons_before_commas() {
        let clause = "the committee heard, at some length, what the members of the board had to say about it";
        let text = vec![clause; 20].join("; ");
        let parts = parts(&text);
        assert!(parts.len() >= 2);
        for part in &parts[..parts.len() - 1] {
            assert!(part.ends_with(';'), "{part}");
        }
        assert_eq!(parts.concat(), text);
    }

    #[test]
    fn without_any_place_to_cut_every_part_still_fits() {
        for text in ["a".repeat(5000), "語".repeat(3000), "🦀".repeat(999), ".".repeat(4000)] {
            let parts = parts(&text);
            assert!(parts.iter().all(|part| fits(part)));
            assert_eq!(parts.concat(), text);
        }
    }
}
