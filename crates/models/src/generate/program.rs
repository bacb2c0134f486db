//! The program that runs llama.cpp: the fastest build for this processor.

use std::ffi::OsString;

use oriel_core::WorkerCommand;
use oriel_wire::generator::{CARDS, GENERATOR};
use oriel_wire::shipped_program;

/// How to start the program with `arguments`. If no build for this processor is installed, starting fails.
fn program(arguments: impl IntoIterator<Item: Into<OsString>>) -> WorkerCommand {
    let names = builds();
    let missing = || {
        // The name of the most portable build, so that the error names a file that should exist.
        let name = names.last().map_or(GENERATOR, String::as_str);
        let name = format!("{name}{}", std::env::consts::EXE_SUFFIX);
        std::env::current_exe().unwrap_or_default().with_file_name(name)
    };
    let found = names.iter().find_map(|name| shipped_program(name).ok());
    WorkerCommand::new(found.map_or_else(missing, |found| found.program), arguments)
}

/// How to start the generator's process; `niceness` is the least niceness that it gets.
#[must_use]
pub fn generator_program(niceness: Option<i32>) -> WorkerCommand {
    program(niceness.map(|niceness| niceness.to_string()))
}

/// Free bytes of the graphics card with the most free memory; `None` without a card, or if the program reports nothing.
pub(crate) fn card_free() -> Option<u64> {
    // This query starts a process and the card's driver, so it is skipped in builds without GPU support.
    if !cfg!(any(feature = "cuda", feature = "metal")) {
        return None;
    }
    let said = program([CARDS]).command().output().ok()?;
    String::from_utf8(said.stdout).ok()?.trim().parse().ok().filter(|free| *free > 0)
}

/// The names of the builds that this processor can run, fastest first. `packaging/generators.sh` makes them.
#[cfg(target_arch = "x86_64")]
fn builds() -> Vec<String> {
    let avx2 = is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("fma")
        && is_x86_feature_detected!("f16c")
        && is_x86_feature_detected!("bmi2");
    let avx512 = is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512cd")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512dq")
        && is_x86_feature_detected!("avx512vl")
        && is_x86_feature_detected!("avx512vnni");
    let avx_vnni = is_x86_feature_detected!("avxvnni");
    let builds = [
        (avx2 && avx512, "-avx512"),
        (avx2 && avx_vnni, "-avxvnni"),
        (!avx2, "-sse42"),
        // In a package this build needs AVX2. Built from source it is the only one, for the processor of that machine.
        (true, ""),
    ];
    builds.iter().filter(|(runs, _)| *runs).map(|(_, build)| format!("{GENERATOR}{build}")).collect()
}

#[cfg(not(target_arch = "x86_64"))]
fn builds() -> Vec<String> {
    vec![GENERATOR.to_owned()]
}
