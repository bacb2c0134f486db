//! Flags of search: windows, modes, filters, merging.

use serde_json::Value;

use crate::oriel::{Oriel, text};

fn letters() -> Oriel {
    let sentences: Vec<String> = (0..20).map(|n| format!("Sentence {n} tells of matters {n}.")).collect();
    let mut middle = sentences.clone();
    middle[10] = "The harbour master pays nine guineas for the tide table.".into();
    Oriel::with(&[
        ("letters/one.txt", &middle.join(" ")),
        ("notes/two.md", "# Tides\n\nThe tide table is printed in June.\n"),
    ])
}

fn bounds(passage: &Value) -> (u64, u64) {
    (passage["start"].as_u64().unwrap(), passage["end"].as_u64().unwrap())
}

#[test]
fn the_window_is_chosen_at_question_time() {
    let oriel = letters();
    let question = "What does the harbour master pay?";
    let sentences = |window: &str| {
        let found = oriel.search(&[question, "--window", window, "--candidates", "1", "--top", "1"]);
        assert_eq!(found.len(), 1);
        (text(&found[0]["text"]).to_owned(), found[0]["hits"].as_array().unwrap().len())
    };
    assert_eq!(sentences("0"), ("The harbour master pays nine guineas for the tide table.".into(), 1));
    let (one_three, _) = sentences("1,3");
    assert!(
        one_three.starts_with("Sentence 9 tells") && one_three.ends_with("Sentence 13 tells of matters 13.")
    );
    let (two, _) = sentences("2");
    assert!(two.starts_with("Sentence 8 tells") && two.ends_with("Sentence 12 tells of matters 12."));
}

#[test]
fn windows_that_touch_are_merged_unless_told_otherwise() {
    let oriel = letters();
    let flags =
        ["matters", "--mode", "sparse", "--rerank", "off", "--candidates", "12", "--top", "50", "--in"];
    let one = oriel.documents().join("letters/one.txt");
    let merged = oriel.search(&[&flags[..], &[one.to_str().unwrap()]].concat());
    let mut spans: Vec<_> = merged.iter().map(bounds).collect();
    spans.sort_unstable();
    assert!(spans.windows(2).all(|pair| pair[0].1 < pair[1].0), "passages overlap: {spans:?}");
    let hits: usize = merged.iter().map(|passage| passage["hits"].as_array().unwrap().len()).sum();
    assert_eq!(hits, 12);
    let apart = oriel.search(&[&flags[..], &[one.to_str().unwrap(), "--no-merge"]].concat());
    assert_eq!(apart.len(), 12);
}

#[test]
fn a_question_with_an_identifier_is_about_the_documents_that_have_it() {
    let report = |number: &str, cause: &str| {
        let between = (0..20).map(|n| format!("The pilot had flown {n} hours on that day."));
        let lines = [format!("Accident {number}.")].into_iter().chain(between);
        let end = format!("The probable cause of this accident was {cause}.");
        lines.chain([end]).collect::<Vec<_>>().join(" ")
    };
    let oriel = Oriel::with(&[
        ("one.txt", &report("CHI08CA047", "a patch of snow on the runway")),
        ("two.txt", &report("LAX07FA112", "the failure of the engine in flight")),
        ("three.txt", &report("NYC09LA003", "the loss of control in a strong wind")),
    ]);
    for (number, name) in [("CHI08CA047", "one.txt"), ("LAX07FA112", "two.txt"), ("nyc09la003", "three.txt")]
    {
        let found = oriel.search(&[&format!("What was the probable cause of accident {number}?")]);
        assert!(found.iter().all(|passage| text(&passage["path"]).ends_with(name)), "{number}: {found:?}");
        assert!(text(&found[0]["text"]).contains("probable cause"), "{number}: {found:?}");
    }
    // No document can answer a question about a thing that none mentions.
    let answer =
        oriel.json(&["ask", "--model", "quotes", "What was the probable cause of accident ATL10XX999?"]);
    assert_eq!(answer["abstained"], true, "{answer}");
    assert!(!answer["passages"].as_array().unwrap().is_empty(), "the closest are shown");
}

#[test]
fn the_latest_is_what_the_newest_document_says() {
    let oriel = Oriel::with(&[
        ("price list 2025.md", "# Price list 2025\n\nA canoe for a day costs 27 euros.\n"),
        ("price list 2026.md", "# Price list 2026\n\nA canoe for a day costs 31 euros.\n"),
        (
            "minutes 2026-09.md",
            "# Minutes of 14 September 2026\n\nWe decided to buy a used trailer for the canoes.\n",
        ),
        (
            "minutes 2026-10.md",
            "# Minutes of 14 October 2026\n\nWe decided to raise the yearly fee to 84 euros.\n",
        ),
    ]);
    let ask = |question: &str| {
        let answer = oriel.json(&["ask", "--model", "quotes", "--today", "2026-11-27", question]);
        answer["answer"].as_str().unwrap().to_owned()
    };
    let latest = ask("What is the latest price of a canoe for a day?");
    let (newest, older) = latest.split_once('\n').unwrap();
    assert!(newest.contains("31 euros") && newest.ends_with("(price list 2026.md, 2026)"), "{latest}");
    assert!(older.contains("27 euros") && older.contains("(price list 2025.md, 2025)"), "{latest}");
    assert!(
        ask("What did a canoe for a day cost at first?").split_once('\n').unwrap().0.contains("27 euros")
    );
    assert!(ask("What did we decide in September?").contains("trailer"));
    assert!(ask("What did we decide at the last meeting?").contains("84 euros"));
    assert_eq!(ask("What did we decide in May?"), "Nothing from May 2026 answers it.");
}

#[test]
fn filters_are_applied_before_retrieval() {
    let oriel = letters();
    let only = |flags: &[&str]| {
        let found = oriel.search(&[&["tide table"], flags].concat());
        let mut paths: Vec<_> = found.iter().map(|passage| text(&passage["path"]).to_owned()).collect();
        paths.dedup();
        paths
    };
    let notes = oriel.documents().join("notes");
    assert_eq!(only(&["--kind", "md"]), [notes.join("two.md").to_str().unwrap()]);
    assert_eq!(only(&["--in", notes.to_str().unwrap()]), [notes.join("two.md").to_str().unwrap()]);
    assert!(only(&["--until", "2001-01-01"]).is_empty());
    assert!(only(&["--since", "2199-01-01"]).is_empty());
    assert_eq!(only(&["--since", "2001-01-01"]).len(), 2);
    assert!(only(&["--from", "ada"]).is_empty(), "these are no mails");
    // With one candidate the filter must apply before retrieval; applied afterwards, nothing would be left.
    assert_eq!(only(&["--kind", "md", "--candidates", "1"]).len(), 1);
    assert_eq!(only(&["--kind", "txt", "--candidates", "1"]).len(), 1);
}

#[test]
fn every_mode_and_every_way_to_rerank_finds_the_answer() {
    let oriel = letters();
    for mode in ["hybrid", "two-step", "dense", "sparse"] {
        for rerank in ["passage", "sentence", "off"] {
            let found =
                oriel.search(&["What does the harbour master pay?", "--mode", mode, "--rerank", rerank]);
            assert!(text(&found[0]["text"]).contains("nine guineas"), "{mode}, {rerank}");
            assert_eq!(found[0]["n"], 1);
        }
    }
}

#[test]
fn a_search_says_how_long_each_stage_took_and_how_sure_it_is() {
    let oriel = letters();
    let found = oriel.json(&["search", "What does the harbour master pay?"]);
    let timings = found["timings"].as_object().unwrap();
    let value = |name: &str| timings[name].as_f64().unwrap();
    let stages: f64 =
        ["embed_ms", "dense_ms", "sparse_ms", "window_ms", "rerank_ms"].iter().map(|name| value(name)).sum();
    assert!(value("rerank_ms") > 0.0 && stages <= value("total_ms") + 1.0, "{timings:?}");
    let sure = found["confidence"].as_f64().unwrap();
    let unsure =
        oriel.json(&["search", "Who won the chess olympiad in 1972?"])["confidence"].as_f64().unwrap();
    assert!((0.0..=1.0).contains(&unsure) && unsure < sure && sure <= 1.0, "{unsure} {sure}");
    let nothing = oriel.json(&["search", "tide", "--until", "2001-01-01"]);
    assert_eq!(
        (nothing["confidence"].as_f64(), nothing["passages"].as_array().unwrap().len()),
        (Some(0.0), 0)
    );
}
