//! `oriel-serve` as other programs meet it: the real program, with a parent that the test plays.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that fails may say so by panicking")]

mod answers;
mod ending;
mod refusals;
mod setup;
