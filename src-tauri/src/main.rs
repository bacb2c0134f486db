//! The program `oriel-desktop`: the app, or one of its own worker processes.

#![cfg_attr(not(debug_assertions), windows_subsystem = "windows")]

use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args_os().skip(1).collect();
    match oriel_desktop::worker(&arguments) {
        Some(ended) => ended,
        None => oriel_desktop::run(),
    }
}
