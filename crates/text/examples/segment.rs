//! Measures the segmenter on sentences with known spans, or prints what it makes of a file.
//!
//! `segment FILE.jsonl` reads lines `{"id", "lang"?, "source"?, "text", "spans"}` with spans in code points and prints
//! the boundary F1 and the share of texts cut exactly right, by source and language; `-v` also prints every text that
//! was cut otherwise. `segment FILE` of any other kind prints one sentence a line.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use oriel_core::{Kind, PageMap};

#[derive(serde::Deserialize)]
struct Case {
    id: String,
    #[serde(default)]
    lang: String,
    #[serde(default)]
    source: String,
    text: String,
    spans: Vec<(usize, usize)>,
}

#[derive(Default)]
struct Tally {
    found: usize,
    wanted: usize,
    right: usize,
    exact: usize,
    cases: usize,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let verbose = arguments.iter().any(|argument| argument == "-v");
    for file in arguments.iter().filter(|argument| *argument != "-v") {
        let path = Path::new(file);
        let text = std::fs::read_to_string(path)?;
        if path.extension().is_some_and(|extension| extension == "jsonl") {
            measure(&text, verbose)?;
        } else {
            print(&text, Kind::of_path(path).unwrap_or(Kind::Text));
        }
    }
    Ok(())
}

#[expect(clippy::print_stdout, reason = "the report is what the program is for")]
fn print(text: &str, kind: Kind) {
    for sentence in oriel_text::sentences(text, kind, &PageMap::default()) {
        let slice = sentence.span.of(text).unwrap_or_default();
        println!("{:>7} {}", sentence.span.start, oriel_text::plain(slice, kind));
    }
}

/// Spans in bytes as spans in code points.
fn in_characters(text: &str, kind: Kind) -> BTreeSet<(usize, usize)> {
    let mut at = 0;
    let mut characters = 0;
    let mut count = |byte: usize| {
        characters += text[at..byte].chars().count();
        at = byte;
        characters
    };
    let found = oriel_text::sentences(text, kind, &PageMap::default());
    found.iter().map(|s| (count(s.span.range().start), count(s.span.range().end))).collect()
}

#[expect(clippy::print_stdout, reason = "the report is what the program is for")]
fn measure(lines: &str, verbose: bool) -> Result<(), Box<dyn std::error::Error>> {
    let mut tallies: BTreeMap<String, Tally> = BTreeMap::new();
    for line in lines.lines() {
        let case: Case = serde_json::from_str(line)?;
        let found = in_characters(&case.text, Kind::Text);
        let characters: Vec<char> = case.text.chars().collect();
        let readable =
            |&(start, end): &(usize, usize)| characters[start..end].iter().any(|c| c.is_alphanumeric());
        let wanted: BTreeSet<(usize, usize)> = case.spans.iter().copied().filter(readable).collect();
        // The first border of a text is no decision.
        let ends =
            |spans: &BTreeSet<(usize, usize)>| spans.iter().map(|span| span.1).collect::<BTreeSet<_>>();
        let right = ends(&found).intersection(&ends(&wanted)).count();
        let source = case.source.split(':').next().unwrap_or_default();
        for name in [format!("{source} {}", case.lang), format!("all {}", case.lang), "all".to_owned()] {
            let tally = tallies.entry(name).or_default();
            tally.cases += 1;
            tally.exact += usize::from(found == wanted);
            tally.found += found.len();
            tally.wanted += wanted.len();
            tally.right += right;
        }
        if verbose && found != wanted {
            println!("{} {} {:?}", case.id, case.lang, &case.text[..case.text.floor_char_boundary(60)]);
            let slice = |&(start, end): &(usize, usize)| characters[start..end].iter().collect::<String>();
            found.difference(&wanted).for_each(|span| println!("  + {:?}", slice(span)));
            wanted.difference(&found).for_each(|span| println!("  - {:?}", slice(span)));
        }
    }
    for (name, tally) in &tallies {
        #[expect(clippy::cast_precision_loss, reason = "counts are small")]
        let share = |part: usize, whole: usize| part as f64 / whole.max(1) as f64;
        println!(
            "{name:60} F1 {:.3}  exact {:4} of {:4} ({:.3})",
            share(2 * tally.right, tally.found + tally.wanted),
            tally.exact,
            tally.cases,
            share(tally.exact, tally.cases)
        );
    }
    Ok(())
}
