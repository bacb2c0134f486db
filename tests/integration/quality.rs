//! Quality of the answers to known questions.

use std::fs;

use serde_json::Value;

use crate::oriel::{Oriel, evaluation, folded, repository, text};

fn lines(path: &std::path::Path) -> Vec<Value> {
    fs::read_to_string(path).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn the_answers_of_the_sample_stand_in_the_first_passages() {
    let oriel = Oriel::with_sample();
    let questions = lines(&repository().join("tests/fixtures/sample-questions.jsonl"));
    let answerable: Vec<&Value> =
        questions.iter().filter(|question| question["answerable"] == true).collect();
    let texts: Vec<&str> = answerable.iter().map(|question| text(&question["question"])).collect();
    let results = oriel.batch("search", &texts, &[]);
    let mut missed = Vec::new();
    for (question, result) in answerable.iter().zip(&results) {
        let evidence = folded(text(&question["evidence"]));
        let held = result["passages"].as_array().unwrap().iter().any(|passage| {
            text(&passage["path"]).ends_with(text(&question["file"]))
                && folded(text(&passage["text"])).contains(&evidence)
        });
        if !held {
            missed.push(text(&question["id"]));
        }
    }
    let share = 1.0 - missed.len() as f64 / answerable.len() as f64;
    println!("{share:.3} of {}, missed {missed:?}", answerable.len());
    // 23 of 29: the others ask across languages or documents, or share no word with their evidence.
    assert!(share >= 0.79, "{share:.3}, missed {missed:?}");
}

/// The aims of the first issue, on every twentieth question; `tests/eval/retrieval.py` measures all of them.
#[test]
#[ignore = "long: make stress"]
fn answers_of_encyclopedia_articles_stand_in_the_first_passages() {
    let Some(folder) = evaluation("qa/squad") else { return };
    let oriel = Oriel::new();
    oriel.json(&["add", folder.join("docs").to_str().unwrap()]);
    oriel.json(&["index"]);
    let questions = lines(&folder.join("questions.jsonl"));
    let answerable: Vec<&Value> =
        questions.iter().filter(|question| question["answerable"] == true).step_by(20).collect();
    let texts: Vec<&str> = answerable.iter().map(|question| text(&question["question"])).collect();
    let results = oriel.batch("search", &texts, &[]);
    let (mut first, mut five, mut length, mut passages) = (0, 0, 0, 0);
    for (question, result) in answerable.iter().zip(&results) {
        let spans = question["spans"].as_array().unwrap();
        let found = result["passages"].as_array().unwrap();
        let place = found.iter().position(|passage| {
            text(&passage["path"]).ends_with(text(&question["file"]))
                && spans.iter().any(|span| {
                    passage["start"].as_u64() <= span["byte_start"].as_u64()
                        && span["byte_end"].as_u64() <= passage["end"].as_u64()
                })
        });
        first += usize::from(place == Some(0));
        five += usize::from(place.is_some());
        length += found.iter().map(|passage| text(&passage["text"]).chars().count()).sum::<usize>();
        passages += found.len();
    }
    let count = answerable.len() as f64;
    let (first, five, length) = (first as f64 / count, five as f64 / count, length / passages);
    println!("first {first:.3}, five {five:.3} of {count}, {length} characters a passage");
    // Fewer questions than the aim was set for: the interval is some three points wide on either side.
    assert!(
        first >= 0.81 && five >= 0.93 && length <= 1200,
        "first {first:.3}, five {five:.3}, {length} characters"
    );
}
