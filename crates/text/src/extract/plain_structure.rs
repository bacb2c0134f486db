//! The structure of plain text: sections that are underlined, numbered or in capitals, command line options, and tables
//! of contents.

use oriel_core::{ByteSpan, Extracted, Heading};

use super::bold_headings::{self, TERM_LEVEL};
use super::contents::{Line, contents, lines};
use super::options::is_option;
use crate::segment::{is_section_number, list_mark_len};

/// A longer text is a log or data.
const MAX_BYTES: usize = 16 << 20;
/// Maximum characters and words of a heading.
const MAX_HEADING: (usize, usize) = (90, 14);
/// Maximum parts of a section number: `1.2.3.4.5`.
const MAX_DEPTH: usize = 5;
/// Maximum lines of an option's text.
const MAX_OPTION_LINES: usize = 400;
/// Minimum length of a list of links to headings of the same text.
const MIN_LINKS: usize = 3;

/// Adds headings and boilerplate to a plain text.
pub(super) fn with_structure(mut raw: Extracted) -> Extracted {
    if raw.text.len() > MAX_BYTES {
        return raw;
    }
    let lines = lines(&raw.text);
    let boilerplate = contents(&lines, |at| is_apart(&lines, at) && may_be_heading(lines[at].words));
    // An entry of a table of contents is not the heading of the following text.
    let is_text = |line: &Line<'_>| !line.span().overlaps_any(&boilerplate);
    let mut headings = sections(&lines, is_text);
    bold_headings::insert(&mut headings, options(&lines));
    bold_headings::insert(&mut headings, bold_headings::questions(&raw.text));
    (raw.outline.headings, raw.boilerplate) = (headings, boilerplate);
    bold_headings::add_headings(&raw.text, &mut raw.outline, &[]);
    raw
}

/// How a line of plain text is marked as a heading.
#[derive(Clone, Copy, PartialEq, Eq)]
enum HeadingForm {
    Capitals,
    Underlined(char),
    /// By its number, with this many parts.
    Numbered(usize),
}

impl HeadingForm {
    /// The number of levels that headings of this form have.
    fn levels(self) -> usize {
        if matches!(self, Self::Numbered(_)) { MAX_DEPTH } else { 1 }
    }

    fn is_like(self, other: Self) -> bool {
        self == other || matches!((self, other), (Self::Numbered(_), Self::Numbered(_)))
    }
}

/// The headings of sections. Forms that appear first have higher levels.
fn sections(lines: &[Line<'_>], is_text: impl Fn(&Line<'_>) -> bool) -> Vec<Heading> {
    let mut found: Vec<(usize, HeadingForm)> = (0..lines.len())
        .filter(|at| is_text(&lines[*at]))
        .filter_map(|at| Some((at, form(lines, at)?)))
        .collect();
    if !are_sections(&found) {
        found.retain(|(_, form)| *form != HeadingForm::Numbered(1));
    }
    let mut forms: Vec<HeadingForm> = Vec::new();
    for (_, form) in &found {
        if !forms.iter().any(|one| one.is_like(*form)) {
            forms.push(*form);
        }
    }
    let level = |form: HeadingForm| {
        let above = forms.iter().take_while(|one| !one.is_like(form)).map(|one| one.levels());
        let own = if let HeadingForm::Numbered(depth) = form { depth } else { 1 };
        u8::try_from(above.sum::<usize>() + own).unwrap_or(u8::MAX)
    };
    found.iter().map(|(at, form)| Heading::new(lines[*at].span(), level(*form))).collect()
}

/// Whether a line is set apart, as a heading is.
fn is_apart(lines: &[Line<'_>], at: usize) -> bool {
    let below = lines.get(at + 1);
    let ends = |below: &Line<'_>| below.rule().is_some() || below.indent > lines[at].indent;
    lines[at].is_parted.0 && (lines[at].is_parted.1 || below.is_some_and(ends))
}

/// How the line `at` is marked as a heading; `None` if it is not one.
fn form(lines: &[Line<'_>], at: usize) -> Option<HeadingForm> {
    let line = &lines[at];
    let above = at.checked_sub(1).map(|above| &lines[above]);
    let below = lines.get(at + 1);
    let is_apart_above = line.is_parted.0 || above.is_some_and(|above| above.rule().is_some());
    if !is_apart_above || line.rule().is_some() || !may_be_heading(line.words) {
        return None;
    }
    let rule = below.filter(|_| !line.is_parted.1).and_then(Line::rule);
    let is_apart =
        line.is_parted.1 || rule.is_some() || below.is_some_and(|below| below.indent > line.indent);
    // A list item may also continue on an indented line, so a numbered heading needs a blank line or a rule below.
    let depth = number(line.words).filter(|_| line.is_parted.1 || rule.is_some());
    let width = line.words.chars().count();
    // A rule below the header of a table, or between two texts, differs in width from the line above.
    let is_underlined = below.is_some_and(|below| {
        let drawn = below.words.len();
        drawn * 2 >= width && drawn <= 2 * width + 8
    });
    let is_ended = line.words.ends_with(['.', ',', ';', ':', '!']);
    match (depth, rule) {
        (Some(depth), _) if !is_ended => Some(HeadingForm::Numbered(depth)),
        (_, Some(sign)) if is_underlined && !line.words.ends_with(['.', ',', ';']) => {
            Some(HeadingForm::Underlined(sign))
        }
        _ if !is_apart || line.words.ends_with([',', ';', '!']) => None,
        _ if is_capitals(line.words) || is_named(line.words) => Some(HeadingForm::Capitals),
        _ => None,
    }
}

fn may_be_heading(words: &str) -> bool {
    let (characters, count) = MAX_HEADING;
    words.len() <= 4 * characters
        && words.chars().count() <= characters
        && words.split_whitespace().count() <= count
        && words.chars().filter(|c| c.is_alphabetic()).count() > 1
        && !words.contains("   ")
        && !words.contains(['\t', '|'])
}

/// The parts of the number before a heading (`4.`, `4.2`, `A.1.3`), if a title follows it.
fn number(words: &str) -> Option<usize> {
    let (number, title) = words.split_once([' ', '\u{a0}'])?;
    let bare = number.trim_end_matches('.');
    let mut parts = bare.split('.');
    let is_number = |part: &str| (1..=3).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_digit());
    let first = parts.next()?;
    let is_letter = first.len() == 1 && first.bytes().all(|b| b.is_ascii_uppercase());
    let further = parts.clone().count();
    // A number without a point may begin a sentence.
    let is_ended = further > 0 || (number.len() == bare.len() + 1);
    let is_heading = (is_number(first) || (is_letter && further > 0))
        && is_ended
        && further < MAX_DEPTH
        && parts.all(is_number);
    let is_title = !title.contains(". ")
        && title.trim_start().starts_with(|c: char| !c.is_lowercase() && !c.is_ascii_digit());
    (is_heading && is_title).then_some(further + 1)
}

/// Whether a heading names a part: `Chapter 3: Fees`, `Article II`.
fn is_named(words: &str) -> bool {
    let mut parts = words.split_whitespace();
    let named = [parts.next().unwrap_or_default(), parts.next().unwrap_or_default()].join(" ");
    words.starts_with(|c: char| c.is_uppercase() || c == '§')
        && named.contains([' ', '\u{a0}'])
        && is_section_number(named.trim_end_matches([':', '.', '-', '–']))
        && parts.next().is_none_or(|next| !next.starts_with(char::is_lowercase))
}

fn is_capitals(words: &str) -> bool {
    let letters = || words.chars().filter(|c| c.is_alphabetic());
    letters().count() > 3
        && letters().all(char::is_uppercase)
        && letters().count() * 2 > words.chars().filter(|c| !c.is_whitespace()).count()
        && words.split_whitespace().count() <= 10
}

/// Whether lines with a simple number are sections and not list items: there is text between most of them.
fn are_sections(found: &[(usize, HeadingForm)]) -> bool {
    let plain: Vec<usize> =
        found.iter().filter(|(_, form)| *form == HeadingForm::Numbered(1)).map(|(at, _)| *at).collect();
    let adjacent = plain.windows(2).filter(|pair| pair[1] == pair[0] + 1).count();
    plain.len() > 1 && adjacent * 3 <= plain.len()
}

/// The options of command line programs, each above its indented lines.
fn options(lines: &[Line<'_>]) -> Vec<Heading> {
    let option = |at: usize| {
        let line = &lines[at];
        if !line.words.starts_with('-') {
            return None;
        }
        let end = line.words.find("  ").or_else(|| line.words.find('\t')).unwrap_or(line.words.len());
        // Text with wide gaps between words may also have a line that begins with an option.
        let is_word = |word: &&str| word.chars().all(|c| c.is_ascii_lowercase());
        let option = &line.words[..end];
        if !is_option(option) || option.split_whitespace().filter(is_word).count() > 2 {
            return None;
        }
        let below = lines[at + 1..].iter().take(MAX_OPTION_LINES);
        let last = below.take_while(|below| below.indent > line.indent).last();
        let last = last.or_else(|| (end < line.words.len()).then_some(line))?;
        let start = line.start as u32;
        let heading = Heading::new(ByteSpan::new(start, start + end as u32), TERM_LEVEL);
        Some(Heading { end: Some(last.span().end), ..heading })
    };
    (0..lines.len()).filter_map(option).collect()
}

/// Lists of links to headings of the same text in Markdown; ascending, and they do not touch.
pub(super) fn linked_contents(text: &str) -> Vec<ByteSpan> {
    let is_link = |line: &Line<'_>| {
        let item = line.words[list_mark_len(line.words)..].trim();
        let link = item.strip_prefix('[').and_then(|rest| rest.rsplit_once("](#"));
        link.is_some_and(|(_, target)| target.find(')').is_some_and(|end| end + 1 == target.len()))
    };
    let lines = lines(text);
    let runs = lines.chunk_by(|a, b| is_link(a) == is_link(b));
    let lists = runs.filter(|run| run.len() >= MIN_LINKS && is_link(&run[0]));
    lists.map(|run| run[0].span().hull(run[run.len() - 1].span())).collect()
}

#[cfg(test)]
mod tests {
    use oriel_core::Kind;

    use super::*;

    fn read(text: &str) -> Extracted {
        with_structure(Extracted::new(Kind::Text, text.to_owned())).validated().unwrap()
    }

    fn headings(text: &str) -> Vec<(u8, String)> {
        let read = read(text);
        let of = |one: &Heading| (one.level, one.span.of(&read.text).unwrap().to_owned());
        read.outline.headings.iter().map(of).collect()
    }

    fn expected(headings: &[(u8, &str)]) -> Vec<(u8, String)> {
        headings.iter().map(|(level, words)| (*level, (*words).to_owned())).collect()
    }

    #[test]
    fn sections_are_underlined_numbered_or_in_capitals() {
        let text = "House rules\n===========\n\n1. Rent\n\nIt is due on Monday.\n\n1.1 Late rent\n\nIt costs more.\n\n2. Keys\n\nThere are two.\n\n\
            Name  Count\n\nNOTICE\n\nIt is long.\nHERE IT GOES\non.\n\nChapter 3: Fees\n\nNone.";
        let expected = expected(&[
            (1, "House rules"),
            (2, "1. Rent"),
            (3, "1.1 Late rent"),
            (2, "2. Keys"),
            (7, "NOTICE"),
            (7, "Chapter 3: Fees"),
        ]);
        assert_eq!(headings(text), expected);
    }

    #[test]
    fn the_items_of_a_list_are_no_sections() {
        assert!(headings("Do this:\n\n1. Open it\n\n2. Close it\n\n3. Leave\n\nThat is all.").is_empty());
        assert!(headings("In\n1999. The year was good\nand long.\n\n3.5 percent of it.\n\n1. Items go\n   on.\n\n2. So does\n   this.\n").is_empty());
    }

    #[test]
    fn an_option_heads_the_lines_indented_below_it() {
        let text = "OPTIONS\n       -n, --num=N\n              Set it. The default is 12.\n\n              It counts.\n\n       -v     Say more. Then stop.\n\n       See also.";
        assert_eq!(headings(text), expected(&[(1, "OPTIONS"), (200, "-n, --num=N"), (200, "-v")]));
        let read = read(text);
        let end = |at: usize| read.outline.headings[at].end.map(|end| &text[..end as usize]);
        assert!(end(1).unwrap().ends_with("It counts.") && end(2).unwrap().ends_with("Then stop."));
    }

    #[test]
    fn contents_stay_in_the_text_without_sentences() {
        let dots = "Contents\n1. Rent ........ 1\n2. Keys ........ 3\n3. Fees ........ 3\n4. End ........ 9";
        let titles = "1. Rent\n2. Keys\n  2.1 Lost keys\n3. Fees";
        let body = "1. Rent\n\nIt is due.\n\n2. Keys\n\nTwo.\n\n2.1 Lost keys\n\nPay.\n\n3. Fees\n\nNone.";
        for contents in [dots, titles] {
            let text = format!("The rules\n\n{contents}\n\n{body}");
            let read = crate::read(Kind::Text, text.as_bytes(), &super::super::Limits::default()).unwrap();
            let sentences: Vec<_> =
                read.sentences.iter().map(|one| one.span.of(&read.text).unwrap()).collect();
            assert_eq!(read.text, text);
            assert_eq!(
                sentences.iter().filter(|one| **one == "1. Rent" || one.starts_with("1. Rent .")).count(),
                1
            );
            assert!(sentences.contains(&"It is due.") && sentences.contains(&"The rules"), "{sentences:?}");
        }
        assert!(read("Coffee ..... 3\nTea ..... 2\nCake ..... 4\nBread ..... 1").boilerplate.is_empty());
        let linked =
            "- [Rent](#rent)\n- [Keys](#keys)\n  * [Lost](#lost)\n\n# Rent\n\n- [One](#rent) is due.\n";
        assert_eq!(linked_contents(linked).len(), 1);
    }
}
