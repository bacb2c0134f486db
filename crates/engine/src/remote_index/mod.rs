//! A remote index, which a library reads from or publishes to. Every request goes through `oriel-remote`.
//!
//! - `place` is what a library keeps of one: its address, its collection, where its key is.
//! - `connection` connects to it and calls it.
//! - `retriever` is one state of it, as the search sees it. `documents` reads a document of it whole.

pub(crate) mod connection;
pub(crate) mod documents;
pub(crate) mod place;
pub(crate) mod retriever;
