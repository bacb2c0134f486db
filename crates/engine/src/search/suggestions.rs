//! Proposes questions that a library can answer, to users who have asked none yet. They come from the headings of
//! documents; no model is needed.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use oriel_core::{Heading, Kind};
use oriel_store::{DocumentState, View};
use oriel_text::{list_contains, plain, terms};

use crate::error::EngineError;
use crate::files::name_of;
use crate::library::Library;
use crate::library::document_row::DocumentRow;
use crate::question::outline::named_question;
use crate::question::words::content_words;

/// The number of suggestions.
const COUNT: usize = 3;
/// Number of documents to look at: those that changed last.
const MAX_DOCUMENTS: usize = 200;
/// Minimum bytes of the text below a heading.
const MIN_SECTION: usize = 150;
/// Characters of a heading.
const CHARACTERS: std::ops::RangeInclusive<usize> = 5..=60;
/// Content words of a heading.
const WORDS: std::ops::RangeInclusive<usize> = 1..=5;
/// Headings that occur in any document.
const GENERAL: &str = "introduction summary abstract contents overview conclusion conclusions agenda attendees present apologies \
    minutes notes note references appendix annex background general other others next steps step action actions items links \
    link related contact about details miscellaneous any business welcome announcements review home page chapter section part \
    history changelog license usage example examples todo title discussion results methods purpose scope definitions preface \
    foreword meaning word words particulars year years day days time question questions answer answers index table figure figures einleitung zusammenfassung inhalt inhaltsverzeichnis überblick übersicht fazit anhang anlage \
    allgemeines sonstiges hinweise hinweis tagesordnung teilnehmer verschiedenes kontakt kapitel abschnitt teil vorwort quellen";

/// A heading for a question.
struct Topic {
    path: PathBuf,
    name: String,
    thing: String,
    worth: usize,
}

impl Library {
    /// Questions that documents of the library answer, each from another document; fewer than three in a small library.
    ///
    /// # Errors
    /// If the store is damaged.
    pub fn suggestions(&self, is_german: bool) -> Result<Vec<String>, EngineError> {
        let Some(store) = self.source().store() else { return Ok(Vec::new()) };
        let rows = self.documents("", usize::MAX)?;
        let mut names = HashMap::<String, usize>::new();
        rows.iter().for_each(|row| *names.entry(name_of(&row.path)).or_default() += 1);
        let is_told = |row: &&DocumentRow| {
            row.state == DocumentState::Indexed
                && !row.kind.is_container()
                && !row.kind.is_workbook()
                && !matches!(
                    row.kind,
                    Kind::Code | Kind::Json | Kind::Yaml | Kind::Xml | Kind::Csv | Kind::Tsv
                )
                && names[&name_of(&row.path)] == 1
        };
        let told: Vec<&DocumentRow> = rows.iter().filter(is_told).take(MAX_DOCUMENTS).collect();
        let (mut topics, mut seen) = (Vec::new(), HashMap::<Vec<String>, usize>::new());
        store.read(|view| {
            for row in told {
                for (heading, topic) in topics_of(&view, row)? {
                    *seen.entry(heading.clone()).or_default() += 1;
                    topics.push((heading, topic));
                }
            }
            Ok::<_, EngineError>(())
        })?;
        topics.retain(|(heading, _)| seen[heading] == 1);
        topics.sort_by(|(_, a), (_, b)| b.worth.cmp(&a.worth).then_with(|| a.path.cmp(&b.path)));
        let (mut files, mut folders, mut later) = (HashSet::new(), HashSet::new(), Vec::new());
        let mut asked = Vec::new();
        for (_, topic) in topics {
            let Some(question) = topic.question(is_german) else { continue };
            if !files.insert(topic.path.clone()) {
                continue;
            }
            // Prefers documents from other folders.
            let is_new = folders.insert(topic.path.parent().map(Path::to_owned));
            if is_new { asked.push(question) } else { later.push(question) }
        }
        asked.append(&mut later);
        asked.truncate(COUNT);
        Ok(asked)
    }
}

impl Topic {
    /// The question, if Oriel understands it as intended.
    fn question(&self, is_german: bool) -> Option<String> {
        let Self { name, thing, .. } = self;
        let question = match is_german {
            true => format!("Was steht in {name} über {thing}?"),
            false => format!("What does {name} say about {thing}?"),
        };
        let asked = named_question(&question)?;
        (asked.document.name == *name && asked.thing == *thing).then_some(question)
    }
}

/// The headings of a document that are suitable for a question, each with its terms.
fn topics_of(view: &View<'_>, row: &DocumentRow) -> Result<Vec<(Vec<String>, Topic)>, EngineError> {
    let (outline, text) = (view.outline(row.id)?, view.text(row.id)?.unwrap_or_default());
    let name = name_of(&row.path);
    let in_name: HashSet<String> = terms(&name).into_iter().collect();
    let headings: Vec<Heading> =
        outline.headings.iter().filter(|heading| heading.level < Heading::RUN_IN).copied().collect();
    let topic = |(at, heading): (usize, &Heading)| {
        let end = headings.get(at + 1).map_or(text.len(), |next| next.span.start as usize);
        let body = text.get(heading.span.end as usize..end).filter(|body| body.len() >= MIN_SECTION)?;
        let whole = plain(heading.span.of(&text)?, row.kind);
        let thing = whole.trim_start_matches(|c: char| !c.is_alphabetic()).trim();
        let words = content_words(thing);
        let is_named = words.iter().flat_map(|word| terms(word)).all(|term| in_name.contains(&term));
        let is_general = words.iter().all(|word| list_contains(&word.to_lowercase(), GENERAL));
        let is_plain = !thing.contains(['?', '!', ':', ';', '|', '/', '(', '[', '<', '_', '=', '{'])
            && !thing.contains(|c: char| c.is_ascii_digit())
            && thing.contains(char::is_lowercase)
            && !thing.ends_with(['.', ',']);
        if !CHARACTERS.contains(&thing.chars().count()) || !WORDS.contains(&words.len()) {
            return None;
        }
        (is_plain && !is_named && !is_general).then_some(())?;
        let (key, body_terms): (Vec<String>, HashSet<String>) =
            (terms(thing), terms(body).into_iter().collect());
        let spoken_of = key.iter().filter(|term| body_terms.contains(*term)).count();
        let worth = 4 * usize::from(spoken_of > 0) + 2 * usize::from(words.len() > 1) + spoken_of.min(3);
        let thing = within_a_sentence(thing, body);
        Some((key, Topic { path: row.path.clone(), name: name.clone(), thing, worth }))
    };
    Ok(headings.iter().enumerate().filter_map(topic).collect())
}

/// A heading as it is written within a sentence: its first word in lower case if the text has it so.
fn within_a_sentence(heading: &str, text: &str) -> String {
    let first = heading.split(' ').next().unwrap_or_default();
    let lower = first.to_lowercase();
    let is_written = text.split(|c: char| !c.is_alphanumeric()).any(|word| word == lower);
    match is_written {
        true => format!("{lower}{}", &heading[first.len()..]),
        false => heading.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use oriel_core::CancelToken;

    use super::*;
    use crate::search::models::SearchModels;
    use crate::search::query::{Mode, Query, RerankMode};
    use crate::testing::TestLibrary;

    #[test]
    fn a_suggestion_finds_an_answer_in_the_document_that_it_names() {
        let section = |heading: &str, text: &str| format!("## {heading}\n\n{text} {text}\n\n");
        let deposit =
            "The deposit is held by the agent until the last day of the tenancy, and then paid back.";
        let kiln = "The kiln is fired twice a week, and cools for a day before anybody opens its door.";
        let lunch = "Lunch is served at noon in the hall, and those who come late find the soup cold.";
        let place = TestLibrary::with(&[
            (
                "Contracts/lease.md",
                &format!("# Lease\n\n{}{}", section("The deposit", deposit), section("Introduction", lunch)),
            ),
            (
                "Manuals/kiln.md",
                &format!("# Kiln\n\n{}{}", section("Firing days", kiln), section("Canteen", lunch)),
            ),
            ("Manuals/canteen.md", &format!("# Food\n\n{}", section("Canteen", lunch))),
        ]);
        let asked = place.library.suggestions(false).unwrap();
        assert!(asked.contains(&"What does lease.md say about the deposit?".to_owned()), "{asked:?}");
        assert!(
            !asked.iter().any(|question| question.contains("anteen") || question.contains("ntroduction"))
        );
        for question in &asked {
            let named = named_question(question).unwrap();
            let query =
                Query { mode: Mode::Sparse, rerank: RerankMode::Off, ..Query::new(question.as_str()) };
            let found = place.library.search(&query, &SearchModels::default(), &CancelToken::new()).unwrap();
            assert!(found.passages[0].path.ends_with(&named.document.name), "{question}");
            assert!(found.passages[0].text.contains(&named.thing[named.thing.len() - 4..]), "{question}");
        }
        assert_eq!(place.library.suggestions(true).unwrap().len(), asked.len());
    }
}
