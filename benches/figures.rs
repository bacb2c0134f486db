//! Output of the benchmarks for `benches/peers`: figures as lines of JSON, and the input.

use std::fs::OpenOptions;
use std::io::{self, Write as _};
use std::path::PathBuf;

use serde_json::{Value, json};

/// Appends a figure to the file in `ORIEL_BENCH_JSON`; does nothing without that variable. `better` is `more` or
/// `less`.
pub fn record(bench: &str, figure: &str, value: f64, unit: &str, better: &str) -> io::Result<()> {
    append(&json!({ "bench": bench, "figure": figure, "value": value, "unit": unit, "better": better }))
}

/// Appends a line to the file in `ORIEL_BENCH_JSON`; does nothing without that variable.
pub fn append(line: &Value) -> io::Result<()> {
    let Some(path) = std::env::var_os("ORIEL_BENCH_JSON") else { return Ok(()) };
    writeln!(OpenOptions::new().create(true).append(true).open(path)?, "{line}")
}

/// Path of a benchmark's input for the peers: `name` in the folder in `ORIEL_BENCH_INPUTS`, `None` without that
/// variable.
pub fn input(name: &str) -> Option<PathBuf> {
    Some(PathBuf::from(std::env::var_os("ORIEL_BENCH_INPUTS")?).join(name))
}
