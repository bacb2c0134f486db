//! Decides which models can read which texts. Languages of models are ISO 639-1 codes; an empty list means all
//! languages.

use isolang::Language;
use whatlang::{Lang, Script, detect, detect_script};

/// The languages of a model, as far as they can be detected.
fn known(languages: &[String]) -> Vec<Lang> {
    let lang = |code: &String| match Language::from_639_1(code)? {
        // The code stands for all Chinese languages.
        Language::Zho => Some(Lang::Cmn),
        language => Lang::from_code(language.to_639_3()),
    };
    languages.iter().filter_map(lang).collect()
}

/// Whether a model for these languages can read the script of each text. Within a script, a reranker for one language still
/// ranks passages of another; a text without letters can be read by every model.
pub(crate) fn can_read(languages: &[String], texts: &[&str]) -> bool {
    let known = known(languages);
    let reads = |script: Script| script.langs().iter().any(|lang| known.contains(lang));
    known.is_empty() || texts.iter().filter_map(|text| detect_script(text)).all(reads)
}

/// Whether a model supports the language of a text, or the language is unknown. A checker for other languages takes
/// true sentences for false; words are compared instead.
pub(crate) fn is_made_for(languages: &[String], text: &str) -> bool {
    let known = known(languages);
    known.is_empty() || detect(text).is_none_or(|info| !info.is_reliable() || known.contains(&info.lang()))
}

#[cfg(test)]
mod tests {
    use super::can_read;

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
}
