//! A paused indexing ends at once, continues where it was, and lets others write.

use std::process::Stdio;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

use oriel_api::{Activity, Indexer, IndexerListener, IndexerOptions, Power, open_roles};
use oriel_core::{CancelToken, Embedder, Notice, TextKind};
use oriel_engine::{IndexProgress, LazyEmbedder, Library};
use oriel_models::{CandleEmbedder, CandleSettings, Choice, ThreadBegin};

use crate::fake_embedder::{FakeEmbedder, index};
use crate::oriel::{Oriel, models};

/// The longest time that a pause may take.
const SOON: Duration = Duration::from_secs(1);

/// Indexes, and pauses some time after the first progress for which `at` is true. Returns how long the pause took.
fn pause_after(
    library: &Library,
    embedder: &Arc<dyn Embedder>,
    at: fn(&IndexProgress<'_>) -> bool,
    then: Duration,
) -> Duration {
    let cancel = CancelToken::new();
    let mut clicked = None;
    let mut progress = |step: IndexProgress<'_>| {
        if clicked.is_none() && at(&step) {
            let cancel = cancel.clone();
            clicked = Some(std::thread::spawn(move || {
                #[expect(clippy::disallowed_methods, reason = "the moment of the pause is what is tested")]
                std::thread::sleep(then);
                cancel.cancel();
                Instant::now()
            }));
        }
    };
    let ended = index(library, embedder, &mut progress, &cancel);
    let end = Instant::now();
    assert!(ended.is_err_and(|error| error.is_cancelled()), "it had finished before the pause");
    let clicked = clicked.expect("it came to the stage").join().unwrap();
    end.saturating_duration_since(clicked)
}

/// Writes files with so many sentences each, all distinct.
pub fn write_many(oriel: &Oriel, files: usize, sentences: usize) {
    for file in 0..files {
        let text: String = (0..sentences)
            .map(|n| format!("Entry {n} of read_queue {file} names {} barrels of oil. ", n * file))
            .collect();
        oriel.write(&format!("{file}.txt"), text);
    }
}

/// More than fit into two transactions.
const FILES: usize = 600;

/// A library that follows such files, none of which is read, with an embedder.
fn many(files: usize, sentences: usize) -> (Oriel, Library, Arc<FakeEmbedder>) {
    let oriel = Oriel::new();
    write_many(&oriel, files, sentences);
    let library = oriel.open();
    library.add(&[oriel.documents()]).unwrap();
    (oriel, library, Arc::new(FakeEmbedder::new("scattered", 256)))
}

/// The embedder that comes with Oriel.
fn embedder() -> CandleEmbedder {
    CandleEmbedder::load(&models().find("all-minilm-l6-v2").unwrap(), &CandleSettings::default()).unwrap()
}

#[test]
fn every_stage_can_be_paused_and_goes_on_where_it_was() {
    let (_oriel, library, fake) = many(FILES, 50);
    let embedder: Arc<dyn Embedder> = Arc::clone(&fake) as _;

    let reading = |step: &IndexProgress<'_>| matches!(step, IndexProgress::Reading { .. });
    let took = pause_after(&library, &embedder, reading, Duration::ZERO);
    assert!(took < SOON, "reading: {took:?}");
    let read = library.overview().unwrap();
    assert!(read.documents > 0 && read.waiting > 0, "{read:?}");
    assert_eq!(read.documents + read.waiting, FILES);

    let mut to_read = None;
    let embedding = |step: &IndexProgress<'_>| matches!(step, IndexProgress::Embedding { done: 1.., .. });
    let took = pause_after(&library, &embedder, embedding, Duration::ZERO);
    assert!(took < SOON, "embedding: {took:?}");
    let embedded = library.overview().unwrap();
    assert_eq!((embedded.documents, embedded.waiting, embedded.distinct), (FILES, 0, 30_000));
    assert!(embedded.unembedded > 0 && embedded.unembedded < 30_000, "{embedded:?}");

    let report = index(
        &library,
        &embedder,
        &mut |step| {
            if let IndexProgress::Reading { total, .. } = step {
                to_read = Some(total);
            }
        },
        &CancelToken::new(),
    )
    .unwrap();
    assert_eq!((report.documents, report.sentences, to_read), (FILES, 30_000, None));
    // Only the batch in progress at the pause is embedded again.
    let embedded = fake.embedded();
    assert!((30_000..=30_512).contains(&embedded), "{embedded} were embedded");
    assert_eq!(library.check(&CancelToken::new()).unwrap().problems, []);
}

/// Cancels a run when dropped, so that a failed test leaves no thread waiting.
struct Ended<'a>(&'a CancelToken);

impl Drop for Ended<'_> {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

#[test]
fn a_run_that_is_held_stands_still_and_goes_on_where_it_was() {
    let (oriel, library, fake) = many(FILES, 50);
    let embedder: Arc<dyn Embedder> = Arc::clone(&fake) as _;
    let cancel = CancelToken::new();
    let (told, heard) = mpsc::channel();
    let mut held = Vec::new();
    let mut progress = |step: IndexProgress<'_>| {
        let stage = match step {
            IndexProgress::Reading { .. } => "reading",
            IndexProgress::Embedding { done: 1.., .. } => "embedding",
            _ => return,
        };
        if !held.contains(&stage) {
            held.push(stage);
            cancel.pause();
        }
        told.send(stage).unwrap();
    };
    std::thread::scope(|scope| {
        let _ended = Ended(&cancel);
        let run = scope.spawn(|| index(&library, &embedder, &mut progress, &cancel));
        for stage in ["reading", "embedding"] {
            // The work in progress is finished first.
            let mut last = heard.recv().expect("it comes to this stage");
            while last != stage {
                last = heard.recv().expect("it comes to this stage");
            }
            while let Ok(step) = heard.recv_timeout(Duration::from_millis(300)) {
                assert_eq!(step, stage, "it went on");
            }
            assert!(!run.is_finished(), "{stage}: it did not wait");
            let stands = library.overview().unwrap();
            match stage {
                "reading" => assert!(stands.documents > 0 && stands.waiting > 0, "{stands:?}"),
                _ => assert!(stands.unembedded > 0 && stands.unembedded < 30_000, "{stands:?}"),
            }
            // A waiting run does not hold the write lock.
            let begun = Instant::now();
            std::fs::create_dir(oriel.beside(stage)).unwrap();
            library.add(&[oriel.beside(stage)]).unwrap();
            assert!(begun.elapsed() < SOON, "{stage}: it took {:?}", begun.elapsed());
            cancel.resume();
        }
        let report = run.join().unwrap().unwrap();
        assert_eq!((report.documents, report.sentences, report.embedded), (FILES, 30_000, 30_000));
    });
    assert_eq!(fake.embedded(), 30_000, "nothing is embedded twice");
    assert_eq!(library.check(&CancelToken::new()).unwrap().problems, []);
}

#[test]
fn a_pause_comes_soon_in_the_middle_of_a_large_file_and_of_the_model() {
    let oriel = Oriel::new();
    let text: String = (0..60_000).map(|n| format!("Entry {n} names {} barrels of oil. ", n * 7)).collect();
    oriel.write("large.txt", &text);
    let library = oriel.open();
    library.add(&[oriel.documents()]).unwrap();
    let embedder: Arc<dyn Embedder> = Arc::new(embedder());

    for milliseconds in [100, 400, 900] {
        // There is no progress between the scan of the folders and the end of the file, so the time starts with the
        // indexing.
        let cancel = CancelToken::new();
        let took = std::thread::scope(|scope| {
            let clicked = scope.spawn(|| {
                #[expect(clippy::disallowed_methods, reason = "the moment of the pause is what is tested")]
                std::thread::sleep(Duration::from_millis(milliseconds));
                cancel.cancel();
                Instant::now()
            });
            let ended = index(&library, &embedder, &mut |_| {}, &cancel);
            let end = Instant::now();
            assert!(ended.is_err_and(|error| error.is_cancelled()), "it had finished before the pause");
            end.saturating_duration_since(clicked.join().unwrap())
        });
        println!("a file of {} MB, paused after {milliseconds} ms: {took:?}", text.len() >> 20);
        assert!(took < SOON, "after {milliseconds} ms: {took:?}");
    }
    std::fs::remove_file(oriel.documents().join("large.txt")).unwrap();
    write_many(&oriel, 20, 150);
    let embedding = |step: &IndexProgress<'_>| matches!(step, IndexProgress::Embedding { .. });
    for milliseconds in [50, 300, 700] {
        let took = pause_after(&library, &embedder, embedding, Duration::from_millis(milliseconds));
        println!("embedding, paused after {milliseconds} ms: {took:?}");
        assert!(took < SOON, "after {milliseconds} ms: {took:?}");
    }
}

#[test]
fn the_model_waits_between_two_requests_of_what_is_held() {
    let embedder = embedder();
    let texts: Vec<String> = (0..200).map(|n| format!("Entry {n} names {} barrels of oil.", n * 7)).collect();
    let (held, free) = (CancelToken::new(), CancelToken::new());
    held.pause();
    let (done, vectors) = mpsc::channel();
    std::thread::scope(|scope| {
        let (embedder, texts, held) = (&embedder, &texts, &held);
        scope.spawn(move || done.send(embedder.embed(texts, TextKind::Passage, held)));
        assert_eq!(
            embedder.embed(&texts[..1], TextKind::Query, &free).unwrap().len(),
            1,
            "a question does not wait for it"
        );
        let waited = vectors.recv_timeout(Duration::from_millis(300));
        held.resume();
        assert!(waited.is_err(), "it went on");
        assert_eq!(vectors.recv().unwrap().unwrap().len(), 200);
    });
}

#[test]
fn another_process_reads_and_writes_while_vectors_come() {
    let (oriel, library, embedder) = many(60, 150);
    let embedder: Arc<dyn Embedder> = embedder;
    let beside = oriel.beside("beside");
    std::fs::create_dir(&beside).unwrap();
    let mut tried = None;
    let mut progress = |step: IndexProgress<'_>| {
        if tried.is_none() && matches!(step, IndexProgress::Embedding { done: 1.., .. }) {
            let mut adding = oriel.command(&["add", beside.to_str().unwrap()]);
            tried = Some((oriel.json(&["status"]), adding.stdout(Stdio::null()).spawn().unwrap()));
        }
    };
    index(&library, &embedder, &mut progress, &CancelToken::new()).unwrap();
    let (status, mut adding) = tried.expect("vectors came");
    assert_eq!(status["documents"], 60);
    assert!(adding.wait().unwrap().success());
    // Each process sees the changes of the other.
    assert_eq!(library.overview().unwrap().folders.len(), 2);
    library.remove(library.folder_at(&beside).unwrap()).unwrap();
    assert_eq!(oriel.json(&["status"])["folders"].as_array().unwrap().len(), 1);
}

#[test]
fn on_battery_documents_are_read_by_their_words_and_only_long_embedding_waits() {
    let oriel = Oriel::new();
    let lines = |of: &str| {
        (0..1_200).map(|line| format!("Line {line} of {of} has this to say. ")).collect::<String>()
    };
    oriel.write("long.txt", lines("the long one"));
    let library = Arc::new(oriel.open());
    library.add(&[oriel.documents()]).unwrap();
    let watch = library.watch(|| {});
    let fake = Arc::new(FakeEmbedder::new("first", 16));
    let embedder: Arc<dyn Embedder> = fake.clone();
    let load = || Ok(Arc::clone(&embedder));
    let lazy = LazyEmbedder { fingerprint: Some(embedder.fingerprint().to_owned()), load: &load };
    let on_battery = AtomicBool::new(true);
    let keep_up = |progress: &mut (dyn FnMut(IndexProgress<'_>) + Send)| {
        let saves_power = || on_battery.load(Ordering::Relaxed);
        library.keep_up(&watch, &lazy, progress, &CancelToken::new(), &saves_power).unwrap()
    };
    let mut reported = 0;
    let is_done = keep_up(&mut |step| reported += usize::from(matches!(step, IndexProgress::Changed { .. })));
    let counts = library.overview().unwrap();
    assert_eq!((is_done, counts.documents, counts.unembedded, reported), (false, 1, 1_200, 1));
    // If the mains power is unplugged, the run stops.
    on_battery.store(false, Ordering::Relaxed);
    let is_done = keep_up(&mut |step| {
        if matches!(step, IndexProgress::Embedding { done: 1.., .. }) {
            oriel.write("more.txt", lines("another"));
            watch.look_again();
            on_battery.store(true, Ordering::Relaxed);
        }
    });
    let counts = library.overview().unwrap();
    assert_eq!((is_done, counts.documents, fake.embedded()), (false, 2, 512));
    on_battery.store(false, Ordering::Relaxed);
    assert!(keep_up(&mut |_| {}));
    assert_eq!(library.overview().unwrap().unembedded, 0);
    // On battery, files that the user writes still become searchable by meaning, even if other work is postponed.
    on_battery.store(true, Ordering::Relaxed);
    oriel.write("third.txt", lines("a third"));
    oriel.write("short.txt", "The ferry to Lannow leaves at nine.");
    let begun = Instant::now();
    while library.overview().unwrap().documents < 4 {
        assert!(
            !keep_up(&mut |_| {}) || begun.elapsed() < Duration::from_secs(30),
            "the watch notices nothing"
        );
    }
    assert_eq!(library.overview().unwrap().unembedded, 1_200);
}

/// Sends a message for each progress report.
struct Progress(mpsc::Sender<()>);

impl IndexerListener for Progress {
    fn on_progress(&self, _recount: bool) {
        let _ = self.0.send(());
    }

    fn on_library_refused(&self, notice: Notice) {
        panic!("{notice:?}");
    }
}

#[test]
fn what_waits_for_mains_power_goes_on_with_it_or_once_a_person_resumes_it() {
    static ON_BATTERY: AtomicBool = AtomicBool::new(true);
    let oriel = Oriel::new();
    write_many(&oriel, 1, 1_600);
    let library = Arc::new(oriel.open());
    library.add(&[oriel.documents()]).unwrap();
    let (told, heard) = mpsc::channel();
    let roles = Arc::new(open_roles(Choice::default(), ThreadBegin::default()).unwrap());
    let options = IndexerOptions {
        saves_power: true,
        power: Power::new(|| ON_BATTERY.load(Ordering::Relaxed), Duration::from_millis(100)),
        ..IndexerOptions::default()
    };
    let indexer = Indexer::start(Arc::new(Progress(told)), Arc::clone(&library), roles, options);
    let until = |is_it: &dyn Fn(&Activity) -> bool| {
        while !is_it(&indexer.activity()) {
            heard.recv_timeout(Duration::from_secs(60)).expect("it comes to that");
        }
        library.overview().unwrap().unembedded
    };
    indexer.rescan();
    assert_eq!(until(&|activity| *activity == Activity::Deferred), 1_600);
    ON_BATTERY.store(false, Ordering::Relaxed);
    until(&|activity| matches!(activity, Activity::Embedding(_)));
    ON_BATTERY.store(true, Ordering::Relaxed);
    assert_eq!(until(&|activity| *activity == Activity::Deferred), 1_600 - 512);
    indexer.resume();
    assert_eq!(until(&|activity| *activity == Activity::Idle), 0);
    indexer.close();
}
