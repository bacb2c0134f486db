//! Measures the segmenter on sentences with known spans, or prints the sentences of files.
//!
//! `segment FILE.jsonl` reads lines `{"id", "lang"?, "source"?, "text", "sentences"}` and prints, by source and
//! language, the F1 of whole sentences (ignoring white space) and the share of texts that are split exactly right, then
//! the mean F1 of the languages and the speed. `-v` also prints every text that is split differently; `--rules`
//! measures sentencex alone, with the language of each line. `segment FILE…` with other kinds of files prints one
//! sentence per line; `--shares` prints how many sentences begin with a number in brackets or a list number, how many
//! contain no word, and the speed without the extraction.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

use oriel_core::{Extracted, Kind, PageMap};
use oriel_text::Limits;

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

impl Tally {
    fn f1(&self) -> f64 {
        share(2 * self.right, self.found + self.wanted)
    }
}

#[derive(Default)]
struct Shares {
    sentences: usize,
    marked: usize,
    wordless: usize,
    bytes: usize,
    took: Duration,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (options, files): (Vec<_>, Vec<_>) = std::env::args().skip(1).partition(|word| word.starts_with('-'));
    let chosen = |name: &str| options.iter().any(|option| option == name);
    let mut shares = Shares::default();
    for file in &files {
        let path = Path::new(file);
        if path.extension().is_some_and(|extension| extension == "jsonl") {
            measure(&std::fs::read_to_string(path)?, chosen("-v"), chosen("--rules"))?;
        } else {
            print(path, chosen("--shares").then_some(&mut shares))?;
        }
    }
    if shares.sentences > 0 {
        report(&shares);
    }
    Ok(())
}

#[expect(clippy::print_stdout, reason = "the report is what the program is for")]
fn print(path: &Path, shares: Option<&mut Shares>) -> Result<(), Box<dyn std::error::Error>> {
    let kind = Kind::of_path(path).unwrap_or(Kind::Text);
    let raw = oriel_text::extract(kind, &std::fs::read(path)?, &Limits::default());
    let Extracted { text, pages, .. } = raw.map_err(|failure| failure.reason.to_string())?;
    let start = Instant::now();
    let sentences = oriel_text::sentences(&text, kind, &pages);
    let took = start.elapsed();
    let slices =
        sentences.iter().filter_map(|sentence| Some((sentence.span.start, sentence.span.of(&text)?)));
    let Some(shares) = shares else {
        slices.for_each(|(start, slice)| println!("{start:>7} {}", oriel_text::plain(slice, kind)));
        return Ok(());
    };
    shares.bytes += text.len();
    shares.took += took;
    for (_, slice) in slices {
        shares.sentences += 1;
        shares.marked += usize::from(begins_with_mark(slice));
        shares.wordless += usize::from(!slice.contains(char::is_alphabetic));
    }
    Ok(())
}

/// Whether `text` begins with a number and a closing bracket, or with a number, a dot and a space.
fn begins_with_mark(text: &str) -> bool {
    let body = text.trim_start_matches('(');
    let rest = body.trim_start_matches(|c: char| c.is_ascii_digit() || c == ',');
    rest.len() < body.len() && (rest.starts_with(')') || rest.starts_with(". "))
}

#[expect(clippy::print_stdout, reason = "the report is what the program is for")]
fn report(shares: &Shares) {
    println!(
        "{} sentences: {:.2}% begin with a number's mark, {:.2}% hold no word; {:.1} MB/s",
        shares.sentences,
        100.0 * share(shares.marked, shares.sentences),
        100.0 * share(shares.wordless, shares.sentences),
        speed(shares.bytes, shares.took)
    );
}

#[expect(clippy::cast_precision_loss, reason = "counts are small")]
fn share(part: usize, whole: usize) -> f64 {
    part as f64 / whole.max(1) as f64
}

#[expect(clippy::cast_precision_loss, reason = "a speed is an estimate")]
fn speed(bytes: usize, took: Duration) -> f64 {
    bytes as f64 / 1e6 / took.as_secs_f64()
}

/// The visible text of a sentence, with every run of white space as one space.
fn readable(sentence: &str) -> Option<String> {
    sentence
        .contains(char::is_alphanumeric)
        .then(|| sentence.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// The number of sentences of `wanted` that are in `found`, each counted once.
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
fn measure(lines: &str, verbose: bool, rules: bool) -> Result<(), Box<dyn std::error::Error>> {
    let mut tallies: BTreeMap<String, Tally> = BTreeMap::new();
    let (mut bytes, mut took) = (0, Duration::ZERO);
    for line in lines.lines() {
        let case: Case = serde_json::from_str(line)?;
        let start = Instant::now();
        let found: Vec<&str> = if rules {
            sentencex::segment(&case.lang, &case.text)
        } else {
            let sentences = oriel_text::sentences(&case.text, Kind::Text, &PageMap::default());
            sentences.iter().filter_map(|sentence| sentence.span.of(&case.text)).collect()
        };
        took += start.elapsed();
        bytes += case.text.len();
        let found: Vec<String> = found.into_iter().filter_map(readable).collect();
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
        println!(
            "{name:60} F1 {:.3}  exact {:4} of {:4} ({:.3})",
            tally.f1(),
            tally.exact,
            tally.cases,
            share(tally.exact, tally.cases)
        );
    }
    let languages: Vec<f64> =
        tallies.iter().filter(|(name, _)| name.starts_with("all ")).map(|(_, tally)| tally.f1()).collect();
    #[expect(clippy::cast_precision_loss, reason = "there are a few languages")]
    let mean = languages.iter().sum::<f64>() / languages.len().max(1) as f64;
    println!("mean of {} languages: F1 {mean:.3}; {:.1} MB/s", languages.len(), speed(bytes, took));
    Ok(())
}
