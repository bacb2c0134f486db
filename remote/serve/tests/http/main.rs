//! Tests of the real program `oriel-serve`, with a test in the role of its parent and its clients.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that fails may say so by panicking")]

mod answers;
mod ending;
mod refusals;
mod setup;
