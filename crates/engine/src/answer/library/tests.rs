//! A library that is counted.

use jiff::Zoned;

use super::*;
use crate::question::library::library_question;
use crate::testing::TestLibrary;

fn mail(from: &str) -> String {
    format!("From: {from}\nDate: Fri, 1 Mar 2024 11:00:00 +0000\nSubject: Tide\n\nThe tide is low.\n")
}

fn answer(place: &TestLibrary, question: &str, filter: &Filter) -> Option<(String, AnswerRows)> {
    let query = Query { filter: filter.clone(), ..Query::new(question) };
    let asked = library_question(question).expect(question);
    let answered = answer_library(&place.library, &query, &asked, &mut |_| {}).unwrap()?;
    assert!(!answered.answer.abstained);
    Some((answered.answer.answer, answered.answer.rows.unwrap_or_default()))
}

#[test]
fn the_library_is_counted_exactly() {
    let place = TestLibrary::with(&[
        ("a.txt", "The tide is low. It turns. It is high."),
        ("Contracts/b.md", "The lease begins in May."),
        ("one.eml", &mail("Anna Berg <anna@north.example>")),
        ("two.eml", &mail("A. Berg <anna@north.example>")),
        ("three.eml", &mail("Jonas <jonas@north.example>")),
    ]);
    place.write_broken("broken.pdf");
    place.read();
    let asked = |question: &str| answer(&place, question, &Filter::default()).map(|(text, _)| text);
    let said = |question: &str| asked(question).expect(question);
    assert_eq!(
        said("How many documents do you have?"),
        "There are 6 documents: b.md, a.txt, broken.pdf, one.eml, three.eml and two.eml. 1 of them could not be read."
    );
    assert_eq!(said("How many mails from Anna?"), "There are 2 mails from Anna: one.eml and two.eml.");
    assert_eq!(said("Wie viele Bilder gibt es?"), "Es gibt keine Bilder.");
    let longest = said("Welches ist das längste Dokument?");
    assert_eq!(longest, "Von 5 Dokumenten ist a.txt am längsten (3 Sätze).");
    assert_eq!(said("List the files in contracts"), "There is 1 document in Contracts: b.md.");
    assert_eq!(
        said("Which kinds of files are there?"),
        "There are 6 documents of 4 kinds: 3 EML, 1 MD, 1 TXT and 1 PDF."
    );
    let why = said("Which files could not be read, and why?");
    assert!(why.starts_with("1 of 6 documents could not be read: broken.pdf ("), "{why}");
    assert_eq!(said("Which document is the longest?"), "Of 5 documents, a.txt is the longest (3 sentences).");
    assert_eq!(said("Who wrote most to me?"), "Most mails are from Anna Berg <anna@north.example>: 2 of 3.");
    let today = Zoned::now().date();
    assert_eq!(
        said("What is new today?").split(':').next().unwrap(),
        format!("3 documents were changed or sent today ({today})")
    );
    assert_eq!(asked("How many files are in Letters?"), None, "there is no such folder");
    assert_eq!(asked("How many mails from Priya?"), None);
    let (text, rows) =
        answer(&place, "How many files are there?", &Filter { kinds: vec![Kind::Text], ..Filter::default() })
            .unwrap();
    assert_eq!((&text[..], rows.total), ("There is 1 document: a.txt.", 1));
    let place_of_row = rows.rows[0].place.as_ref().unwrap();
    assert!(place_of_row.path.ends_with("a.txt") && place_of_row.end == 0);
}
