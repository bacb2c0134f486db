//! Work in the background. It knows the engine, the models and the payloads, but no `App` and no window.
//!
//! `indexer` is the thread that keeps the library up to date. It reports to an `IndexerListener`, which `lib.rs` provides.
//! `progress` turns counts into figures with a pace. `worker` starts and runs the worker processes. `priority` lets all of
//! this yield to the UI, and `memory` returns freed memory to the system.

pub(crate) mod indexer;
pub(crate) mod memory;
pub(crate) mod priority;
pub(crate) mod progress;
pub(crate) mod worker;
