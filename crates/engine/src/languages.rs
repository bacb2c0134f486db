//! Which languages stand in a library, and which a model reads.

use isolang::Language;
use oriel_core::DocumentId;
use whatlang::{Lang, Script, detect, detect_script};

use crate::{EngineError, Library};

/// From this share of documents on, an embedder that reads other languages is worth its larger index.
const FOREIGN: f32 = 0.2;

/// Documents that are looked at; with so many the share is right within some seven percent.
const DOCUMENTS: usize = 200;
/// Characters of a document that are looked at, from its middle: the beginning may be a letterhead.
const CHARACTERS: usize = 600;
/// Characters without which a language is a guess.
const LEAST: usize = 40;

impl Library {
    /// The share of documents that are not in English, of those in a sample whose language can be told; `None` where
    /// that is no good part of them.
    ///
    /// # Errors
    /// Where the store is damaged.
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
        let step = read.len().div_ceil(DOCUMENTS).max(1);
        let (mut known, mut foreign) = (0u32, 0u32);
        for id in read.into_iter().step_by(step) {
            let text = self.store.read(|view| view.text(id))?;
            if let Some(is_english) = text.as_deref().and_then(is_english) {
                known += 1;
                foreign += u32::from(!is_english);
            }
        }
        let share = (known > 0).then(|| foreign as f32 / known as f32).filter(|share| *share >= FOREIGN);
        Ok(*catalogue.foreign_share.get_or_init(|| share))
    }
}

/// Whether a model made for these languages (ISO 639-1) reads the script of each text. Within a script a model made for
/// one language still tells good passages of another from bad ones; a text without letters is read by every model.
pub(crate) fn can_read(languages: &[String], texts: &[&str]) -> bool {
    let lang = |code: &String| match Language::from_639_1(code)? {
        // The standard's code is that of all Chinese languages together.
        Language::Zho => Some(Lang::Cmn),
        language => Lang::from_code(language.to_639_3()),
    };
    let known: Vec<Lang> = languages.iter().filter_map(lang).collect();
    let reads = |script: Script| script.langs().iter().any(|lang| known.contains(lang));
    known.is_empty() || texts.iter().filter_map(|text| detect_script(text)).all(reads)
}

/// Whether a text is in English; `None` where that cannot be told.
fn is_english(text: &str) -> Option<bool> {
    let length = text.chars().count();
    if length < LEAST {
        return None;
    }
    let middle: String = text.chars().skip(length.saturating_sub(CHARACTERS) / 2).take(CHARACTERS).collect();
    let found = detect(&middle).filter(whatlang::Info::is_reliable)?;
    Some(found.lang() == Lang::Eng)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_reads_the_scripts_of_its_languages() {
        let made_for = |codes: &[&str]| codes.iter().map(|code| (*code).to_owned()).collect::<Vec<_>>();
        let (german, hindi, chinese) =
            ("Wann öffnet die Werkstatt?", "कार्यशाला कब खुलती है?", "工场几点开门？");
        let english = made_for(&["en"]);
        assert!(can_read(&english, &["When does it open?", german]));
        assert!(!can_read(&english, &[hindi, "It opens at eight."]));
        assert!(!can_read(&english, &["When does it open?", chinese]));
        assert!(can_read(&made_for(&["en", "hi", "zh"]), &[hindi, chinese, german]));
        assert!(can_read(&english, &["1,150.00", ""]) && can_read(&[], &[hindi]));
    }

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
