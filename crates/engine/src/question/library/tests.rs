//! Questions that are, and are not, about the library.

use oriel_core::Kind;

use super::*;

fn fact(question: &str) -> Option<LibraryFact> {
    library_question(question).map(|asked| asked.fact)
}

#[test]
fn a_question_about_the_library_is_known_by_its_whole_form() {
    for (question, expected) in [
        ("How many documents do you have?", LibraryFact::Count),
        ("how many PDFs are there", LibraryFact::Count),
        ("How many pdf files are in the library?", LibraryFact::Count),
        ("How many mails from Anna?", LibraryFact::Count),
        ("How many of the documents are PDFs?", LibraryFact::Count),
        ("How many e-mails did I get this week?", LibraryFact::Count),
        ("Wie viele Dokumente hast du?", LibraryFact::Count),
        ("Wie viele PDF-Dateien gibt es im Ordner Verträge?", LibraryFact::Count),
        ("Which kinds of files are there?", LibraryFact::Kinds),
        ("What file types do you have?", LibraryFact::Kinds),
        ("Welche Arten von Dateien gibt es?", LibraryFact::Kinds),
        ("What is new since Monday?", LibraryFact::List),
        ("What changed this week?", LibraryFact::List),
        ("Which files were added yesterday?", LibraryFact::List),
        ("How many files were changed this week?", LibraryFact::Count),
        ("Was ist seit Montag neu?", LibraryFact::List),
        ("Was hat sich diese Woche geändert?", LibraryFact::List),
        ("Which files could not be read, and why?", LibraryFact::Unread),
        ("What could not be read?", LibraryFact::Unread),
        ("Welche Dateien konnten nicht gelesen werden?", LibraryFact::Unread),
        ("Which is the largest document?", LibraryFact::Extreme(Measure::Size, true)),
        ("What's the newest file?", LibraryFact::Extreme(Measure::Age, true)),
        ("Which document is the longest?", LibraryFact::Extreme(Measure::Length, true)),
        ("Welches ist das älteste Dokument?", LibraryFact::Extreme(Measure::Age, false)),
        ("Who wrote most to me?", LibraryFact::Senders),
        ("Who sent me the most mails this year?", LibraryFact::Senders),
        ("Wer hat mir am meisten geschrieben?", LibraryFact::Senders),
        ("List all files", LibraryFact::List),
        ("List the files in contracts", LibraryFact::List),
        ("Which documents are there?", LibraryFact::List),
        ("Zeige alle Dateien", LibraryFact::List),
    ] {
        assert_eq!(fact(question), Some(expected), "{question}");
    }
}

#[test]
fn what_the_documents_tell_is_no_question_about_the_library() {
    for question in [
        "How many documents must be submitted?",
        "How many documents are required in the application?",
        "How many files does the clerk keep?",
        "How many people are there?",
        "How many pages are in the report?",
        "How many words are there?",
        "What types are there?",
        "Which documents do I need for the visa?",
        "Which documents were signed this week?",
        "What kinds of documents are needed?",
        "What is new in version 3?",
        "What is new?",
        "What changed after the review?",
        "What is the latest price?",
        "What is the largest clock?",
        "What is the longest lease?",
        "Which file does the parser open?",
        "Who wrote most of the report?",
        "Who wrote the minutes?",
        "List the files that the tenant must keep",
        "What failed in the freezer test?",
        "Which tests failed?",
        "Wie viele Unterlagen muss ich einreichen?",
        "Was ist neu am Mietvertrag?",
        "",
    ] {
        assert_eq!(library_question(question), None, "{question}");
    }
}

#[test]
fn place_sender_and_days_narrow_the_documents() {
    let asked =
        library_question("How many mails from Anna Berg are in the folder Old mail since Monday?").unwrap();
    assert_eq!((asked.from.as_deref(), asked.folder.as_deref()), (Some("Anna Berg"), Some("Old mail")));
    assert!(
        asked.noun.kinds.contains(&Kind::Eml) && asked.days.is_some_and(|days| days.words == "since Monday")
    );
    let asked = library_question("How many letters are there?").unwrap();
    assert_eq!((asked.folder.as_deref(), asked.noun), (Some("letters"), &ANY));
}

#[test]
fn a_follow_up_keeps_what_narrowed_the_question_before() {
    let after = |before: &str, question: &str| library_question(before).unwrap().follow_up(question);
    assert_eq!(
        after("How many documents are in contracts?", "And how many of them are PDFs?").as_deref(),
        Some("how many of the documents are PDFs in contracts?")
    );
    assert_eq!(
        after("Wie viele Dokumente hast du?", "Wie viele davon sind Mails?").as_deref(),
        Some("Wie viele der Dokumente sind Mails?")
    );
    assert_eq!(after("How many documents do you have?", "Which of them mention the roof?"), None);
}
