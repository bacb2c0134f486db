//! Explanations: how an answer came about, and why a file was not found.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, PoisonError};
use std::time::Instant;

use oriel_core::{CancelToken, DocumentId};
use oriel_engine::{
    AnswerModels, Answered, CachedReranker, Condition, Fate, Filter, Mode, Query, RerankMode, SearchModels,
    Standing, Trace, WhyNot, Window, answer,
};
use oriel_models::{LlamaProcess, LlamaSettings};

use crate::generator::{ALONE, process, process_with};
use crate::oriel::{Inside, Oriel};

const BATTERY: &str = "How long does the battery keep the hands of a Petrel moving after a power cut?";

fn back(trace: &Trace) -> Trace {
    serde_json::from_str(&serde_json::to_string(trace).unwrap()).unwrap()
}

#[test]
fn a_trace_accounts_for_every_passage() {
    let oriel = Oriel::with_sample();
    let inside = Inside::new(&oriel);
    let mut cut = 0;
    for question in [BATTERY, "What is the rent of the workshop?", "Wer hat die Uhr repariert?"] {
        for rerank in [RerankMode::Passage, RerankMode::Sentence, RerankMode::Off] {
            let query = Query { rerank, as_typed: true, ..Query::new(question) };
            let result = inside.search(&query);
            let trace = &result.trace;
            assert_eq!(back(trace), *trace);
            assert_eq!((trace.dense, trace.candidates, &trace.prompt), (50, 20, &None));
            assert!(
                trace.fused >= trace.dense.max(trace.sparse) && trace.fused <= trace.dense + trace.sparse
            );
            assert_eq!(trace.passages.iter().map(|one| one.windows).sum::<usize>(), trace.candidates);
            let shown = trace.passages.iter().filter_map(|one| match one.fate {
                Fate::Shown { n } => Some((n, one.path.clone(), one.location.clone(), one.start, one.end)),
                _ => None,
            });
            let passages = result.passages.iter();
            assert_eq!(
                shown.collect::<Vec<_>>(),
                passages
                    .map(|one| (one.n, one.path.clone(), one.location.clone(), one.start, one.end))
                    .collect::<Vec<_>>()
            );
            cut += trace.passages.len() - result.passages.len();
            let mut fused: Vec<usize> = Vec::new();
            for one in &trace.passages {
                assert!(one.dense.is_some() || one.sparse.is_some(), "{one:?}");
                assert!(one.last - one.first < 2 + 5 * u32::try_from(one.windows).unwrap());
                assert_eq!(one.rerank.is_some(), rerank != RerankMode::Off);
                assert!(one.rerank.is_none_or(|score| (0.0..=1.0).contains(&score)));
                assert!(
                    one.dense.is_none_or(|place| (-1.0..=1.0).contains(&place.score) && place.rank <= 50)
                );
                fused.push(one.fused.unwrap().rank);
            }
            if rerank == RerankMode::Off {
                assert!(fused.is_sorted(), "the retriever's order stands: {fused:?}");
            }
            assert_eq!(fused.iter().collect::<BTreeSet<_>>().len(), fused.len());
            assert!(fused.contains(&1) && fused.iter().all(|rank| *rank <= 20));
        }
    }
    assert!(cut > 0, "nothing was ever cut");
    let json = oriel.json(&["search", BATTERY]);
    assert!(json.get("trace").is_none(), "the command's JSON is as documented");
}

#[test]
fn what_stands_in_two_documents_is_shown_once() {
    let text = "The tide table is printed in June. It costs nine guineas. The harbour master pays for it.";
    let oriel = Oriel::with(&[
        ("one.txt", text),
        ("copy.txt", text),
        ("other.txt", "The tide table of the harbour is blue."),
    ]);
    let inside = Inside::new(&oriel);
    let mut query = Query { top: 2, ..Query::new("What does the tide table cost?") };
    let result = inside.search(&query);
    let fates = |trace: &Trace| trace.passages.iter().map(|one| one.fate).collect::<Vec<_>>();
    let found = fates(&result.trace);
    assert_eq!(found.len(), 3);
    assert!(found.contains(&Fate::SameText { n: 1 }), "{found:?}");
    assert_eq!(result.passages.len(), 2);
    assert_ne!(result.passages[0].text, result.passages[1].text);
    // Single windows are for comparison: none is cut.
    (query.merge, query.top) = (false, 50);
    let apart = inside.search(&query);
    assert_eq!(apart.passages.len(), 7);
    assert!(!fates(&apart.trace).iter().any(|fate| matches!(fate, Fate::SameText { .. })));
}

fn ask(inside: &Inside, search: &SearchModels<'_>, top: usize, generator: &LlamaProcess) -> Answered {
    let models = AnswerModels { search: *search, ..inside.answer_models(generator) };
    let (query, cancel) = (Query { top, ..Query::new(BATTERY) }, CancelToken::new());
    answer(&inside.library, &query, &models, &mut |_| (), &cancel).unwrap()
}

#[test]
fn an_answer_says_what_was_read_and_where_it_stands() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let oriel = Oriel::with_sample();
    let inside = Inside::new(&oriel);
    let given = ask(&inside, &inside.models(), 5, &process());
    assert!(!given.stopped && given.died.is_none() && !given.answer.abstained);
    let prompt = given.trace.prompt.as_ref().unwrap();
    assert!(prompt.tokens <= prompt.limit && prompt.text.contains(BATTERY));
    let used: Vec<usize> = given
        .trace
        .passages
        .iter()
        .filter_map(|one| if let Fate::Used { n } = one.fate { Some(n) } else { None })
        .collect();
    assert!(used.contains(&1));
    for n in used {
        assert!(prompt.text.contains(&format!("\n[{n}] ")), "passage {n} is not in the prompt");
    }
    for sentence in &given.answer.sentences {
        assert_eq!(sentence.supported, sentence.reason.is_none());
        if sentence.supported {
            let cited: Vec<usize> = sentence.places.iter().map(|place| place.n).collect();
            assert_eq!(cited, sentence.citations);
        }
        for place in &sentence.places {
            let passage = &given.answer.passages[place.n - 1];
            assert!(passage.start <= place.start && place.start < place.end && place.end <= passage.end);
            let shown = inside.library.show(&passage.path).unwrap();
            let is_it =
                |one: &oriel_core::Sentence| (one.span.start, one.span.end) == (place.start, place.end);
            assert!(shown.sentences.iter().any(is_it), "{place:?} is no sentence");
        }
    }
    let places = given.answer.sentences.iter().flat_map(|sentence| &sentence.places);
    let texts = places.map(|place| {
        let passage = &given.answer.passages[place.n - 1];
        &passage.text[(place.start - passage.start) as usize..(place.end - passage.start) as usize]
    });
    assert!(texts.collect::<String>().contains("72 hours"), "{}", given.answer.answer);
    let kept: Answered = serde_json::from_str(&serde_json::to_string(&given).unwrap()).unwrap();
    assert_eq!(kept.trace, given.trace);

    // Without a reranker all shown passages are read. With less room fewer are read, and those left out say how much
    // room was missing.
    let small = process_with(LlamaSettings { context_length: 700, ..LlamaSettings::default() });
    let given = ask(&inside, &SearchModels::default(), 8, &small);
    let prompt = given.trace.prompt.as_ref().unwrap();
    let refused: Vec<(usize, usize)> = given
        .trace
        .passages
        .iter()
        .filter_map(|one| {
            if let Fate::NoRoom { tokens, left, .. } = one.fate { Some((tokens, left)) } else { None }
        })
        .collect();
    assert!(prompt.tokens <= prompt.limit && prompt.limit < 700);
    assert!(!refused.is_empty() && refused.iter().all(|(tokens, left)| *tokens > 0 && *left < 700));
    assert!(refused[0].0 > refused[0].1, "the first that was left out would have fitted: {refused:?}");
}

fn why(inside: &Inside, query: &Query, id: DocumentId) -> WhyNot {
    let why = inside.library.why_not(query, &inside.models(), id, &CancelToken::new()).unwrap();
    assert_eq!(serde_json::from_str::<WhyNot>(&serde_json::to_string(&why).unwrap()).unwrap(), why);
    why
}

#[test]
fn a_file_that_was_not_found_says_why() {
    let sentences = (0..30).map(|n| format!("The pump in cellar {n} was repaired in May. "));
    let oriel = Oriel::with(&[
        ("broken.pdf", "%PDF-1.7 and nothing else"),
        ("pumps.txt", &sentences.collect::<String>()),
        ("keys.md", "The keys are in the tin above the stove.\n\nThe plumber mended a leak downstairs.\n"),
    ]);
    let inside = Inside::new(&oriel);
    let question = "When was the pump in the cellar repaired?";
    let query = Query {
        candidates: 5,
        top: 3,
        window: Window { before: 1, after: 1 },
        as_typed: true,
        ..Query::new(question)
    };
    let everything = inside.search(&Query { candidates: 100, top: 100, mode: Mode::Dense, ..query.clone() });
    let id_of = |name: &str| {
        let known = everything.trace.passages.iter().find(|one| one.path.ends_with(name));
        known.map_or(DocumentId(u32::MAX), |one| one.document)
    };
    let (pumps, keys) = (id_of("pumps.txt"), id_of("keys.md"));

    let found = why(&inside, &query, pumps);
    assert_eq!((&found.standing, found.sentences, found.without_vectors), (&Standing::Indexed, 30, 0));
    let best = found.best.unwrap();
    assert!(best.text.contains("pump") && best.fused.unwrap().rank <= 5, "{best:?}");
    assert!(found.passages.iter().any(|one| matches!(one.fate, Fate::Shown { .. })));

    let missed = why(&inside, &query, keys);
    assert_eq!((missed.needed.retrieved, missed.needed.candidate, missed.needed.shown), (50, 5, 3));
    assert!(missed.passages.is_empty() && !missed.outdated && missed.excluded_by.is_empty());
    let best = missed.best.unwrap();
    assert!(
        ["The keys are in the tin above the stove.", "The plumber mended a leak downstairs."]
            .contains(&best.text.as_str())
    );
    let dense = best.dense.unwrap();
    // The same rank as in a search that shows every sentence.
    let other = Query { window: Window { before: 0, after: 0 }, merge: false, ..query.clone() };
    let other = Query { candidates: 100, top: 100, mode: Mode::Dense, rerank: RerankMode::Off, ..other };
    let all = inside.search(&other);
    let at = all.passages.iter().position(|passage| passage.text == best.text).unwrap();
    assert_eq!(dense.rank, at + 1);
    assert!((dense.score - all.passages[at].score).abs() < 1e-6);
    assert!(best.fused.unwrap().rank > missed.needed.candidate);
    assert!(best.rerank.unwrap() < missed.needed.rerank.unwrap(), "{:?}", missed.needed);

    let filter = Filter { kinds: vec![oriel_core::Kind::Text], since: Some(i64::MAX), ..Filter::default() };
    let excluded = why(&inside, &Query { filter, ..query.clone() }, keys);
    assert_eq!(excluded.excluded_by, [Condition::Kind, Condition::Since]);
    assert!(excluded.best.unwrap().dense.unwrap().rank <= 2, "nothing else is admitted");

    // Without an embedder only the words decide.
    let query = Query::new("stove");
    let no_models = SearchModels::default();
    let words = inside.library.why_not(&query, &no_models, keys, &CancelToken::new()).unwrap();
    let best = words.best.unwrap();
    assert_eq!((best.sparse.unwrap().rank, best.dense, best.rerank), (1, None, None));

    let failed = (0..10).map(DocumentId).find_map(|id| {
        let why = inside.library.why_not(&query, &no_models, id, &CancelToken::new()).ok()?;
        why.path.ends_with(Path::new("broken.pdf")).then_some(why)
    });
    let failed = failed.unwrap();
    assert!(matches!(failed.standing, Standing::Failed { .. }) && failed.best.is_none(), "{failed:?}");
    let unknown = inside.library.why_not(&query, &no_models, DocumentId(999), &CancelToken::new());
    assert!(unknown.unwrap_err().to_string().contains("is not in the library"));
}

#[test]
fn another_window_asks_the_reranker_almost_nothing() {
    let oriel = Oriel::with_sample();
    let inside = Inside::new(&oriel);
    let count = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&count);
    let watched = inside.watched(move |pairs| _ = counted.fetch_add(pairs, Ordering::Relaxed));
    let cached = CachedReranker::new(Arc::new(watched));
    let models = SearchModels { reranker: Some(&cached), ..inside.models() };
    let mut asked = Vec::new();
    for k in [2, 3, 5, 8, 1, 2] {
        let query = Query { window: Window { before: k, after: k }, ..Query::new(BATTERY) };
        let begun = Instant::now();
        let found = inside.library.search(&query, &models, &CancelToken::new()).unwrap();
        let pairs = count.swap(0, Ordering::Relaxed);
        println!("window {k}: {pairs} pairs, {:.0?}", begun.elapsed());
        asked.push(pairs);
        // Pairs are computed in different batches, which changes the last digits.
        let plain = inside.search(&query);
        let same = found.passages.iter().zip(&plain.passages);
        assert!(
            same.clone().all(|(a, b)| a.text == b.text && (a.score - b.score).abs() < 1e-3),
            "window {k}"
        );
        assert_eq!(found.passages.len(), plain.passages.len());
    }
    assert!(asked[0] >= 15 && asked[1..].iter().sum::<usize>() <= asked[0] / 2, "{asked:?}");
    assert_eq!(asked[5], 0, "a search that was made before");
}
