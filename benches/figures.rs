//! What a benchmark leaves for `benches/peers`: its figures as lines of JSON, and its input.

use std::fs::OpenOptions;
use std::io::{self, Write as _};
use std::path::PathBuf;

use serde_json::{Value, json};

/// Appends a figure to the file that `ORIEL_BENCH_JSON` names; does nothing without it. `better` is `more` or `less`.
pub fn record(bench: &str, figure: &str, value: f64, unit: &str, better: &str) -> io::Result<()> {
    append(&json!({ "bench": bench, "figure": figure, "value": value, "unit": unit, "better": better }))
}

/// Appends a line to the file that `ORIEL_BENCH_JSON` names; does nothing without it.
pub fn append(line: &Value) -> io::Result<()> {
    let Some(path) = std::env::var_os("ORIEL_BENCH_JSON") else { return Ok(()) };
    writeln!(OpenOptions::new().create(true).append(true).open(path)?, "{line}")
}

/// Where peers find a benchmark's input: `name` in the folder that `ORIEL_BENCH_INPUTS` names, `None` without it.
pub fn input(name: &str) -> Option<PathBuf> {
    Some(PathBuf::from(std::env::var_os("ORIEL_BENCH_INPUTS")?).join(name))
}
