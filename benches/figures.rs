//! What a benchmark leaves for `benches/peers`: its figures as lines of JSON, and its input.

use std::fs::OpenOptions;
use std::io::{self, Write as _};
use std::path::PathBuf;

/// Which of two values is better.
#[derive(Clone, Copy, Debug, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Better {
    /// The larger one, as of a rate.
    More,
    /// The smaller one, as of a time.
    Less,
}

/// Appends a figure to the file that `ORIEL_BENCH_JSON` names; does nothing without it.
pub fn record(bench: &str, figure: &str, value: f64, unit: &str, better: Better) -> io::Result<()> {
    let Some(path) = std::env::var_os("ORIEL_BENCH_JSON") else { return Ok(()) };
    let line = serde_json::json!({
        "bench": bench, "figure": figure, "value": value, "unit": unit, "better": better,
    });
    writeln!(OpenOptions::new().create(true).append(true).open(path)?, "{line}")
}

/// Where peers find a benchmark's input: `name` in the folder that `ORIEL_BENCH_INPUTS` names, `None` without it.
pub fn input(name: &str) -> Option<PathBuf> {
    Some(PathBuf::from(std::env::var_os("ORIEL_BENCH_INPUTS")?).join(name))
}
