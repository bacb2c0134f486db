//! The real app in a real window, end to end: what a person does, through WebKitWebDriver, on a screen of its own.

mod asking;
mod asking_kept;
mod desk;
mod driver;
mod first;
mod library;
mod viewing;

/// Whether this machine can show a window: only Linux with WebKitWebDriver can be driven.
#[cfg(not(target_os = "linux"))]
compile_error!("the window is driven on Linux only");
