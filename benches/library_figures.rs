//! Costs of keeping a large library up to date. Each test prints its figures, for its own build; `make stress` runs
//! them.
//!
//! `ORIEL_SENTENCES` sets the number of sentences of the long document (100,000 by default).

use std::fmt::Write as _;
use std::fs;
use std::time::{Duration, Instant};

use oriel_core::CancelToken;
use oriel_engine::{DocumentChange, IndexProgress, Mode, Query, SearchModels};

use crate::oriel::Oriel;
use crate::prng::{Prng, from_environment};
use crate::process::{megabytes, processor_time, sample};
use crate::watch_command::Watching;
use crate::watching_drives::Inside;

const BUILD: &str = if cfg!(debug_assertions) { "development" } else { "release" };
/// A written file is at rest after `REST`; a change must be answerable within `SOON` after that.
const REST: Duration = Duration::from_millis(400);
const SOON: Duration = Duration::from_secs(2);
/// Limit of processor time in a build without optimisation, which needs longer than `SOON` by itself.
const SLOW: Duration = Duration::from_secs(10);

/// Sentences of ten words from a vocabulary of 20,000, some of them frequent.
fn long_text(sentences: usize) -> Vec<String> {
    let mut prng = Prng(7);
    let mut word = || {
        let common = 1 + prng.below(20_000);
        format!("w{}", prng.below(common))
    };
    (0..sentences).map(|_| (0..10).map(|_| word()).collect::<Vec<_>>().join(" ") + ".").collect()
}

#[test]
#[ignore = "takes a minute; make stress runs it"]
fn one_changed_sentence_of_a_hundred_thousand_is_answerable_soon() {
    let many = usize::try_from(from_environment("ORIEL_SENTENCES", 100_000)).unwrap();
    let oriel = Oriel::new();
    let mut sentences = long_text(many);
    oriel.write("long.txt", sentences.join("\n\n"));
    let inside = Inside::new(&oriel, 16);
    let begun = Instant::now();
    inside.keep_up(&mut |_| {});
    let (first, embedded) = (begun.elapsed(), inside.embedded());
    assert!(embedded > many * 99 / 100, "{embedded}");

    "The heron stands beside the lock.".clone_into(&mut sentences[many / 2]);
    oriel.write("long.txt", sentences.join("\n\n"));
    let (written, before) = (Instant::now(), processor_time(std::process::id()));
    let mut answerable = None;
    while answerable.is_none() {
        inside.keep_up(&mut |step| {
            if matches!(step, IndexProgress::Changed { change: DocumentChange::Indexed { .. }, .. }) {
                answerable.get_or_insert_with(|| written.elapsed());
            }
        });
    }
    let (took, more) = (answerable.unwrap(), inside.embedded() - embedded);
    let processor = processor_time(std::process::id()) - before;
    for mode in [Mode::Dense, Mode::Sparse] {
        let mut query = Query::new("The heron stands beside the lock.");
        query.mode = mode;
        let models = SearchModels { embedder: Some(&*inside.embedder), reranker: None };
        let found = inside.library.search(&query, &models, &CancelToken::new()).unwrap();
        assert!(found.passages[0].text.contains("heron"), "{mode:?}");
    }
    println!(
        "one of {many} sentences changed ({BUILD} build): {more} embedded, answerable {:.2?} after the file rests, \
         {processor:.2?} of the processor; the whole text was indexed in {first:.1?}",
        took.saturating_sub(REST)
    );
    assert!(more <= 2, "{more}");
    let is_soon = if cfg!(debug_assertions) { processor < SLOW } else { took < REST + SOON };
    assert!(is_soon, "{took:?}, {processor:?} of the processor");
}

#[test]
#[ignore = "takes a minute; make stress runs it"]
fn ten_thousand_renamed_files_are_renamed_soon_and_embed_nothing() {
    const MANY: usize = 10_000;
    let oriel = Oriel::new();
    for number in 0..MANY {
        oriel.write(
            &format!("{}/{number}.txt", number % 100),
            format!("Crate {number} is full.\n\nIt is shut."),
        );
    }
    let inside = Inside::new(&oriel, 16);
    inside.keep_up(&mut |_| {});
    let (embedded, before) = (inside.embedded(), inside.library.overview().unwrap());
    assert_eq!(before.documents, MANY);
    let folder = |number: usize| oriel.documents().join(format!("{}", number % 100));
    let begun = Instant::now();
    for number in 0..MANY {
        let (from, to) = (format!("{number}.txt"), format!("crate {number}.txt"));
        fs::rename(folder(number).join(from), folder(number).join(to)).unwrap();
    }
    let renamed = begun.elapsed();
    let (mut read, mut moved) = (0, 0);
    while moved < MANY {
        inside.keep_up(&mut |step| match step {
            IndexProgress::Reading { .. } => read += 1,
            IndexProgress::Changed { change: DocumentChange::Indexed { .. }, .. } => moved += 1,
            _ => {}
        });
    }
    let took = begun.elapsed() - renamed;
    println!(
        "{MANY} files renamed in {renamed:.1?} ({BUILD} build): {moved} moved, {read} read, {} embedded, {took:.1?} \
         after the last",
        inside.embedded() - embedded
    );
    assert_eq!((read, inside.embedded()), (0, embedded));
    assert_eq!(inside.library.overview().unwrap(), before);
    let rows = inside.library.documents("", usize::MAX).unwrap();
    assert!(rows.iter().all(|row| row.path.exists()), "each has its new name");
    assert!(took < Duration::from_secs(10), "{took:?}");
}

#[test]
#[ignore = "takes minutes; make stress runs it"]
fn a_watch_over_a_hundred_thousand_files_rests() {
    const MANY: usize = 100_000;
    const MINUTE: Duration = Duration::from_secs(60);
    let oriel = Oriel::new();
    for number in 0..MANY {
        let mut text = String::from("The same words, again and again. ");
        write!(text, "{}", ["Once.", "Twice.", "Thrice."][number % 3]).unwrap();
        oriel.write(&format!("{}/{number}.txt", number % 1_000), text);
    }
    oriel.json(&["add", oriel.documents().to_str().unwrap()]);
    let index = oriel.json(&["index"]);
    assert_eq!(index["documents"], MANY);
    let watching = Watching::spawn(oriel.command(&["watch", "--json"]));
    watching.says("up to date, 100000 documents");
    let process = watching.child.id();

    let before = processor_time(process);
    watching.rests(MINUTE);
    let at_rest = processor_time(process) - before;
    let resting = sample(process, &oriel.library());
    // Another folder triggers a full rescan, which otherwise runs every quarter of an hour.
    let other = oriel.beside("other");
    fs::create_dir(&other).unwrap();
    fs::write(other.join("a.txt"), "The other folder is here.").unwrap();
    let before = processor_time(process);
    oriel.json(&["add", other.to_str().unwrap()]);
    watching.until("indexed", &other.canonicalize().unwrap().join("a.txt"));
    let look = processor_time(process) - before;
    let hour = at_rest * 60 + look * 4;
    println!(
        "{MANY} watched files ({BUILD} build): {at_rest:.2?} of the processor in a minute at rest, {look:.2?} for a \
         look at everything: {hour:.1?} in an hour; memory of its own {}, all memory {}; indexed in {} s",
        megabytes(resting.own),
        megabytes(resting.memory),
        index["seconds"]
    );
    watching.end();
    assert!(at_rest < Duration::from_millis(600), "a hundredth of one processor: {at_rest:?}");
    assert!(hour < MINUTE, "{hour:?}");
    assert!(resting.own < 64 << 20, "{}", megabytes(resting.own));
}
