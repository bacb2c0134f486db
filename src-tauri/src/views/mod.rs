//! What the engine's types look like in the UI: functions from them to payloads.
//!
//! Nothing here changes anything. Some views look up documents in the library, as passages are kept with paths and shown
//! with the document that lies there now. `documents` has names and places, `library` the library's state, `models` the
//! models. `cards` cuts passages and claims into marked runs of text, and `turns` puts them together to questions with
//! their answers. `survey`, `rows` and `table` show what all documents say. `draft` shows what was found of a draft's sentence,
//! `evaluation` the questions that the library is measured with. `explain` shows how an answer came about. `viewer` shows a
//! document with its marks, in the `blocks` of its text or the rows that `layout` makes.

pub(crate) mod blocks;
pub(crate) mod cards;
pub(crate) mod documents;
pub(crate) mod draft;
pub(crate) mod evaluation;
pub(crate) mod explain;
pub(crate) mod layout;
pub(crate) mod library;
pub(crate) mod mentions;
pub(crate) mod models;
pub(crate) mod rows;
pub(crate) mod survey;
pub(crate) mod table;
pub(crate) mod turns;
pub(crate) mod viewer;
