//! A kill at any moment loses at most the work in progress, and needs no repair.
//!
//! `ORIEL_KILLS` sets how many (3 by default; `make stress` takes more).

use std::process::Stdio;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::oriel::{Oriel, sample};
use crate::prng::from_environment;

const QUESTIONS: [&str; 3] = [
    "How long does the battery keep the hands of a Petrel moving after a power cut?",
    "How many days off does everyone get in a year?",
    "Who painted the dials?",
];

fn state(oriel: &Oriel) -> (Value, Vec<Value>) {
    let mut status = oriel.json(&["status"]);
    status.as_object_mut().unwrap().remove("folders");
    let answers = oriel.batch("search", &QUESTIONS, &[]);
    let places = answers.iter().map(|answer| {
        let passages = answer["passages"].as_array().unwrap();
        passages
            .iter()
            .map(|one| serde_json::json!([one["path"], one["start"], one["end"], one["hits"]]))
            .collect()
    });
    (status, places.collect())
}

#[test]
fn kills_while_indexing_leave_the_same_library() {
    let wanted = state(&Oriel::with_sample());
    let killed = Oriel::new();
    killed.json(&["add", sample().to_str().unwrap()]);
    // Pseudorandom numbers with a fixed seed; the moment of the kill still depends on the machine.
    let mut seed = 0x2545_f491_u32;
    for _ in 0..from_environment("ORIEL_KILLS", 3) {
        let mut child =
            killed.command(&["index"]).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        #[expect(clippy::disallowed_methods, reason = "the moment of the kill is what is tested")]
        std::thread::sleep(Duration::from_millis(50 + u64::from(seed >> 21)));
        child.kill().unwrap();
        child.wait().unwrap();
        let checked = killed.json(&["doctor"]);
        assert_eq!(checked["ok"], true, "after a kill: {checked}");
    }
    killed.json(&["index"]);
    let found = state(&killed);
    assert_eq!(found.0, wanted.0);
    assert_eq!(found.1, wanted.1);
}

/// Ctrl-C in a terminal reaches every process of the command at once, and so does the SIGTERM of a shutdown.
#[cfg(unix)]
#[test]
fn a_signal_while_reading_ends_it_soon_and_blames_no_document() {
    use std::os::unix::process::CommandExt as _;
    use std::process::Command;

    let oriel = Oriel::new();
    for number in 0..600 {
        let text: String =
            (0..400).map(|n| format!("Line {n} of log {number} is of no interest. ")).collect();
        oriel.write(&format!("{number}.txt"), text);
    }
    oriel.json(&["add", oriel.documents().to_str().unwrap()]);
    for signal in ["-INT", "-TERM"] {
        let mut child = oriel
            .command(&["index"])
            .process_group(0)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        #[expect(clippy::disallowed_methods, reason = "the moment of the signal is what is tested")]
        std::thread::sleep(Duration::from_millis(300));
        let group = format!("-{}", child.id());
        assert!(Command::new("kill").args([signal, "--", &group]).status().unwrap().success());
        let begun = Instant::now();
        let status = child.wait().unwrap();
        assert!(begun.elapsed() < Duration::from_secs(2), "it took {:?}", begun.elapsed());
        assert_eq!(status.code(), Some(1), "it had finished before the signal");
        let status = oriel.json(&["status"]);
        assert_eq!(status["failed"], serde_json::json!([]), "a document was blamed");
        assert!(status["pending"].as_u64().unwrap() > 0);
        assert_eq!(oriel.json(&["doctor"])["ok"], true);
    }
}
