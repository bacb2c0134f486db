//! The seeds of the fuzz targets: unchanged, damaged, and grown long. Each gives a failure or a sound text in time, and
//! never a panic.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that fails may say so by panicking")]

#[path = "../../../fuzz/cases.rs"]
mod cases;

use std::path::PathBuf;
use std::time::Duration;

use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::RngSeed;
use rustix::time::{ClockId, clock_gettime};

/// What a target does with an input; `false` if it was refused.
type Case = fn(&[u8]) -> bool;

/// The targets, by the folder of their seeds.
const TARGETS: &[(&str, Case)] = &[
    ("package", cases::package),
    ("pdf", cases::pdf),
    ("read", cases::read),
    ("receive", cases::receive),
    ("segment", cases::segment),
    ("visible", cases::visible),
];
/// Inputs that once took quadratic time: a target, then its input in pieces, of which every second one is repeated.
const GROWN: &[(&str, &[&str])] = &[
    ("pdf", &["-- page\nBT /F1 .004 Tf 50 700 Td ", "(a) Tj .012 0 Td ", "ET\n"]),
    ("pdf", &["-- page\nBT /F1 .004 Tf 50 700 Td ", "(a) Tj 0 -.01 Td ", "ET\n"]),
    ("pdf", &["-- page\nBT /F1 .004 Tf 50 700 Td ", "(a-) Tj 0 -.01 Td ", "ET\n"]),
    (
        "pdf",
        &[
            "-- page\nBT /F1 .004 Tf 50 700 Td ",
            "(a) Tj 0 -.01 Td ",
            "ET BT 80 700 Td ",
            "(a) Tj 0 -.01 Td ",
            "ET\n",
        ],
    ),
    ("read", &["html\n<table><tr>", "<th>x"]),
    ("read", &["html\n<svg>", "<td>", "", "</q>"]),
];
/// The approximate size in bytes of an input with repeated pieces.
const GROWN_BYTES: usize = 900_000;
/// Linear time takes less than a second; quadratic time takes minutes.
const MAX_TIME: Duration = Duration::from_secs(15);

struct Seed {
    path: PathBuf,
    bytes: Vec<u8>,
    case: Case,
}

/// The processor time of this thread, which does not depend on other programs.
fn now() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), u32::try_from(time.tv_nsec).unwrap())
}

fn seeds() -> Vec<Seed> {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fuzz/seeds");
    let files = TARGETS.iter().flat_map(|(target, case)| {
        let folder = std::fs::read_dir(format!("{root}/{target}")).unwrap();
        folder.map(|entry| (entry.unwrap().path(), *case))
    });
    let mut seeds: Vec<Seed> =
        files.map(|(path, case)| Seed { bytes: std::fs::read(&path).unwrap(), path, case }).collect();
    seeds.sort_by(|a, b| a.path.cmp(&b.path));
    seeds
}

/// Changes, removes or doubles bytes.
fn damage(bytes: &mut Vec<u8>, edits: &[(Index, u8, u8)]) {
    for (at, how, value) in edits {
        if bytes.is_empty() {
            return;
        }
        let at = at.index(bytes.len());
        match how % 5 {
            0 => bytes[at] = *value,
            1 => bytes[at] ^= 1 << (value % 8),
            2 => drop(bytes.remove(at)),
            3 => bytes.truncate(at),
            _ => {
                let piece = bytes[at..(at + usize::from(*value)).min(bytes.len())].to_vec();
                bytes.splice(at..at, piece);
            }
        }
    }
}

#[test]
fn seeds_are_read_unless_they_were_found_by_a_fuzzer() {
    for Seed { path, bytes, case } in seeds() {
        let is_found = path.file_name().unwrap().to_string_lossy().starts_with("found-");
        let is_read = case(&bytes);
        assert!(is_read || is_found, "{}", path.display());
    }
}

#[test]
fn no_time_grows_with_the_square_of_a_length() {
    for (target, pieces) in GROWN {
        let (_, case) = TARGETS.iter().find(|(name, _)| name == target).unwrap();
        let repeated: usize = pieces.iter().skip(1).step_by(2).map(|piece| piece.len()).sum();
        let count = |at: usize| if at % 2 == 1 { GROWN_BYTES / repeated } else { 1 };
        let grown: String = pieces.iter().enumerate().map(|(at, piece)| piece.repeat(count(at))).collect();
        let begun = now();
        case(grown.as_bytes());
        assert!(now() - begun < MAX_TIME, "{target} {pieces:?}: {:?}", now() - begun);
    }
}

/// The same inputs in every run; `make fuzz` searches for new ones.
fn fixed(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        rng_seed: RngSeed::Fixed(1842),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(fixed(40))]

    #[test]
    fn damaged_seeds_do_no_harm(edits in prop::collection::vec(any::<(Index, u8, u8)>(), 1..8)) {
        for Seed { mut bytes, case, .. } in seeds() {
            if cases::is_read_by_library(&bytes) {
                continue;
            }
            damage(&mut bytes, &edits);
            case(&bytes);
        }
    }
}

proptest! {
    #![proptest_config(fixed(20))]

    #[test]
    fn a_piece_that_is_repeated_is_read_in_time(seed in any::<Index>(), at in any::<Index>(), length in 1..80_usize) {
        let seeds: Vec<Seed> = seeds().into_iter().filter(|seed| !cases::is_read_by_library(&seed.bytes)).collect();
        let Seed { path, bytes, case } = seed.get(&seeds);
        let at = at.index(bytes.len());
        let end = (at + length).min(bytes.len());
        let piece = bytes[at..end].repeat(GROWN_BYTES / (end - at));
        let begun = now();
        case(&[&bytes[..at], &piece, &bytes[end..]].concat());
        prop_assert!(now() - begun < MAX_TIME, "{}: {:?}", path.display(), now() - begun);
    }
}
