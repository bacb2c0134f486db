//! Titles and dates from the first lines of documents that an older version of Oriel read.

use std::collections::HashMap;

use oriel_core::DocumentId;
use oriel_store::HeadRecord;

/// By document, each with the hash of the text that it was read from.
pub(crate) type Heads = HashMap<DocumentId, (Option<String>, HeadRecord)>;
