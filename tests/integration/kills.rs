//! A kill at any moment loses at most what was in flight, and needs no repair.

use std::process::Stdio;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::oriel::{Oriel, sample};

const QUESTIONS: [&str; 3] = [
    "How long does the battery keep the hands of a Petrel moving after a power cut?",
    "How many days off does everyone get in a year?",
    "Who painted the dials?",
];

fn library() -> Oriel {
    let oriel = Oriel::new();
    oriel.json(&["add", sample().to_str().unwrap()]);
    oriel
}

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
fn ten_kills_while_indexing_leave_the_same_library() {
    let undisturbed = library();
    let begun = Instant::now();
    undisturbed.json(&["index"]);
    let whole = begun.elapsed();
    let wanted = state(&undisturbed);

    let killed = library();
    // A fixed sequence that looks random: where it hits depends on the machine all the same.
    let mut seed = 0x2545_f491_u32;
    for _ in 0..10 {
        let mut child =
            killed.command(&["index"]).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let share = 0.02 + 0.6 * f64::from(seed >> 8) / f64::from(1 << 24);
        #[expect(clippy::disallowed_methods, reason = "the moment of the kill is what is tested")]
        std::thread::sleep(whole.mul_f64(share).max(Duration::from_millis(5)));
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
