//! A list of mentions on the real store: counts, order and limits.

use std::path::Path;

use oriel_core::Kind;
use oriel_store::{DocumentRecord, Stamp};

use super::*;
use crate::extract::unlock::Unlocked;
use crate::sync::read::digest;
use crate::testing::TestLibrary;

const ALL: MentionPage = MentionPage { from: 0, documents: usize::MAX, sentences: usize::MAX };

fn listed(place: &TestLibrary, text: &str) -> Mentions {
    place.library.mentions(text, &Filter::default(), ALL, &CancelToken::new()).unwrap()
}

fn name(row: &MentioningDocument) -> String {
    row.row.path.file_name().unwrap().to_string_lossy().into_owned()
}

/// Every document with its sentences.
fn told(mentions: &Mentions) -> Vec<(String, Vec<String>)> {
    let texts = |row: &MentioningDocument| row.shown.iter().map(|mention| mention.text.clone()).collect();
    mentions.rows.iter().map(|row| (name(row), texts(row))).collect()
}

#[test]
fn every_sentence_that_holds_all_words_is_listed_in_reading_order_and_counted() {
    let place = TestLibrary::with(&[
        ("a.txt", "Batch 14 gave 62%. It was blue. The pump of batch 14 broke. Batch 12 is gone."),
        ("b.md", "# Notes\n\nTwo batches: 14 and 15."),
        ("c.txt", "Batch 13 gave 14%. There is no batch here. Fourteen of a batch."),
        ("d.txt", "The 14 sailors came."),
    ]);
    let mentions = listed(&place, "What about batch 14?");
    assert!(mentions.is_whole);
    assert_eq!((mentions.searched, mentions.documents, mentions.sentences), (4, 3, 4));
    let listed = told(&mentions);
    assert_eq!(listed[0].0, "a.txt", "most sentences first");
    assert_eq!(listed[0].1, ["Batch 14 gave 62%.", "The pump of batch 14 broke."]);
    assert_eq!(
        (listed[1].0.as_str(), &listed[1].1[..]),
        ("b.md", &["Two batches: 14 and 15.".to_owned()][..])
    );
    assert_eq!(listed[2].1, ["Batch 13 gave 14%."]);
    let words: Vec<_> = mentions.words.iter().map(|one| (one.word.as_str(), one.sentences)).collect();
    assert_eq!(words, [("batch", 7), ("14", 5)], "without the words that only ask");
    let first = &mentions.rows[0].shown[0];
    let place_of = |span: &ByteSpan| &first.text[span.range()];
    assert_eq!(first.words.iter().map(place_of).collect::<Vec<_>>(), ["Batch", "14"]);
    assert_eq!((mentions.rows[0].words, mentions.rows[0].sentences), (2, 2));
}

#[test]
fn forms_of_a_word_are_one_in_english_and_german() {
    let place = TestLibrary::with(&[
        ("a.txt", "Die Kündigungen der Mieter kamen spät. Der Mieter kündigt nicht."),
        ("b.txt", "Eine Kuendigung ohne Mieter."),
        ("c.txt", "The companies' leases ended. A company leased it."),
    ]);
    let mentions = listed(&place, "Wann kam die Kündigung des Mieters?");
    assert!(!mentions.is_whole, "'kam' and 'kamen' have different terms");
    let german = listed(&place, "Kündigung Mieter");
    assert_eq!(told(&german), [("a.txt".into(), vec!["Die Kündigungen der Mieter kamen spät.".into()])]);
    let english = listed(&place, "Which company leases?");
    assert_eq!((english.documents, english.sentences, english.is_whole), (1, 2, true));
}

#[test]
fn where_no_sentence_holds_all_the_nearest_come_first_and_the_rarest_word_counts_most() {
    let place = TestLibrary::with(&[
        ("common.txt", "The lamp is lit. A lamp is dark. Another lamp."),
        ("rare.txt", "The horn sounds. A lamp. The horn is old."),
        ("two.txt", "The lamp has a keeper. The keeper slept. Each keeper has a lamp."),
        ("none.txt", "Nothing is here."),
    ]);
    let mentions = listed(&place, "lamp keeper horn zeppelin");
    assert!(!mentions.is_whole);
    let order: Vec<_> = mentions.rows.iter().map(|row| (name(row), row.words, row.sentences)).collect();
    assert_eq!(
        order,
        [("two.txt".into(), 2, 2), ("rare.txt".into(), 1, 3), ("common.txt".into(), 1, 3)],
        "two words before one, the rarer word before the common one"
    );
    assert_eq!((mentions.documents, mentions.sentences), (3, 8));
    assert_eq!(mentions.words.last().unwrap(), &MentionWord { word: "zeppelin".into(), sentences: 0 });
}

#[test]
fn only_the_scope_is_looked_through() {
    let place = TestLibrary::with(&[
        ("in/a.txt", "The lamp is lit."),
        ("in/b.md", "The lamp is lit."),
        ("out/c.txt", "The lamp keeper."),
    ]);
    let scoped =
        |filter: &Filter, text: &str| place.library.mentions(text, filter, ALL, &CancelToken::new()).unwrap();
    let within = Filter { within: vec![place.documents().join("in")], ..Filter::default() };
    let mentions = scoped(&within, "lamp");
    assert_eq!((mentions.documents, mentions.searched, mentions.words[0].sentences), (2, 2, 2));
    let kinds = Filter { kinds: vec![Kind::Markdown], ..within.clone() };
    assert_eq!(scoped(&kinds, "lamp").rows.iter().map(name).collect::<Vec<_>>(), ["b.md"]);
    assert!(!scoped(&within, "lamp keeper").is_whole, "what holds both lies outside");
    assert!(listed(&place, "lamp keeper").is_whole);
    let late = Filter { since: Some(i64::MAX), ..Filter::default() };
    assert_eq!((scoped(&late, "lamp").documents, scoped(&late, "lamp").searched), (0, 0));
}

#[test]
fn what_is_deleted_or_changed_is_not_listed() {
    let place = TestLibrary::with(&[("a.txt", "The lamp is lit."), ("b.txt", "The lamp is dark.")]);
    assert_eq!(listed(&place, "lamp").documents, 2);
    std::fs::remove_file(place.documents().join("a.txt")).unwrap();
    place.write("b.txt", "The horn sounds, and it is long.");
    place.read();
    let mentions = listed(&place, "lamp");
    assert_eq!((mentions.documents, mentions.sentences, mentions.rows.len()), (0, 0, 0));
    assert_eq!(listed(&place, "horn").documents, 1);
}

#[test]
fn a_page_is_a_part_of_the_list_and_the_counts_are_of_all() {
    let many: Vec<(String, String)> =
        (0..9).map(|n| (format!("{n}.txt"), "The lamp. ".repeat(n + 1))).collect();
    let files: Vec<(&str, &str)> = many.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let place = TestLibrary::with(&files);
    let whole = listed(&place, "lamp");
    let page = MentionPage { from: 3, documents: 2, sentences: 4 };
    let part = place.library.mentions("lamp", &Filter::default(), page, &CancelToken::new()).unwrap();
    assert_eq!((part.documents, part.sentences), (9, 45));
    assert_eq!(part.rows.iter().map(name).collect::<Vec<_>>(), ["5.txt", "4.txt"]);
    assert_eq!(part.rows[0].shown, whole.rows[3].shown[..4]);
    assert_eq!(part.rows[0].sentences, 6);
    let id = part.rows[0].row.id;
    let rest = place.library.mentions_in("lamp", id, 4, 50).unwrap().unwrap();
    assert_eq!(rest.shown, whole.rows[3].shown[4..]);
    assert_eq!(place.library.mentions_in("horn", id, 0, 50).unwrap(), None);
}

#[test]
fn a_list_that_is_not_wanted_any_more_ends() {
    let place = TestLibrary::with(&[("a.txt", "The lamp is lit.")]);
    let cancel = CancelToken::new();
    cancel.cancel();
    let ended = place.library.mentions("lamp", &Filter::default(), ALL, &cancel).unwrap_err();
    assert!(ended.is_cancelled(), "{ended}");
}

#[test]
fn words_that_only_ask_are_looked_for_where_there_are_no_others() {
    let place = TestLibrary::with(&[("a.txt", "What will be, will be.")]);
    assert_eq!(listed(&place, "what will").documents, 1);
    assert_eq!(listed(&place, "?"), Mentions { searched: 1, ..Mentions::default() });
    assert_eq!(
        named_words("What yield did batches of the batch 14 reach?"),
        ["yield", "batches", "14", "reach"]
    );
    let (mentioned, missing) =
        words_in("What yield did batch 14 reach at 80 °C?", "Batch 14 yielded 71% at 70 °C.");
    assert_eq!(
        (mentioned, missing),
        (
            ["yield", "batch", "14", "C"].map(str::to_owned).to_vec(),
            ["reach", "80"].map(str::to_owned).to_vec(),
        )
    );
}

/// Prints the time with 50,000 documents; `cargo test -p oriel-engine -- --ignored --nocapture fifty`.
#[test]
#[ignore = "a measurement"]
fn fifty_thousand_documents() {
    let place = TestLibrary::with(&[]);
    let library = &place.library;
    let root = place.documents();
    let night = "Nothing else was seen in the night by the station. ".repeat(20);
    let numbers: Vec<u32> = (0..50_000).collect();
    for numbers in numbers.chunks(1_000) {
        let read = numbers.iter().map(|number| {
            let text = format!(
                "Report {number} of the committee. The lamp of station {} is lit. {night}The keeper wrote {number}.",
                number % 97
            );
            let extracted = oriel_text::read(Kind::Text, text.as_bytes(), &oriel_text::Limits::default());
            let unlocked = Unlocked { extracted: extracted.unwrap(), locked: false };
            digest(Path::new(""), unlocked, "0".repeat(64), &CancelToken::new()).unwrap()
        });
        let read: Vec<_> = read.collect();
        let written = library.store.write(|edit| {
            for (number, text) in numbers.iter().zip(&read) {
                let id = edit.register(&DocumentRecord::unread(
                    root.join(format!("{number}.txt")),
                    Kind::Text,
                    Stamp::default(),
                ))?;
                edit.put_text(id, &text.as_new(Stamp::default()))?;
            }
            Ok(())
        });
        written.unwrap();
    }
    let page = MentionPage { from: 0, documents: 20, sentences: 3 };
    let within = Filter { kinds: vec![Kind::Text], ..Filter::default() };
    for text in ["station", "lamp station 14", "keeper lamp station zeppelin", "nothing seen night station"] {
        for filter in [&Filter::default(), &within] {
            let begun = std::time::Instant::now();
            let found = library.mentions(text, filter, page, &CancelToken::new()).unwrap();
            let took = begun.elapsed().as_secs_f64() * 1e3;
            println!("'{text}': {} documents, {} sentences, {took:.1} ms", found.documents, found.sentences);
        }
    }
}
