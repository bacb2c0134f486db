//! A folder that keeps changing: pseudorandom changes, repeatable by a seed.

use std::fs;
use std::path::Path;

/// Approximate number of files.
pub const FILES: u64 = 40;
/// Sentences per file: with `FILES` several batches of vectors.
const SENTENCES: u64 = 90;

/// A pseudorandom number generator (xorshift64*): the same seed gives the same numbers.
pub struct Prng(pub u64);

impl Prng {
    /// A number below `limit`.
    pub fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) % limit
    }
}

/// A number from an environment variable, or a default.
pub fn from_environment(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|value| value.parse().ok()).unwrap_or(otherwise)
}

fn text(prng: &mut Prng) -> String {
    let topic = prng.below(30);
    (0..SENTENCES)
        .map(|line| format!("Entry {line} of read_queue {topic} names {} barrels of oil. ", prng.below(20)))
        .collect()
}

/// Makes one change of the folder, like those of users and programs.
pub fn change(documents: &Path, prng: &mut Prng) {
    let name = |prng: &mut Prng| {
        let number = prng.below(FILES);
        documents.join(format!("{}/{number}.txt", number % 4))
    };
    let (path, other) = (name(prng), name(prng));
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::create_dir_all(other.parent().unwrap()).unwrap();
    match prng.below(8) {
        0..=2 => fs::write(&path, text(prng)).unwrap(),
        3 => {
            let beside = path.with_extension("new");
            fs::write(&beside, text(prng)).unwrap();
            fs::rename(beside, &path).unwrap();
        }
        4 if path.exists() => {
            let before = fs::read_to_string(&path).unwrap();
            fs::write(&path, format!("{before}One more line, number {}.", prng.below(1000))).unwrap();
        }
        5 if path.exists() => fs::rename(&path, &other).unwrap(),
        6 if path.exists() => fs::remove_file(&path).unwrap(),
        7 if prng.below(6) == 0 => fs::remove_dir_all(path.parent().unwrap()).unwrap(),
        _ => {}
    }
}
