//! Which languages the documents of a library are written in.

use oriel_core::DocumentId;
use whatlang::{Lang, detect};

use crate::error::EngineError;
use crate::library::Library;

/// From this share of documents on, a multilingual embedder is worth its larger index.
const MIN_FOREIGN_SHARE: f32 = 0.2;

/// Documents in the sample. With this many the share is accurate to about seven percent.
const SAMPLE_DOCUMENTS: usize = 200;
/// Characters of a document in the sample, from its middle, since the beginning may be a letterhead.
const SAMPLE_CHARACTERS: usize = 600;
/// Shorter texts are not enough to detect a language.
const MIN_CHARACTERS: usize = 40;

impl Library {
    /// The share of documents that are not in English, in a sample of those whose language can be detected; `None` if the
    /// share is small.
    ///
    /// # Errors
    /// If the store is damaged.
    pub fn foreign_share(&self) -> Result<Option<f32>, EngineError> {
        let catalogue = self.catalogue()?;
        if let Some(share) = catalogue.foreign_share.get() {
            return Ok(*share);
        }
        let read: Vec<DocumentId> = catalogue
            .entries
            .iter()
            .filter(|entry| entry.row.sentences > 0)
            .map(|entry| entry.row.id)
            .collect();
        let step = read.len().div_ceil(SAMPLE_DOCUMENTS).max(1);
        let (mut known, mut foreign) = (0u32, 0u32);
        for id in read.into_iter().step_by(step) {
            let text = self.store.read(|view| view.text(id))?;
            if let Some(is_english) = text.as_deref().and_then(is_english) {
                known += 1;
                foreign += u32::from(!is_english);
            }
        }
        let share =
            (known > 0).then(|| foreign as f32 / known as f32).filter(|share| *share >= MIN_FOREIGN_SHARE);
        Ok(*catalogue.foreign_share.get_or_init(|| share))
    }
}

/// Whether a text is in English; `None` if that cannot be detected.
fn is_english(text: &str) -> Option<bool> {
    let length = text.chars().count();
    if length < MIN_CHARACTERS {
        return None;
    }
    let middle: String =
        text.chars().skip(length.saturating_sub(SAMPLE_CHARACTERS) / 2).take(SAMPLE_CHARACTERS).collect();
    let found = detect(&middle).filter(whatlang::Info::is_reliable)?;
    Some(found.lang() == Lang::Eng)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_language_of_a_text_is_told_where_there_is_enough_of_it() {
        let english =
            "The workshop is open from eight in the morning, and everybody takes Saturdays in turn.";
        let german = "Die Werkstatt öffnet um acht Uhr, und samstags wechseln sich alle miteinander ab.";
        let hindi = "कार्यशाला सुबह आठ बजे खुलती है और शनिवार को सभी बारी-बारी से काम करते हैं।";
        assert_eq!(
            [english, german, hindi, "1,150.00"].map(is_english),
            [Some(true), Some(false), Some(false), None]
        );
    }
}
