//! Keeps a library up to date with its folders, as long as a front runs.
//!
//! `indexer` is a thread that decides when to run, and the handle on it. It reports to a listener, which the front provides.
//! `run` is a single run. `run_state` is what handle and thread share. `activity` says what is being done and how fast. `background` runs work on a
//! thread of lower priority. `power` tells whether the computer runs on battery. What a run does, and in which order, is up to the engine.

pub(crate) mod activity;
mod background;
pub(crate) mod indexer;
pub(crate) mod power;
pub(crate) mod run;
pub(crate) mod run_state;
