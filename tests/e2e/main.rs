//! End-to-end tests of the real app in a real window, through WebKitWebDriver, on a virtual screen.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::needless_pass_by_value,
    reason = "a test that fails may say so by panicking, and hands its JSON over as it writes it"
)]

#[path = "../support/failing_disk.rs"]
mod failing_disk;
#[path = "../support/harness.rs"]
mod harness;
#[path = "../support/prepared.rs"]
mod prepared;
#[path = "../support/webdriver.rs"]
mod webdriver;
#[path = "../../benches/window_figures.rs"]
mod window_figures;

mod asking;
mod asking_kept;
mod beginning_again;
mod checking;
mod drafts;
mod evaluating;
mod everyday;
mod first;
mod keeping;
mod keyboard;
mod layouts;
mod library;
mod lifecycle;
mod lists;
mod looks;
mod mentions;
mod persistence;
mod programs;
mod reading;
mod safety;
mod safety_documents;
mod servers;
mod settings;
mod tray;
mod viewing;
mod yielding;

/// Only on Linux WebKitWebDriver can drive the window.
#[cfg(not(target_os = "linux"))]
compile_error!("the window is driven on Linux only");
