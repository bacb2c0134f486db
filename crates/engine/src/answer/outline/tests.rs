//! Summaries of one document and of several.

use super::*;
use crate::question::outline::{named_question, outline_question};
use crate::testing::TestLibrary;

fn answer(place: &TestLibrary, question: &str) -> Option<oriel_core::Answer> {
    let asked = outline_question(question).expect(question);
    let query = Query::new(question);
    let answered =
        answer_outline(&place.library, &query, &asked, &mut |_| {}, &CancelToken::new()).unwrap()?;
    // Each quote is cited to the place where it stands.
    for sentence in answered.answer.sentences.iter().filter(|one| !one.places.is_empty()) {
        let passage = &answered.answer.passages[sentence.places[0].n - 1];
        let at = (sentence.places[0].start - passage.start) as usize;
        assert!(sentence.text.contains(passage.text[at..].split('.').next().unwrap()), "{sentence:?}");
    }
    Some(answered.answer)
}

#[test]
fn a_short_document_is_told_whole_and_a_long_one_by_its_headings() {
    let part = |number: usize, thing: &str| {
        let more = format!("More is said of the {thing} in the annex. ").repeat(2);
        let further: String =
            (0..14).map(|n| format!("The {thing} has part {n} of kind {number}. ")).collect();
        format!("## The {thing}\n\nThe {thing} is checked by an engineer every year. {more}{further}\n\n")
    };
    let long = ["boiler", "roof", "harbour wall", "lift"].iter().enumerate();
    let long: String = long.map(|(number, thing)| part(number, thing)).collect();
    let place = TestLibrary::with(&[
        (
            "report.md",
            "# Report\n\nThe Alder bridge was closed for eleven weeks. It cost 214,000 euros in all.",
        ),
        ("Manuals/house manual.md", &format!("# House manual\n\n{long}")),
        ("Manuals/pump.txt", "The pump runs at night. The pump needs oil in spring."),
    ]);
    let short = answer(&place, "Summarise report.md").unwrap();
    assert!(short.answer.contains("“The Alder bridge was closed for eleven weeks.” [1]"), "{}", short.answer);
    assert_eq!((short.sentences.len(), short.rows), (3, None));
    let long = answer(&place, "What is the house manual about?").unwrap();
    assert!(long.answer.contains("\nThe harbour wall: “"), "{}", long.answer);
    assert_eq!((long.sentences.len(), long.rows), (9, None), "two sentences of each section");
    let several = answer(&place, "Summarise the files in manuals").unwrap();
    assert!(several.answer.contains("\npump.txt: “The pump "), "{}", several.answer);
    assert_eq!(several.rows, None, "the answer has them all");
    assert!(answer(&place, "Summarise the treaty").is_none());
    let of = |thing: &str| {
        let question = format!("What does house manual.md say about {thing}?");
        let asked = named_question(&question).unwrap();
        let answered =
            answer_section(&place.library, &Query::new(&*question), &asked, &mut |_| {}, &CancelToken::new())
                .unwrap();
        answered.map(|answered| answered.answer)
    };
    let roof = of("the roof").unwrap();
    assert!(roof.sentences.len() > 2 && !roof.answer.contains("boiler"), "{}", roof.answer);
    assert!(of("the attic").is_none(), "no heading says so");
}

#[test]
fn a_stopped_outline_is_an_error_only_if_nothing_was_read() {
    let place = TestLibrary::with(&[("report.md", "The Alder bridge was closed for eleven weeks.")]);
    let cancel = CancelToken::new();
    cancel.cancel();
    let asked = outline_question("Summarise report.md").unwrap();
    let query = Query::new("Summarise report.md");
    let stopped = answer_outline(&place.library, &query, &asked, &mut |_| {}, &cancel);
    assert!(stopped.is_err_and(|error| error.is_cancelled()));
}
