//! How many documents a question for all of them finds.

use oriel_core::{Survey, SurveyedDocument};

use super::{MAX_NAMES, names};
use crate::files::name_of;
use crate::question::list::{ListQuestion, SurveyQuestion};

/// The count as a sentence: "13 of 40 documents mention a notice period (9 certain, 4 to review)."
pub(crate) fn count(question: &ListQuestion, survey: &Survey) -> String {
    let ListQuestion { survey: SurveyQuestion { thing, noun }, verb, is_german } = question;
    let (found, all) = (survey.counted().count(), survey.read);
    let certain = survey.counted().filter(|one| one.certain || one.included == Some(true)).count();
    let review = found - certain;
    let name = |one: &SurveyedDocument| name_of(&one.path);
    let named = match found {
        0..=MAX_NAMES => names(survey.counted().map(name), *is_german),
        _ => String::new(),
    };
    // What is only to be reviewed is no fact.
    let is_open = certain == 0 && found > 0;
    if *is_german {
        // After the colon the German noun needs no accusative.
        let number = if found == 0 { "Keines".to_owned() } else { found.to_string() };
        let verb = if found > 1 { "erwähnen" } else { "erwähnt" };
        let perhaps = if is_open { " vielleicht" } else { "" };
        let state = match is_open || review == 0 {
            true => String::new(),
            false => format!(" ({certain} sicher, {review} zu prüfen)"),
        };
        let within = if named.is_empty() { String::new() } else { format!(", in {named}") };
        return format!("{number} von {all} Dokumenten {verb}{perhaps}: {thing}{state}{within}.");
    }
    let noun = noun.as_deref().filter(|_| survey.folder.is_some()).unwrap_or("documents");
    let number = if found == 0 { "None".to_owned() } else { found.to_string() };
    let (may, ending) = match (is_open, found > 1) {
        (true, _) => ("may ", ""),
        (false, true) => ("", ""),
        (false, false) => ("", "s"),
    };
    let state = match is_open || review == 0 {
        true => String::new(),
        false => format!(" ({certain} certain, {review} to review)"),
    };
    let state = if named.is_empty() { state } else { format!("{state}: {named}") };
    match verb {
        None => format!("{number} of {all} {noun} {may}mention{ending} {thing}{state}."),
        // The thing begins with the verb.
        Some(verb) => format!("{number} of {all} {noun} {may}{verb}{ending}{}{state}.", &thing[verb.len()..]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::question::list::list_question;

    #[test]
    fn what_is_only_to_be_reviewed_is_not_stated_as_a_fact() {
        let said = |question: &str, certain: &[bool]| {
            let document = |certain: &bool| SurveyedDocument {
                path: "a.txt".into(),
                certain: *certain,
                included: None,
                sentences: Vec::new(),
            };
            let documents = certain.iter().map(document).collect();
            count(&list_question(question).unwrap(), &Survey { documents, read: 40, ..Survey::default() })
        };
        let notice = "Which contracts mention a notice period?";
        assert_eq!(said(notice, &[]), "None of 40 documents mentions a notice period.");
        assert_eq!(said(notice, &[true]), "1 of 40 documents mentions a notice period: a.txt.");
        assert_eq!(
            said(notice, &[false, false]),
            "2 of 40 documents may mention a notice period: a.txt and a.txt."
        );
        assert_eq!(
            said(notice, &[true, true, false]),
            "3 of 40 documents mention a notice period (2 certain, 1 to review): a.txt, a.txt and a.txt."
        );
        assert_eq!(
            said("How many leases require insurance?", &[true]),
            "1 of 40 documents requires insurance: a.txt."
        );
        assert_eq!(
            said("Welche Briefe erwähnen das Dach?", &[true, false]),
            "2 von 40 Dokumenten erwähnen: das Dach (1 sicher, 1 zu prüfen), in a.txt und a.txt."
        );
    }
}
