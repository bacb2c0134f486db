//! Keeps a library up to date with its folders, as long as a front runs.
//!
//! `state` decides when to run, from the events that fronts report. `thread` is the thread that runs, and reports to a listener
//! that the front provides. `indexer` is the handle on it. `run` is a single run for a command. `activity` says what is being
//! done and how fast. `background` runs work on a thread of lower priority. `power` tells whether the computer runs on
//! battery. What a run does, and in which order, is up to the engine.

pub(crate) mod activity;
mod background;
pub(crate) mod indexer;
pub(crate) mod power;
pub(crate) mod run;
mod state;
pub(crate) mod thread;
