//! Measures the segmenter on sentences with known spans, or prints the sentences of a file.
//!
//! `segment FILE.jsonl` reads lines `{"id", "lang"?, "source"?, "text", "sentences"}` and prints, by source and language,
//! the F1 of whole sentences (white space aside) and the share of texts cut exactly right; `-v` also prints every text
//! that was cut otherwise. `segment FILE` of any other kind prints one sentence per line.

use std::collections::BTreeMap;
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
    sentences: Vec<String>,
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

/// The visible text of a sentence, with every run of white space as one space.
fn readable(sentence: &str) -> Option<String> {
    sentence
        .contains(char::is_alphanumeric)
        .then(|| sentence.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// How many sentences of `wanted` are in `found`, each counted once.
fn matches(found: &[String], wanted: &[String]) -> usize {
    let mut left: BTreeMap<&str, usize> = BTreeMap::new();
    wanted.iter().for_each(|sentence| *left.entry(sentence).or_default() += 1);
    let taken = found.iter().filter(|sentence| match left.get_mut(sentence.as_str()) {
        Some(n) if *n > 0 => {
            *n -= 1;
            true
        }
        _ => false,
    });
    taken.count()
}

#[expect(clippy::print_stdout, reason = "the report is what the program is for")]
fn measure(lines: &str, verbose: bool) -> Result<(), Box<dyn std::error::Error>> {
    let mut tallies: BTreeMap<String, Tally> = BTreeMap::new();
    for line in lines.lines() {
        let case: Case = serde_json::from_str(line)?;
        let spans = oriel_text::sentences(&case.text, Kind::Text, &PageMap::default());
        let found: Vec<String> = spans.iter().filter_map(|s| readable(s.span.of(&case.text)?)).collect();
        let wanted: Vec<String> = case.sentences.iter().filter_map(|sentence| readable(sentence)).collect();
        let right = matches(&found, &wanted);
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
            found.iter().filter(|sentence| !wanted.contains(sentence)).for_each(|s| println!("  + {s:?}"));
            wanted.iter().filter(|sentence| !found.contains(sentence)).for_each(|s| println!("  - {s:?}"));
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
