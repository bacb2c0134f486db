//! Work in the background. It knows no `App` and no window.
//!
//! `progress` gives the figures of long work at intervals. `worker` runs the worker process. `priority` lets all work in the
//! background yield to the UI, and `memory` returns freed memory to the system.

pub(crate) mod memory;
pub(crate) mod priority;
pub(crate) mod progress;
pub(crate) mod worker;
