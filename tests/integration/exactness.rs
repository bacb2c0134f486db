//! Passages are exact: to the byte.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use serde_json::Value;

use crate::oriel::{Oriel, repository, text};

fn span(value: &Value) -> (usize, usize) {
    let number = |name: &str| usize::try_from(value[name].as_u64().unwrap()).unwrap();
    (number("start"), number("end"))
}

/// The output of `show` for each document, by path; read once.
type Shown = BTreeMap<String, Value>;

/// Compares every passage and hit with `show` and, for text and Markdown, with the file.
fn check(oriel: &Oriel, shown: &mut Shown, passages: &[Value]) {
    for passage in passages {
        let path = text(&passage["path"]);
        let shown = shown.entry(path.to_owned()).or_insert_with(|| oriel.json(&["show", path]));
        let whole = text(&shown["text"]).as_bytes();
        let sentences: BTreeSet<_> = shown["sentences"].as_array().unwrap().iter().map(span).collect();
        let hits = passage["hits"].as_array().unwrap();
        for part in std::iter::once(passage).chain(hits) {
            let (start, end) = span(part);
            assert_eq!(&whole[start..end], text(&part["text"]).as_bytes(), "{path} {start}..{end}");
            let bytes = fs::read(path).unwrap();
            let utf8 = std::str::from_utf8(&bytes).is_ok();
            if utf8 && (path.ends_with(".md") || path.ends_with(".txt")) {
                assert_eq!(
                    &bytes[start..end],
                    text(&part["text"]).as_bytes(),
                    "{path} {start}..{end}, in the file"
                );
            }
        }
        assert!(!hits.is_empty());
        if let Some(answer) = passage.get("answer") {
            assert!(sentences.contains(&span(answer)), "the answer in {path} is no sentence");
            let (start, end) = span(answer);
            if let Some((first, last)) = answer.get("words").map(span) {
                assert!(
                    start <= first && first < last && last <= end,
                    "the words in {path} are not in their sentence"
                );
                assert!(std::str::from_utf8(&whole[first..last]).is_ok(), "half a letter in {path}");
            }
        }
        assert!(hits.iter().all(|hit| sentences.contains(&span(hit))), "a hit of {path} is no sentence");
        let first = shown["sentences"]
            .as_array()
            .unwrap()
            .iter()
            .find(|sentence| span(sentence).0 == span(passage).0);
        assert_eq!(first.expect("a passage begins with a sentence")["page"], passage["page"]);
    }
    for (at, one) in passages.iter().enumerate() {
        for other in &passages[..at] {
            let ((a, b), (c, d)) = (span(one), span(other));
            assert!(one["path"] != other["path"] || b <= c || d <= a, "two passages share a sentence");
        }
    }
}

#[test]
fn every_passage_of_the_sample_is_its_slice() {
    let oriel = Oriel::with_sample();
    let lines = fs::read_to_string(repository().join("tests/fixtures/sample-questions.jsonl")).unwrap();
    let questions: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let questions: Vec<&str> = questions.iter().map(|question| text(&question["question"])).collect();
    let (mut shown, mut read) = (Shown::new(), 0);
    for flags in [&[][..], &["--window", "0,5", "--candidates", "60", "--top", "30", "--rerank", "off"]] {
        for result in oriel.batch("search", &questions, flags) {
            check(&oriel, &mut shown, result["passages"].as_array().unwrap());
            read += usize::from(result["passages"][0]["answer"].is_object());
        }
    }
    assert!(read > questions.len() / 2, "only {read} have an answering sentence");
}

#[test]
fn odd_bytes_do_not_move_a_span() {
    let oriel = Oriel::with(&[
        ("bom.txt", "\u{feff}Erste Zeile mit BOM.\r\nZweite Zeile, mit Wagenrücklauf.\r\n\r\nDritte Zeile."),
        (
            "emoji.md",
            "# Ünïcödé 🦀\n\n- Eins: **fett** und `code` 👩‍👩‍👧\n- Zwei: [Verweis](https://example.org/ä)\n\n> Zitat “so”.\n",
        ),
        ("cjk.txt", "吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。"),
    ]);
    let mut shown = Shown::new();
    for question in ["Zeile Wagenrücklauf", "fett Verweis Zitat", "名前 猫"] {
        let found = oriel.search(&[question]);
        assert!(!found.is_empty(), "{question}");
        check(&oriel, &mut shown, &found);
    }
    let shown = oriel.json(&["show", oriel.documents().join("bom.txt").to_str().unwrap()]);
    assert_eq!(text(&shown["text"]).as_bytes(), fs::read(oriel.documents().join("bom.txt")).unwrap());
}
