//! Downloads over real TLS on the loopback: the real program, the real parent, and a faulty server.
//!
//! Linux only, where a test can give the program its own certificate authority.

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
