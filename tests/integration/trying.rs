//! Trying another embedder on earlier questions.

use oriel_core::{Answer, CancelToken};
use oriel_engine::{Conversation, ConversationError, Conversations, PassageDocument, Turn};

use crate::fake_embedder::embedder;
use crate::oriel::{Inside, Oriel};

const QUESTIONS: [&str; 3] = [
    "How long does the battery keep the hands of a Petrel moving after a power cut?",
    "Who won the football world cup in 1998?",
    "May the tenant keep a dog on the premises?",
];

#[test]
fn both_rank_the_passages_that_the_last_answers_cite() {
    let oriel = Oriel::with_sample();
    let answers = oriel.batch("ask", &QUESTIONS, &["--model", "quotes"]);
    let inside = Inside::new(&oriel);
    let conversations = Conversations::open(&oriel.library()).unwrap();
    let id = conversations.create("Before").unwrap().id;
    let keep = |kept: &mut Conversation| -> Result<(), ConversationError> {
        for (question, answer) in QUESTIONS.iter().zip(answers) {
            let answer: Answer = serde_json::from_value(answer).unwrap();
            let document = |path| inside.library.document_at(path).unwrap().id;
            let documents = answer
                .passages
                .iter()
                .map(|passage| Some(PassageDocument { id: document(&passage.path), hash: String::new() }));
            let documents = documents.collect();
            kept.turns.push(Turn { answer: Some(answer), documents, ..Turn::new(*question, 5) });
        }
        Ok(())
    };
    conversations.update(&id, keep).unwrap();

    let asked = conversations.last_cited(20).unwrap();
    let kept: Vec<&str> = asked.iter().map(|one| one.question.as_str()).collect();
    assert_eq!(kept, [QUESTIONS[2], QUESTIONS[0]], "the newest first, without the one that has no answer");
    assert_eq!(conversations.last_cited(1).unwrap().len(), 1);

    let (own, never) = (inside.models().embedder.unwrap(), CancelToken::new());
    let mut told = Vec::new();
    let mut progress = |done, total| told.push((done, total));
    let same = inside.library.try_embedder(&asked, own, own, &mut progress, &never).unwrap();
    assert!(
        told.is_sorted() && told.first().is_some_and(|(done, total)| *done == 0 && *total > 50),
        "{told:?}"
    );
    assert!(same.documents >= 2);
    for one in &same.questions {
        assert_eq!(one.current, one.other, "the kept vectors and those made for the trial are the same");
        assert!(one.current.is_some_and(|rank| rank <= 3), "{one:?}");
    }
    let random = embedder("first");
    let worse = inside.library.try_embedder(&asked, own, &*random, &mut |_, _| (), &never).unwrap();
    let worse_everywhere =
        |one: &oriel_engine::TriedQuestion| one.other.unwrap_or(usize::MAX) > one.current.unwrap();
    assert!(worse.questions.iter().all(worse_everywhere), "{worse:?}");

    let cancelled = CancelToken::new();
    cancelled.cancel();
    let given_up = inside.library.try_embedder(&asked, own, &*random, &mut |_, _| (), &cancelled);
    assert!(given_up.unwrap_err().is_cancelled());
}
