//! The seeds of the fuzz targets: as they are, damaged, and grown long. A failure or a sound text, in time, never a panic.

#[path = "../../../fuzz/cases.rs"]
mod cases;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use proptest::prelude::*;
use proptest::sample::Index;

/// The targets, by the folder of their seeds.
const TARGETS: &[(&str, fn(&[u8]) -> bool)] = &[
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
/// An input with pieces that are repeated has about this many bytes.
const GROWN_BYTES: usize = 900_000;
/// Linear time takes less than a second; what grows with the square takes minutes.
const MAX_TIME: Duration = Duration::from_secs(15);

struct Seed {
    path: PathBuf,
    bytes: Vec<u8>,
    case: fn(&[u8]) -> bool,
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
        let begun = Instant::now();
        case(grown.as_bytes());
        assert!(begun.elapsed() < MAX_TIME, "{target} {pieces:?}: {:?}", begun.elapsed());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn damaged_seeds_do_no_harm(edits in prop::collection::vec(any::<(Index, u8, u8)>(), 1..8)) {
        for Seed { mut bytes, case, .. } in seeds() {
            damage(&mut bytes, &edits);
            case(&bytes);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20))]

    #[test]
    fn a_piece_that_is_repeated_is_read_in_time(seed in any::<Index>(), at in any::<Index>(), length in 1..80_usize) {
        let seeds = seeds();
        let Seed { path, bytes, case } = seed.get(&seeds);
        let at = at.index(bytes.len());
        let end = (at + length).min(bytes.len());
        let piece = bytes[at..end].repeat(GROWN_BYTES / (end - at));
        let begun = Instant::now();
        case(&[&bytes[..at], &piece, &bytes[end..]].concat());
        prop_assert!(begun.elapsed() < MAX_TIME, "{}: {:?}", path.display(), begun.elapsed());
    }
}
