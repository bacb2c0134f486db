//! A failing disk, simulated by a library that is loaded before the C library; `faults.c` describes its settings.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Builds it in a folder, unless it is there already.
pub fn failing_disk(folder: &Path) -> PathBuf {
    let built = folder.join("faults.so");
    if built.exists() {
        return built;
    }
    let mut compiler = Command::new("cc")
        .args(["-shared", "-fPIC", "-O1", "-x", "c", "-o"])
        .arg(&built)
        .args(["-", "-ldl"])
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    compiler.stdin.take().unwrap().write_all(include_bytes!("faults.c")).unwrap();
    assert!(compiler.wait().unwrap().success());
    built
}
