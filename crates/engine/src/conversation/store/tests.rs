//! Conversations on the real disk.

use std::path::PathBuf;

use oriel_core::{Answer, AnswerSource, DocumentId, Filter, Hit, Kind, Location, Passage, Timings};
use tempfile::TempDir;

use super::*;
use crate::conversation::Missing;
use crate::library::document_text::PassageDocument;
use crate::search::trace::{Fate, StageRank, Trace, TracedPassage};
use crate::search::window::Window;

fn opened() -> (TempDir, Conversations) {
    let place = tempfile::tempdir().unwrap();
    let conversations = Conversations::open(&place.path().join("conversations")).unwrap();
    (place, conversations)
}

fn answer(text: &str) -> Answer {
    let hit = Hit { start: 0, end: 4, text: "Tide".into(), score: 0.5 };
    let passage = Passage {
        n: 1,
        path: PathBuf::from("/documents/a.txt"),
        headings: Vec::new(),
        location: Location::of_page(Some(2)),
        start: 0,
        end: 4,
        text: "Tide".into(),
        score: 0.25,
        hits: vec![hit],
        answer: None,
        also: Vec::new(),
    };
    Answer {
        answer: text.into(),
        abstained: false,
        confidence: 0.75,
        sentences: Vec::new(),
        parts: Vec::new(),
        left_out: Vec::new(),
        survey: None,
        rows: None,
        time: None,
        passages: vec![passage],
        timings: Timings::default(),
        model: AnswerSource::Quotes,
    }
}

fn full_turn() -> Turn {
    Turn {
        searched: Some("When does the tide turn in Harbour Row?".into()),
        scope: Filter {
            within: vec!["/documents".into()],
            without: vec!["/documents/tax".into()],
            kinds: vec![Kind::Pdf],
            since: Some(1),
            until: Some(i64::MAX),
            from: vec!["Ann".into()],
            ..Filter::default()
        },
        window: Window { before: 0, after: 7 },
        answer: Some(answer("The tide turns at noon [1].")),
        documents: vec![Some(PassageDocument { id: DocumentId(7), hash: "ab".into() })],
        stopped: true,
        missing: Missing { unread: 3, unembedded: 40 },
        trace: Some(Trace { candidates: 2, ..Trace::default() }),
        ..Turn::new("When does it turn?", 1_700_000_000_000)
    }
}

/// Stores a conversation with one turn.
fn keep(conversations: &Conversations, title: &str, question: &str, said: &str) -> Conversation {
    let id = conversations.create(title).unwrap().id;
    changed(conversations, &id, |kept| {
        kept.turns.push(Turn { answer: Some(answer(said)), ..Turn::new(question, 5) });
    })
}

/// Changes a conversation; returns it as stored.
fn changed(
    conversations: &Conversations,
    id: &ConversationId,
    change: impl FnOnce(&mut Conversation),
) -> Conversation {
    let update = |kept: &mut Conversation| -> Result<(), ConversationError> {
        change(kept);
        Ok(())
    };
    conversations.update(id, update).unwrap();
    conversations.get(id).unwrap()
}

fn titles(conversations: &Conversations, query: &str) -> Vec<String> {
    let mut titles: Vec<_> = conversations.list(query).unwrap().into_iter().map(|row| row.title).collect();
    titles.sort();
    titles
}

#[test]
fn what_is_kept_comes_back_whole() {
    let (_place, conversations) = opened();
    let created = conversations.create(" Tides \n of  noon ").unwrap();
    let turns = vec![full_turn(), Turn::new("And then?", 6)];
    let found = changed(&conversations, &created.id, |kept| kept.turns.clone_from(&turns));
    assert_eq!(found, Conversation { turns, changed: found.changed, ..created });
    assert_eq!(found.title, "Tides of noon");
    assert!(found.changed >= found.created && found.created > 1_700_000_000_000);
    let rows = conversations.list("").unwrap();
    let row = ConversationRow { id: found.id, title: found.title, changed: found.changed };
    assert_eq!(rows, [row]);
}

#[test]
fn words_are_sought_in_titles_questions_and_answers() {
    let (_place, conversations) = opened();
    keep(&conversations, "Lease", "How long is the notice?", "Three months.");
    keep(&conversations, "Vaccines", "What does Mia need?", "Measles, in ÅLAND.");
    assert_eq!(titles(&conversations, ""), ["Lease", "Vaccines"]);
    assert_eq!(titles(&conversations, "LEASE months"), ["Lease"]);
    assert_eq!(titles(&conversations, "åland mia"), ["Vaccines"]);
    assert_eq!(titles(&conversations, "lease mia"), [""; 0]);
    assert_eq!(titles(&conversations, "documents"), [""; 0], "passages are not searched");
}

#[test]
fn those_that_changed_last_come_first_and_a_new_title_changes_no_place() {
    let (_place, conversations) = opened();
    let mut first = keep(&conversations, "First", "One?", "1");
    let second = keep(&conversations, "Second", "Two?", "2");
    // Simulates later times: two changes may fall into one millisecond.
    first.changed = second.changed + 5;
    conversations.write(&first).unwrap();
    conversations.rename(&second.id, "Second, renamed").unwrap();
    let rows = conversations.list("").unwrap();
    assert_eq!([&rows[0].title, &rows[1].title], ["First", "Second, renamed"]);
    assert_eq!(rows[1].changed, second.changed);
    assert_eq!(conversations.get(&second.id).unwrap().turns, second.turns);
}

#[test]
fn what_another_process_writes_is_seen() {
    let (place, conversations) = opened();
    let other = Conversations::open(&place.path().join("conversations")).unwrap();
    let kept = keep(&conversations, "Here", "One?", "1");
    assert_eq!(titles(&other, ""), ["Here"]);
    other.rename(&kept.id, "There").unwrap();
    assert_eq!(titles(&conversations, ""), ["There"]);
    other.delete(&kept.id).unwrap();
    assert_eq!(titles(&conversations, ""), [""; 0]);
}

#[test]
fn what_is_deleted_stays_deleted() {
    let (_place, conversations) = opened();
    let kept = keep(&conversations, "Lease", "One?", "1");
    conversations.delete(&kept.id).unwrap();
    let unknown =
        |error: ConversationError| assert!(matches!(error, ConversationError::Unknown { .. }), "{error}");
    unknown(conversations.update(&kept.id, |_| Ok(())).unwrap_err());
    unknown(conversations.get(&kept.id).unwrap_err());
    unknown(conversations.rename(&kept.id, "x").unwrap_err());
    unknown(conversations.delete(&kept.id).unwrap_err());
    assert_eq!(titles(&conversations, ""), [""; 0]);
}

#[test]
fn a_broken_file_is_set_aside_and_the_others_are_listed() {
    let (_place, conversations) = opened();
    let kept = keep(&conversations, "Lease", "One?", "1");
    let broken = keep(&conversations, "Broken", "Two?", "2");
    let path = conversations.path(&broken.id);
    fs::write(&path, &fs::read(&path).unwrap()[..40]).unwrap();
    let bytes = fs::read(&path).unwrap();
    assert_eq!(titles(&conversations, ""), ["Lease"]);
    let aside = conversations.set_aside().unwrap();
    assert_eq!(aside.len(), 1);
    assert_eq!(fs::read(&aside[0]).unwrap(), bytes, "nothing of it is lost");
    // A second one of the same name, to be found on opening.
    fs::write(&path, "{}").unwrap();
    let error = conversations.get(&broken.id).unwrap_err();
    assert!(matches!(error, ConversationError::Broken { .. }), "{error}");
    assert_eq!(conversations.set_aside().unwrap().len(), 2);
    assert_eq!(conversations.get(&kept.id).unwrap(), kept);
}

#[test]
fn a_newer_file_is_left_where_it_is() {
    let (_place, conversations) = opened();
    let kept = keep(&conversations, "Lease", "One?", "1");
    let path = conversations.path(&kept.id);
    for newer in [r#"{"version":2,"talk":[]}"#.to_owned(), {
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.contains("\"version\":1"), "{text}");
        text.replace("\"version\":1", "\"version\":2")
    }] {
        fs::write(&path, &newer).unwrap();
        assert_eq!(titles(&conversations, ""), [""; 0]);
        let error = conversations.rename(&kept.id, "x").unwrap_err();
        assert!(matches!(error, ConversationError::Newer { .. }), "{error}");
        assert_eq!(fs::read_to_string(&path).unwrap(), newer);
    }
    assert_eq!(conversations.set_aside().unwrap(), Vec::<PathBuf>::new());
}

#[test]
fn unknown_fields_and_files_are_passed_over() {
    let (_place, conversations) = opened();
    let kept = keep(&conversations, "Lease", "One?", "1");
    let path = conversations.path(&kept.id);
    let text = fs::read_to_string(&path).unwrap().replacen('{', "{\"colour\":\"green\",", 1);
    fs::write(&path, text).unwrap();
    for name in ["notes.json", "0123456789abcdef.new", "README"] {
        fs::write(conversations.folder.join(name), "not for us").unwrap();
    }
    assert_eq!(titles(&conversations, ""), ["Lease"]);
    assert_eq!(conversations.get(&kept.id).unwrap(), kept);
    assert_eq!(conversations.set_aside().unwrap(), Vec::<PathBuf>::new());
}

#[test]
fn a_write_that_fails_leaves_what_was_there() {
    let (_place, conversations) = opened();
    let kept = keep(&conversations, "Lease", "One?", "1");
    let folder = conversations.folder.clone();
    let away = folder.with_extension("away");
    let failed = conversations.update(&kept.id, |kept| -> Result<(), ConversationError> {
        kept.turns[0].question = "Two?".into();
        fs::rename(&folder, &away).unwrap();
        Ok(())
    });
    failed.unwrap_err();
    fs::rename(&away, &folder).unwrap();
    assert_eq!(conversations.get(&kept.id).unwrap(), kept);
    let names: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names.len(), 2, "the conversation and the lock: {names:?}");
}

#[test]
fn a_change_that_fails_changes_nothing() {
    let (_place, conversations) = opened();
    let kept = keep(&conversations, "Lease", "One?", "1");
    let failed = conversations.update(&kept.id, |kept| {
        kept.turns.clear();
        Err::<(), _>(ConversationError::Unknown { id: kept.id.clone() })
    });
    assert!(matches!(failed, Err(ConversationError::Unknown { .. })));
    assert_eq!(conversations.get(&kept.id).unwrap(), kept);
}

/// Two handles on one folder behave like two processes: they share only the files.
#[test]
fn two_who_write_the_same_conversation_lose_nothing_of_one_another() {
    const TIMES: i64 = 30;
    let (place, conversations) = opened();
    let other = Conversations::open(&place.path().join("conversations")).unwrap();
    let id = conversations.create("Lease").unwrap().id;
    let add = |conversations: &Conversations, from: i64| {
        for asked in from..from + TIMES {
            changed(conversations, &id, |kept| kept.turns.push(Turn::new("One?", asked)));
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(|| add(&conversations, 0));
        scope.spawn(|| add(&conversations, TIMES));
        scope.spawn(|| add(&other, 2 * TIMES));
        scope.spawn(|| {
            for number in 0..TIMES {
                let title = format!("Lease {number}");
                other.rename(&id, &title).unwrap();
                assert_eq!(
                    other.get(&id).unwrap().title,
                    title,
                    "a new turn does not bring the old title back"
                );
            }
        });
    });
    let mut asked: Vec<i64> = conversations.get(&id).unwrap().turns.iter().map(|turn| turn.asked).collect();
    asked.sort_unstable();
    assert_eq!(asked, (0..3 * TIMES).collect::<Vec<_>>());
}

/// Prints how long lists take; `cargo test -p oriel-engine -- --ignored --nocapture thousand_conversations`.
#[test]
#[ignore = "a measurement"]
fn thousand_conversations() {
    let (place, conversations) = opened();
    let passage = TracedPassage {
        path: "/documents/tides.txt".into(),
        document: DocumentId(4711),
        hash: None,
        location: Location::default(),
        start: 0,
        end: 80,
        hits: Vec::new(),
        first: 12,
        last: 14,
        windows: 1,
        dense: Some(StageRank { score: 0.731, rank: 1 }),
        sparse: Some(StageRank { score: 11.2, rank: 3 }),
        fused: None,
        rerank: None,
        score: None,
        fate: Fate::NotShown,
    };
    let turn = Turn {
        answer: Some(answer(&"The tide turns at noon, as the harbour master says [1]. ".repeat(8))),
        trace: Some(Trace { passages: vec![passage; 60], ..Trace::default() }),
        ..full_turn()
    };
    let mut bytes = 0;
    for number in 0..1000 {
        let id = conversations.create(&format!("Conversation {number}")).unwrap().id;
        changed(&conversations, &id, |kept| kept.turns = vec![turn.clone(); 5]);
        bytes = fs::metadata(conversations.path(&id)).unwrap().len();
    }
    println!("{bytes} bytes a file");
    let fresh = Conversations::open(&place.path().join("conversations")).unwrap();
    for (what, query) in [("first", ""), ("again", ""), ("search", "harbour 77")] {
        let begun = std::time::Instant::now();
        let count = fresh.list(query).unwrap().len();
        println!("{what}: {:.1} ms, {count}", begun.elapsed().as_secs_f64() * 1e3);
    }
}
