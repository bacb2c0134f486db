//! Downloads over real TLS on the loopback: the real program, the real parent, and a server with faults.
//!
//! On Linux, where a test can hand the program a certificate authority of its own.

#![cfg(target_os = "linux")]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test that fails may say so by panicking"
)]

mod disks;
mod faults;
mod kills;
mod program;
mod proxies;
mod server;
mod setup;
