//! Kills at random moments of everything that writes, on a folder that keeps changing. After each kill the library is
//! intact without repair; in the end it equals that of an undisturbed run on the same folder.
//!
//! `ORIEL_KILLS` sets how many (12 by default; `make stress` takes 1,000), `ORIEL_SEED` the seed of the random numbers.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use oriel_core::{CancelToken, Embedder};
use oriel_engine::{IndexProgress, Library, Query, SearchModels};

use crate::fake_embedder::{embedder, index};
use crate::oriel::{Oriel, open};
use crate::prng::{FILES, Prng, change, from_environment};

/// Assumed duration of a process until one has ended.
const TYPICAL: Duration = Duration::from_millis(200);
/// Minimum duration of each stage.
const LEAST_STAGE: Duration = Duration::from_millis(40);
/// Maximum number of changes of the folder before each process; some more come while it runs.
const CHANGES: u64 = 25;

/// The process that is killed: this test's own program.
#[test]
#[ignore = "a process of the test below"]
fn work() {
    let Ok(what) = std::env::var("ORIEL_STRESS") else { return };
    let library = open(&PathBuf::from(std::env::var("ORIEL_STRESS_LIBRARY").unwrap()));
    if what == "compact" {
        println!("stage compacting");
        library.compact(&mut |_, _| {}, &CancelToken::new()).unwrap();
    } else {
        let mut said = "";
        let mut progress = |step: IndexProgress<'_>| {
            let stage = match step {
                IndexProgress::Scanning { .. } => "scanning",
                IndexProgress::Reading { .. } => "reading",
                IndexProgress::Embedding { .. } => "embedding",
                IndexProgress::Recognising { .. }
                | IndexProgress::Sampled { .. }
                | IndexProgress::Changed { .. } => return,
            };
            if stage != std::mem::replace(&mut said, stage) {
                println!("stage {stage}");
                #[expect(
                    clippy::disallowed_methods,
                    reason = "a stage has to last to be killed in, however fast the machine is"
                )]
                std::thread::sleep(LEAST_STAGE);
            }
        };
        index(&library, &embedder(&what), &mut progress, &CancelToken::new()).unwrap();
    }
    println!("stage done");
}

/// When a process is killed.
enum Moment {
    /// So long after its start.
    After(Duration),
    /// So long after it has reported this stage.
    In(&'static str, Duration),
}

/// Starts the process, keeps changing the folder, and kills it at the given moment. Returns its stage and how long it
/// lived.
fn lived(oriel: &Oriel, what: &str, moment: &Moment, prng: &mut Prng) -> (String, Duration) {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "stress::work", "--ignored", "--nocapture"])
        .env("ORIEL_STRESS", what)
        .env("ORIEL_STRESS_LIBRARY", oriel.library())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
    let (sender, stages) = channel();
    std::thread::spawn(move || {
        let mut said = lines.filter_map(|line| line.strip_prefix("stage ").map(str::to_owned));
        said.try_for_each(|stage| sender.send(stage))
    });
    let begun = Instant::now();
    let (mut stage, mut due) = ("starting".to_owned(), None);
    if let Moment::After(life) = moment {
        due = Some(begun + *life);
    }
    while due.is_none_or(|due| Instant::now() < due) {
        if prng.below(3) == 0 {
            change(&oriel.documents(), prng);
        }
        let pause = Duration::from_millis(1 + prng.below(20));
        let left = due.map(|due| due.saturating_duration_since(Instant::now()));
        match stages.recv_timeout(left.unwrap_or(pause).min(pause)) {
            Ok(said) => stage = said,
            Err(RecvTimeoutError::Timeout) => {}
            // It has ended by itself.
            Err(RecvTimeoutError::Disconnected) => break,
        }
        if let Moment::In(wanted, after) = moment
            && due.is_none()
            && *wanted == stage
        {
            due = Some(Instant::now() + *after);
        }
    }
    // No effect if it has already ended.
    let _ = child.kill();
    child.wait().unwrap();
    (stages.iter().last().unwrap_or(stage), begun.elapsed())
}

/// Everything that a user sees of a library: texts, sentences, and the answers of each document. Documents are searched
/// one by one, because equally good results are ordered by id, and ids depend on the order of indexing.
fn seen(library: &Library, embedder: &dyn Embedder) -> BTreeMap<String, String> {
    let mut seen = BTreeMap::new();
    let models = SearchModels { embedder: Some(embedder), reranker: None };
    for row in library.documents("", usize::MAX).unwrap() {
        let text = library.text_of(row.id).map(|text| format!("{:?} {:?}", text.sentences, text.text));
        let mut answers = String::new();
        for topic in [1, 11, 21] {
            let mut query = Query::new(format!("Entry 7 of read_queue {topic} names 3 barrels of oil."));
            query.filter.within = vec![row.path.clone()];
            let found = library.search(&query, &models, &CancelToken::new()).unwrap();
            for one in &found.passages {
                answers.push_str(&format!("{}..{} {:.4} {:?}\n", one.start, one.end, one.score, one.hits));
            }
        }
        seen.insert(row.path.display().to_string(), format!("{:?} {text:?} {answers}", row.state));
    }
    seen
}

#[test]
fn kills_at_any_moment_leave_a_sound_library_and_in_the_end_the_same_one() {
    let kills = from_environment("ORIEL_KILLS", 12);
    let mut prng = Prng(from_environment("ORIEL_SEED", 0x9e37_79b9_7f4a_7c15));
    let oriel = Oriel::new();
    for _ in 0..3 * FILES {
        change(&oriel.documents(), &mut prng);
    }
    oriel.open().add(&[oriel.documents()]).unwrap();
    let mut stages = BTreeMap::new();
    let mut typical = BTreeMap::new();
    for kill in 0..kills {
        for _ in 0..prng.below(CHANGES) {
            change(&oriel.documents(), &mut prng);
        }
        let what = match prng.below(10) {
            0..=5 => "first",
            6..=8 => "second",
            _ => "compact",
        };
        let moment = if what != "compact" && prng.below(2) == 0 {
            // The shortest stages; the change of the embedder comes after the second.
            let (stage, longest) = (prng.below(2) as usize, 1 << prng.below(6));
            let after = Duration::from_millis(prng.below(longest));
            Moment::In(["reading", "embedding"][stage], after)
        } else {
            // About as long as a process of this kind took lately, or shorter; some end by themselves.
            let longest = typical.get(what).copied().unwrap_or(TYPICAL);
            Moment::After(longest.mul_f64(prng.below(1_150) as f64 / 1_000.0))
        };
        let before = oriel.open().embedder_fingerprint().unwrap();
        let (stage, lived) = lived(&oriel, what, &moment, &mut prng);
        if stage == "done" {
            // A process that had nothing to do would make the estimate too short.
            let before = typical.get(what).copied().unwrap_or_default();
            typical.insert(what, lived.max(before.mul_f64(0.9)));
        }
        let library = oriel.open();
        let findings = library.check(&CancelToken::new()).unwrap();
        assert!(
            findings.problems.is_empty(),
            "kill {kill} of '{what}' while {stage}, after {lived:?}: {:?}",
            findings.problems
        );
        if stage != "done" && library.embedder_fingerprint().unwrap() != before {
            *stages.entry("after a swap".to_owned()).or_insert(0) += 1;
        } else {
            *stages.entry(stage).or_insert(0) += 1;
        }
    }
    println!("{kills} kills: {stages:?}");
    // With few kills some stages may be missed.
    if kills >= 200 {
        for stage in ["reading", "embedding", "compacting"] {
            assert!(stages.contains_key(stage), "nothing was killed while {stage}: {stages:?}");
        }
    }
    let ended = stages.get("done").copied().unwrap_or(0);
    assert!(ended * 2 <= kills, "most came to their end before they could be killed: {stages:?}");
    let last = embedder("first");
    let library = oriel.open();
    index(&library, &last, &mut |_| {}, &CancelToken::new()).unwrap();
    assert_eq!(library.check(&CancelToken::new()).unwrap().problems, []);

    let undisturbed = open(&oriel.beside("undisturbed"));
    undisturbed.add(&[oriel.documents()]).unwrap();
    index(&undisturbed, &last, &mut |_| {}, &CancelToken::new()).unwrap();
    let (found, wanted) = (seen(&library, &*last), seen(&undisturbed, &*last));
    assert!(wanted.len() > 5, "there are documents: {}", wanted.len());
    assert_eq!(found.keys().collect::<Vec<_>>(), wanted.keys().collect::<Vec<_>>());
    for (path, wanted) in &wanted {
        assert_eq!(&found[path], wanted, "{path}");
    }
}
