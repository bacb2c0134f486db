//! `eval`: its figures equal those of the searches that it runs, and its report is one safe page.

use std::collections::HashSet;
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use oriel_api::{AppError, Searcher, open_roles};
use oriel_core::{CancelToken, Finish, Generation, GenerationRequest, Generator, ModelError};
use oriel_engine::Query;
use oriel_eval::{
    Arm, EvaluationOptions, EvaluationStage, GeneratedQuestion, MIN_KEPT_QUESTIONS, Metric, Review, RunEvent,
    generate_questions,
};
use oriel_models::{Choice, ThreadBegin};
use serde_json::{Value, json};

use crate::oriel::{Oriel, said, text};

const HARBOUR: &str = "# Harbour\n\nThe ferry to Lannow leaves at nine. It carries forty people and two carts. \
                       The harbour master is Demelza Trewin. She keeps the tide tables in her office.\n";
const WORKSHOP: &str = "# Workshop\n\nThe workshop opens at eight. On Fridays it closes at one. \
                        The lathe was bought in 1987 from a yard in Bristol. Nobody may use it alone.\n";

/// A library of two documents with five questions: two about each, and one about a missing document.
fn asked() -> (Oriel, PathBuf, Vec<Value>) {
    let oriel = Oriel::with(&[("harbour.md", HARBOUR), ("workshop.md", WORKSHOP)]);
    let line = |id: &str, question: &str, file: &str, whole: &str, answer: &str| {
        let start = whole.find(answer).unwrap();
        let span = json!({"byte_start": start, "byte_end": start + answer.len()});
        json!({"id": id, "question": question, "file": file, "answers": [answer], "spans": [span]})
    };
    let lines = vec![
        line("1", "When does the ferry to Lannow leave?", "harbour.md", HARBOUR, "at nine"),
        line("2", "Who is the harbour master?", "harbour.md", HARBOUR, "Demelza Trewin"),
        line("3", "Where was the lathe bought?", "workshop.md", WORKSHOP, "Bristol"),
        line("4", "Who is <b>the king</b> & his \"queen\"?", "gone.md", "nobody", "nobody"),
        json!({"id": "5", "question": "How tall is the lighthouse on Mars?", "answerable": false}),
    ];
    let path = oriel.beside("exam.jsonl");
    fs::write(&path, lines.iter().map(|line| format!("{line}\n")).collect::<String>()).unwrap();
    (oriel, path, lines)
}

/// The share of questions with a whole gold span in the first `depth` passages, as `tests/eval/retrieval.py` counts it.
fn share_within(depth: usize, lines: &[Value], results: &[Value]) -> f64 {
    let held = lines.iter().zip(results).filter(|(line, result)| {
        let passages = result["passages"].as_array().unwrap().iter().take(depth);
        let mut passages = passages.filter(|passage| text(&passage["path"]).ends_with(text(&line["file"])));
        passages.any(|passage| {
            line["spans"].as_array().unwrap().iter().any(|span| {
                passage["start"].as_u64() <= span["byte_start"].as_u64()
                    && span["byte_end"].as_u64() <= passage["end"].as_u64()
            })
        })
    });
    held.count() as f64 / lines.len() as f64
}

#[test]
fn eval_gives_the_figures_of_the_searches_and_writes_them_as_a_page() {
    let (oriel, path, lines) = asked();
    let page = oriel.beside("report.html");
    let arms = "unmerged,no-rerank,dense,sparse,chunks-512,chunks-100,recursive";
    let report = oriel.json(&[
        "eval",
        path.to_str().unwrap(),
        "--answers",
        "--model",
        "quotes",
        "--compare",
        arms,
        "--report",
        page.to_str().unwrap(),
    ]);
    assert_eq!(
        (&report["questions"], &report["answerable"], &report["missing"]),
        (&json!(5), &json!(4), &json!(["gone.md"]))
    );

    let answerable = &lines[..4];
    let questions: Vec<&str> = answerable.iter().map(|line| text(&line["question"])).collect();
    for (arm, flags) in [(0, &[][..]), (1, &["--no-merge"]), (2, &["--rerank", "off"])] {
        let results = oriel.batch("search", &questions, flags);
        let metrics = &report["arms"][arm]["metrics"];
        for (metric, depth) in [("hit@1", 1), ("hit@3", 3), ("hit@5", 5)] {
            assert_eq!(metrics[metric]["value"], share_within(depth, answerable, &results), "{arm} {metric}");
        }
    }
    let in_use = &report["arms"][0];
    assert_eq!(in_use["metrics"]["hit@5"]["value"], 0.75, "what is not in the library is missed");
    assert_eq!(in_use["metrics"]["unanswered_unanswerable"]["value"], 1.0);
    assert!(in_use["latency"]["total_ms"]["median"].as_f64().unwrap() > 0.0);
    assert!(in_use["metrics"]["hit@1"].get("difference").is_none());
    let names: Vec<&str> = report["arms"].as_array().unwrap().iter().map(|arm| text(&arm["arm"])).collect();
    assert_eq!(names.join(","), format!("oriel,{arms}"));
    for arm in &report["arms"].as_array().unwrap()[1..] {
        assert!(arm["metrics"]["hit@1"]["difference"]["low"].is_f64(), "{arm}");
    }
    // Each document is one chunk of 512 tokens, which contains the answers of both of its questions.
    assert_eq!(report["arms"][5]["metrics"]["hit@3"]["value"], 0.75);
    assert_eq!(report["arms"][5]["metrics"]["context_recall"]["value"], 0.75);

    let html = fs::read_to_string(page).unwrap();
    assert!(
        !html.contains("http") && !html.contains("<script") && !html.contains("url("),
        "it needs a network"
    );
    assert!(!html.contains("<b>the king"), "a question became markup");
    assert!(html.contains("Who is &lt;b&gt;the king&lt;/b&gt; &amp; his &quot;queen&quot;?"));
    for name in ["Oriel as it is set", "Chunks of 512 tokens", "Can you trust the percentage?"] {
        assert!(html.contains(name), "{name}");
    }
}

#[test]
fn eval_reads_squad_and_beir() {
    let (oriel, _, _) = asked();
    let squad = oriel.beside("dev.json");
    let context = "The lathe was bought in 1987\nfrom a yard in Bristol.";
    let answer = json!({"text": "Bristol", "answer_start": 44});
    let qas = json!([
        {"id": "a", "question": "Where was the lathe bought?", "is_impossible": false, "answers": [answer]},
        {"id": "b", "question": "Who sold the lighthouse on Mars?", "is_impossible": true, "answers": []},
    ]);
    let data = json!({"data": [{"title": "W", "paragraphs": [{"context": context, "qas": qas}]}]});
    fs::write(&squad, data.to_string()).unwrap();
    let report = oriel.json(&["eval", squad.to_str().unwrap()]);
    assert_eq!((&report["form"], &report["answerable"]), (&json!("squad"), &json!(1)));
    assert_eq!(report["arms"][0]["metrics"]["hit@5"]["value"], 1.0);

    let beir = oriel.beside("beir");
    fs::create_dir_all(beir.join("qrels")).unwrap();
    fs::write(beir.join("queries.jsonl"), "{\"_id\": \"q\", \"text\": \"Where was the lathe bought?\"}\n")
        .unwrap();
    fs::write(beir.join("qrels/test.tsv"), "query-id\tcorpus-id\tscore\nq\tworkshop\t1\n").unwrap();
    let report = oriel.json(&["eval", beir.to_str().unwrap()]);
    let metrics = &report["arms"][0]["metrics"];
    assert_eq!((&metrics["hit@1"]["value"], &metrics["ndcg@10"]["value"]), (&json!(1.0), &json!(1.0)));
    assert!(metrics.get("context_recall").is_none(), "there are no spans");
}

#[test]
fn eval_says_what_is_wrong_before_it_searches() {
    let (oriel, path, _) = asked();
    let whole = fs::read_to_string(&path).unwrap();
    let fails = |text: &str, arguments: &[&str], wanted: &str| {
        fs::write(&path, text).unwrap();
        let output = oriel.run(&[&["eval", path.to_str().unwrap()], arguments].concat());
        let said = said(&output);
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert!(said.contains(wanted) && said.trim().lines().count() == 1, "{said}");
    };
    fails(
        &format!("{whole}{{\"id\": 9}}\n"),
        &[],
        "exam.jsonl has a mistake in line 6: missing field `question`",
    );
    fails("How are you?\n", &[], "is no file of questions");
    let elsewhere = "{\"id\": 1, \"question\": \"Who?\", \"file\": \"b.md\", \"spans\": [{\"byte_start\": 0, \"byte_end\": 2}]}\n";
    fails(elsewhere, &[], "asks about 1 files or passages, and none of them is in the library");
    let output = oriel.run(&["eval", path.to_str().unwrap(), "--compare", "chunks"]);
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    let out = oriel.beside("made.jsonl");
    let output = oriel.run(&["eval", "--generate", "3", "--out", out.to_str().unwrap(), "--model", "quotes"]);
    assert!(said(&output).contains("oriel models pull"), "{}", said(&output));
    assert!(!out.exists());
}

#[test]
fn a_run_that_is_stopped_keeps_what_was_asked() {
    let (mut text, mut lines) = (String::new(), String::new());
    for at in 1..=MIN_KEPT_QUESTIONS {
        let start = text.len();
        text.push_str(&format!("Ferry {at} brought {} carts to Lannow.", 11 * at));
        let span = json!({"byte_start": start, "byte_end": text.len()});
        text.push_str("\n\n");
        let question = format!("How many carts did ferry {at} bring?");
        let line = json!({"id": at, "question": question, "file": "ferries.md", "spans": [span]});
        lines.push_str(&format!("{line}\n"));
    }
    let oriel = Oriel::with(&[("ferries.md", &text)]);
    let path = oriel.beside("exam.jsonl");
    fs::write(&path, lines).unwrap();
    let library = Arc::new(oriel.open());
    let roles = Arc::new(open_roles(Choice::default(), ThreadBegin::default()).unwrap());
    let searcher = Searcher::new(Arc::clone(&library), roles);
    let review = Review::of(&library);
    assert_eq!(review.add_file(&path).unwrap(), MIN_KEPT_QUESTIONS);
    let options = EvaluationOptions {
        query: Query::new(""),
        compare: vec![Arm::Sparse],
        answers: false,
        generator: None,
    };
    let run_until = |arm, questions| {
        let cancel = CancelToken::new();
        let mut on_event = |event: RunEvent<'_>| {
            if let RunEvent::Progress(progress) = event
                && progress.stage == EvaluationStage::Asking(arm)
                && progress.done == questions
            {
                cancel.cancel();
            }
        };
        review.run(&searcher, &options, &mut on_event, &cancel)
    };
    assert!(run_until(Arm::InUse, 0).unwrap_err().is_cancelled());
    assert!(review.runs().unwrap().is_empty(), "nothing was asked");
    let first = run_until(Arm::InUse, 10).unwrap();
    assert_eq!((first.stopped, first.report.questions, first.wanted), (true, 10, MIN_KEPT_QUESTIONS));
    let second = run_until(Arm::Sparse, 5).unwrap();
    let [in_use, sparse] = second.report.arms.as_slice() else { panic!("{:?}", second.report.arms) };
    assert_eq!((in_use.questions, sparse.questions), (MIN_KEPT_QUESTIONS, 5));
    assert!(sparse.metrics[&Metric::Hit1].difference.is_some());
    let kept: Vec<u64> = review.runs().unwrap().iter().map(|run| run.at).collect();
    assert_eq!(kept, [second.at, first.at]);
}

/// A generator that asks only about the lathe, and counts its calls.
struct Asker(AtomicUsize);

impl Generator for Asker {
    fn id(&self) -> &str {
        "asker"
    }

    fn context_length(&self, _: &CancelToken) -> Result<usize, ModelError> {
        Ok(4096)
    }

    fn prompt_tokens(&self, _: &GenerationRequest, _: &CancelToken) -> Result<usize, ModelError> {
        Ok(100)
    }

    fn generate(
        &self,
        request: &GenerationRequest,
        piece: &mut dyn FnMut(&str),
        _: &CancelToken,
    ) -> Result<Generation, ModelError> {
        let is_lathe = request.user.contains("\"The lathe was bought in 1987");
        piece(if is_lathe { "\nWhich yard sold the lathe in 1987?\n" } else { "I cannot ask about that." });
        self.0.fetch_add(1, Ordering::Relaxed);
        Ok(Generation {
            prompt_tokens: 100,
            tokens: 9,
            refusal: None,
            certainties: Vec::new(),
            finish: Finish::Stop,
        })
    }
}

/// Makes up to three questions.
fn make(
    oriel: &Oriel,
    asker: &Asker,
    known: &HashSet<String>,
    cancel: &CancelToken,
) -> Result<Vec<GeneratedQuestion>, AppError> {
    let mut made = Vec::new();
    let mut keep = |question| {
        made.push(question);
        Ok(())
    };
    generate_questions(&oriel.open(), asker, 3, known, &mut keep, &mut |_, _| {}, cancel)?;
    Ok(made)
}

#[test]
fn questions_made_for_eval_name_their_sentence() {
    let (oriel, path, _) = asked();
    let asker = Asker(AtomicUsize::new(0));
    let made = make(&oriel, &asker, &HashSet::new(), &CancelToken::new()).unwrap();
    let [question] = made.as_slice() else { panic!("{made:?}") };
    assert!(
        question.file.ends_with("workshop.md") && question.question == "Which yard sold the lathe in 1987?"
    );
    let span = &question.spans[0];
    assert_eq!(&WORKSHOP[span.byte_start as usize..span.byte_end as usize], span.text);
    let sentences = asker.0.load(Ordering::Relaxed);
    assert!((2..=8).contains(&sentences), "each sentence is asked about once, not {sentences} times");
    fs::write(&path, serde_json::to_string(question).unwrap()).unwrap();
    let report = oriel.json(&["eval", path.to_str().unwrap()]);
    assert_eq!(report["arms"][0]["metrics"]["hit@1"]["value"], 1.0);

    let cancelled = CancelToken::new();
    cancelled.cancel();
    assert!(make(&oriel, &asker, &HashSet::new(), &cancelled).unwrap_err().is_cancelled());

    let known = HashSet::from([question.id.clone()]);
    let more = make(&oriel, &asker, &known, &CancelToken::new()).unwrap();
    assert!(more.is_empty(), "a sentence is not asked about again: {more:?}");
}
