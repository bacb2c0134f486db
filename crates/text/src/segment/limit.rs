//! The length of a sentence in the embedder's tokens, and where to cut one that is too long.

use std::ops::Range;

/// Maximum length of a sentence in quarters of a token, with a margin below the embedder's 256 tokens.
const MAX_QUARTER_TOKENS: usize = 220 * 4;

/// Estimated cost of a character in quarters of a token, for an English word-piece vocabulary: words have about four
/// letters per token, marks and characters of other scripts mostly one.
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
    text.len() <= MAX_QUARTER_TOKENS / 4 || length(text) <= MAX_QUARTER_TOKENS
}

/// How good a cut after `c` is; 0 means no cut.
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

/// Calls `piece` with consecutive parts of `text[range]`, each within the limit, cut at the best positions.
pub(super) fn pieces(text: &str, range: Range<usize>, mut piece: impl FnMut(Range<usize>)) {
    let slice = &text[range.clone()];
    if fits(slice) {
        piece(range);
        return;
    }
    let mut rest = length(slice);
    let mut start = range.start;
    while rest > MAX_QUARTER_TOKENS {
        // Avoids a very short last part.
        let most = MAX_QUARTER_TOKENS.min(rest * 7 / 10);
        let (end, cost) = cut(text, start..range.end, most);
        piece(start..end);
        start = end;
        rest -= cost;
    }
    if start < range.end {
        piece(start..range.end);
    }
}

/// Where to cut `text[range]` so that the first part costs at most `most`, and its cost.
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
        // Does not cut at a mark inside a number or a name (3,000 or a:b).
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
