//! Sentences as the index identifies them and as models read them: by their plain text.

use std::collections::{HashMap, HashSet};

use oriel_core::{ByteSpan, Kind, SentenceId};
use oriel_store::{SentenceHash, View};
use oriel_text::{plain, terms};

use crate::error::EngineError;

/// Sentences with their plain text.
pub(crate) type SentenceTexts = Vec<(SentenceId, String)>;

/// What the store keeps of a sentence besides its position: the hash and the terms of its plain text.
pub(crate) fn hash_and_terms(sentence: &str, kind: Kind) -> (SentenceHash, Vec<String>) {
    let text = plain(sentence, kind);
    (sentence_hash(&text), terms(&text))
}

/// The identity of a sentence: the hash of its plain text.
pub(crate) fn sentence_hash(plain: &str) -> SentenceHash {
    let mut hash = [0; 16];
    hash.copy_from_slice(&blake3::hash(plain.as_bytes()).as_bytes()[..16]);
    hash
}

/// Reads the plain text of sentences. A document is read once for a run of its sentences, since it may have very many.
pub(crate) fn sentence_texts(
    view: &View<'_>,
    sentences: &[SentenceId],
) -> Result<SentenceTexts, EngineError> {
    let wanted: HashSet<SentenceId> = sentences.iter().copied().collect();
    let mut batch = Vec::new();
    let mut open = None;
    for &sentence in sentences {
        let Some(document) = view.occurrences(sentence)?.next().transpose()? else { continue };
        let same = matches!(&open, Some((id, _, _, _)) if *id == document);
        if !same {
            let kind = view.document(document)?.map(|record| record.kind);
            let text = view.text(document)?.unwrap_or_default();
            let table = view.table(document)?;
            let rows = table.rows().filter(|row| wanted.contains(&row.id));
            let spans: HashMap<SentenceId, ByteSpan> = rows.map(|row| (row.id, row.span)).collect();
            open = kind.map(|kind| (document, kind, text, spans));
        }
        let Some((_, kind, text, spans)) = &open else { continue };
        let slice = spans.get(&sentence).and_then(|span| span.of(text)).unwrap_or_default();
        batch.push((sentence, plain(slice, *kind)));
    }
    Ok(batch)
}
