//! Rewrites follow-up questions so that they stand alone: "And in 2023?", "Why was it revised?", "Und wer hat das
//! unterschrieben?"
//!
//! It uses the words alone, in English and German, without a model. When in doubt it leaves a question as it is: its own words still
//! find something, while added words may find the wrong thing.

use crate::question::dates::time_words;
use crate::question::language::{ARTICLES, AUXILIARIES, CONJUNCTIONS, PREPOSITIONS};
use crate::question::library::library_question;
use crate::question::list::list_question;
use crate::question::outline;
use crate::question::sums::sum_question;
use crate::question::words::{Word, after, after_one, content, is_question_word};
use oriel_text::list_contains;

/// Maximum number of content words taken over from an earlier question.
const MAX_CARRIED_WORDS: usize = 12;
/// With at most this many content words, a question that opens like "What about" is a fragment.
const MAX_FRAGMENT_WORDS: usize = 3;

/// Openings that ask the previous question about something else.
const CONTINUATIONS: &str = "and what about; and how about; but what about; what about; how about; und was ist mit; und wie ist es mit; \
    was ist mit; wie ist es mit; und mit";

/// Openings that correct the previous question.
const CORRECTIONS: &str = "no, i meant; no, i mean; no,; sorry,; i meant; i mean; actually,; rather; nein, ich meine; nein,; ich \
    meine; ich meinte; entschuldigung,; sondern";
/// The words before the part that is replaced, and those before its replacement.
const EXCHANGES: [(&str, &[&str]); 2] = [("not ", &[", but ", ", "]), ("nicht ", &[", sondern ", ", "])];

/// The question completed from earlier ones, or `None` if it stands alone or is the first. `earlier` holds the questions
/// of the conversation as they were asked, oldest first.
pub(crate) fn standalone(question: &str, earlier: &[String]) -> Option<String> {
    let mut before: Option<Resolved> = None;
    for one in earlier {
        before = Some(resolve(one, before.as_ref()).unwrap_or_else(|| Resolved::alone(one)));
    }
    resolve(question, Some(&before?)).map(|resolved| resolved.whole)
}

/// A question completed from the ones before it.
struct Resolved {
    whole: String,
    /// The question that a later fragment changes: without the fragments in between.
    root: String,
}

impl Resolved {
    fn alone(question: &str) -> Self {
        let question = question.trim().to_owned();
        Self { root: question.clone(), whole: question }
    }
}

fn resolve(question: &str, before: Option<&Resolved>) -> Option<Resolved> {
    let before = before?;
    let question = question.trim();
    if let Some(whole) = exchanged(&before.root, question) {
        return Some(Resolved { root: whole.clone(), whole });
    }
    if let Some(rest) = after_one(question, CORRECTIONS) {
        let words = Word::all(rest);
        let is_whole = words
            .iter()
            .any(|word| is_question_word(&word.lower) || list_contains(&word.lower, &AUXILIARIES));
        if is_whole {
            return Some(resolve(rest, Some(before)).unwrap_or_else(|| Resolved::alone(rest)));
        }
        let whole = with_number(&before.root, &words)
            .or_else(|| with_ending(&before.root, rest, true))
            .unwrap_or_else(|| format!("{} {rest}", before.root));
        return Some(Resolved { root: whole.clone(), whole });
    }
    let about_all = || library_question(&before.root)?.follow_up(question);
    if let Some(whole) = outline::follow_up(&before.root, question).or_else(about_all) {
        return Some(Resolved { root: whole.clone(), whole });
    }
    let words = Word::all(question);
    let rest = after_one(question, &CONJUNCTIONS.replace(' ', "; ")).unwrap_or(question);
    if let Some(whole) = with_thing(&before.root, rest, is_fragment(&words)) {
        return Some(Resolved { root: whole.clone(), whole });
    }
    if is_fragment(&words) {
        let changed = with_number(&before.root, &words)
            .or_else(|| with_time(&before.root, question))
            .or_else(|| with_ending(&before.root, rest, false))
            .or_else(|| with_part(&before.root, rest));
        if let Some(whole) = changed {
            return Some(Resolved { root: whole.clone(), whole });
        }
        let whole = format!("{} {question}", before.root);
        return (content(&Word::all(&before.root)).count() > 0)
            .then(|| Resolved { root: before.root.clone(), whole });
    }
    if !refers_outside(&words) {
        return None;
    }
    let mut taken: Vec<&str> = Vec::new();
    // From a request for a summary only the name of the document is taken.
    let summarised = outline::outline_question(&before.whole).map(|asked| asked.documents.name);
    let earlier = summarised.filter(|name| !name.is_empty()).unwrap_or_else(|| before.whole.clone());
    let earlier = Word::all(&earlier);
    for word in content(&earlier) {
        let is_new = !words.iter().any(|own| own.lower == word.lower)
            && !taken.iter().any(|other| other.to_lowercase() == word.lower);
        if is_new && taken.len() < MAX_CARRIED_WORDS {
            taken.push(word.text);
        }
    }
    let whole = format!("{question} ({})", taken.join(" "));
    (!taken.is_empty()).then(|| Resolved { root: whole.clone(), whole })
}

/// Whether the words are a fragment that names only what differs from the previous question.
pub(crate) fn is_fragment(words: &[Word<'_>]) -> bool {
    let own = content(words).count();
    let begins = |opening: &str| {
        let opening: Vec<&str> = opening.split(' ').collect();
        words.len() > opening.len() && opening.iter().zip(words).all(|(a, word)| *a == word.lower)
    };
    if CONTINUATIONS.split("; ").any(begins) {
        return own <= MAX_FRAGMENT_WORDS && !words.iter().any(|word| word.refers_outside(words));
    }
    if refers_outside(words) {
        return false;
    }
    let Some(first) = words.first() else { return false };
    let has_verb = words.iter().any(|word| list_contains(&word.lower, &AUXILIARIES));
    let only_numbers = content(words).all(Word::is_number);
    let opens = list_contains(&first.lower, &CONJUNCTIONS) || list_contains(&first.lower, &PREPOSITIONS);
    match own {
        0 => !words.iter().any(|word| list_contains(&word.lower, "you your i my du dich dir ich")),
        _ if has_verb => false,
        1 => opens || only_numbers || is_question_word(&first.lower),
        _ => own <= MAX_FRAGMENT_WORDS && opens && !words.iter().any(|word| is_question_word(&word.lower)),
    }
}

/// Replaces a thing of the earlier question: "Not the flat, the garage."
fn exchanged(root: &str, question: &str) -> Option<String> {
    let (taken, middles) =
        EXCHANGES.iter().find_map(|(opening, middles)| Some((after(question, opening)?, *middles)))?;
    let (old, new) = middles.iter().find_map(|middle| taken.split_once(middle))?;
    let [old, new] = [old, new].map(|side| {
        let named =
            side.split_once(' ').filter(|(article, _)| list_contains(&article.to_lowercase(), &ARTICLES));
        named.map_or(side, |(_, name)| name)
    });
    let at =
        root.to_lowercase().find(&old.to_lowercase()).filter(|_| root.is_ascii() || root.contains(old))?;
    let end = at + old.len();
    Some(format!("{}{}{}", root.get(..at)?, new.trim_end_matches(['.', '!', '?']), root.get(end..)?))
}

/// Replaces the ending of the earlier question, if both endings begin with a preposition and share a content word: "And before the
/// review?" With `as_long`, an ending with the same number of words is replaced too.
fn with_ending(root: &str, ending: &str, as_long: bool) -> Option<String> {
    let (words, earlier) = (Word::all(ending), Word::all(root));
    let leads =
        |words: &[Word<'_>]| words.first().is_some_and(|word| list_contains(&word.lower, &PREPOSITIONS));
    leads(&words).then_some(())?;
    let names_same =
        |own: &[Word<'_>]| content(own).any(|one| words.iter().any(|word| word.lower == one.lower));
    let is_replaced = |at: &usize| {
        let own = &earlier[*at..];
        leads(own) && (names_same(own) || as_long && own.len() == words.len())
    };
    let at = (1..earlier.len()).rev().find(is_replaced)?;
    let begins = earlier[at].text;
    let before = earlier[1..at].iter().filter(|word| word.text == begins).count();
    let (at, _) = root.match_indices(&format!(" {begins} ")).nth(before)?;
    Some(format!("{} {}?", &root[..at], ending.trim_end_matches(['.', '!', '?'])))
}

/// Replaces the last part with the same preposition in the earlier question for a sum: "And in Köln?"
fn with_part(root: &str, part: &str) -> Option<String> {
    sum_question(root)?;
    let part = part.trim_end_matches(['?', '.', '!', ' ']);
    let words = Word::all(root);
    let first =
        Word::all(part).first().filter(|first| list_contains(&first.lower, &PREPOSITIONS))?.lower.clone();
    let at = words.iter().rposition(|word| word.lower == first)?;
    // The part ends after the last name or number.
    let is_name = |word: &&Word<'_>| word.is_number() || word.text.starts_with(char::is_uppercase);
    let named = words[at + 1..].iter().take_while(is_name).count();
    let is_last = at + 2 == words.len();
    let end = at + 1 + if is_last { 1 } else { named };
    let kept = |words: &[Word<'_>]| words.iter().map(|word| word.text).collect::<Vec<_>>().join(" ");
    let whole = [&kept(&words[..at]), part, &kept(&words[end..])].map(str::trim).join(" ");
    (end > at + 1).then(|| format!("{}?", whole.trim()))
}

/// Replaces the thing of the earlier question for all documents: "And which mention the kiln?", "And the kiln?"
fn with_thing(root: &str, question: &str, is_fragment: bool) -> Option<String> {
    let list = list_question(root)?;
    let question = question.trim_end_matches(['?', '.', '!', ' ']);
    let words = Word::all(question);
    let whole = match words.first().filter(|first| is_question_word(&first.lower)) {
        Some(first) => {
            let noun = if list.is_german { "Dokumente" } else { "documents" };
            let noun = list.survey.noun.as_deref().unwrap_or(noun);
            format!("{} {noun}{}?", first.text, question.strip_prefix(first.text)?)
        }
        None if list.verb.is_none() && is_fragment => root.replacen(&list.survey.thing, question, 1),
        None => return None,
    };
    list_question(&whole).map(|_| whole)
}

/// Replaces the only number of the earlier question, if the fragment contains nothing else.
fn with_number(root: &str, fragment: &[Word<'_>]) -> Option<String> {
    let only = |words: &[Word<'_>]| {
        let mut numbers = words.iter().filter(|word| word.is_number());
        numbers.next().filter(|_| numbers.next().is_none()).map(|word| word.lower.clone())
    };
    if content(fragment).count() != 1 {
        return None;
    }
    let (old, new) = (only(&Word::all(root))?, only(fragment)?);
    (old.len() == new.len()).then(|| root.replace(&old, &new))
}

/// Replaces the time of the earlier question, if the fragment contains nothing else: "And in September?"
fn with_time(root: &str, fragment: &str) -> Option<String> {
    let (old, new) = (time_words(root, true)?, time_words(fragment, true)?);
    let rest = format!("{}{}", &fragment[..new.start], &fragment[new.end..]);
    let is_all = content(&Word::all(&rest)).next().is_none();
    is_all.then(|| format!("{}{}{}", &root[..old.start], &fragment[new], &root[old.end..]))
}

/// Whether a word refers to something outside the question.
fn refers_outside(words: &[Word<'_>]) -> bool {
    words.iter().any(|word| word.refers_outside(words))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROI: &str = "What is the projected ROI of the Phoenix Initiative?";
    const BILL: &str = "Wie hoch war die Heizungsrechnung im Jahr 2022?";

    fn after(earlier: &[&str], question: &str) -> Option<String> {
        let earlier: Vec<String> = earlier.iter().map(|&question| question.to_owned()).collect();
        standalone(question, &earlier)
    }

    #[test]
    fn questions_that_lean_on_the_one_before_take_its_words() {
        let roi = "(projected ROI Phoenix Initiative)";
        let cases = [
            (ROI, "Why was it revised?", format!("Why was it revised? {roi}")),
            (ROI, "And why was it revised downwards?", format!("And why was it revised downwards? {roi}")),
            (ROI, "Who signed that?", format!("Who signed that? {roi}")),
            (
                ROI,
                "What does that mean for the budget?",
                format!("What does that mean for the budget? {roi}"),
            ),
            (ROI, "Why is that?", format!("Why is that? {roi}")),
            (ROI, "Who is responsible for this?", format!("Who is responsible for this? {roi}")),
            (ROI, "How much did it cost?", format!("How much did it cost? {roi}")),
            (ROI, "What are its risks?", format!("What are its risks? {roi}")),
            (ROI, "What about its risks?", format!("What about its risks? {roi}")),
            (ROI, "When did they decide?", format!("When did they decide? {roi}")),
            (ROI, "What happened then?", format!("What happened then? {roi}")),
            (ROI, "What\u{2019}s its risk?", format!("What\u{2019}s its risk? {roi}")),
            (ROI, "Compare that with Hamburg.", format!("Compare that with Hamburg. {roi}")),
            (ROI, "Tell me more", format!("{ROI} Tell me more")),
            (ROI, "Which one is cheaper?", format!("Which one is cheaper? {roi}")),
            (
                ROI,
                "What did the committee say about it?",
                format!("What did the committee say about it? {roi}"),
            ),
            (ROI, "What about the second phase?", format!("{ROI} What about the second phase?")),
            (ROI, "And the second phase?", format!("{ROI} And the second phase?")),
            (ROI, "Why?", format!("{ROI} Why?")),
            (ROI, "Since when?", format!("{ROI} Since when?")),
            (ROI, "And for Hamburg?", format!("{ROI} And for Hamburg?")),
            (ROI, "In 2023?", format!("{ROI} In 2023?")),
            (
                BILL,
                "Und wer hat das unterschrieben?",
                "Und wer hat das unterschrieben? (Heizungsrechnung Jahr 2022)".into(),
            ),
            (BILL, "Wann wurde sie bezahlt?", "Wann wurde sie bezahlt? (Heizungsrechnung Jahr 2022)".into()),
            (
                BILL,
                "Was steht darin über Wasser?",
                "Was steht darin über Wasser? (Heizungsrechnung Jahr 2022)".into(),
            ),
            (
                BILL,
                "Gilt das auch für Mieter?",
                "Gilt das auch für Mieter? (Heizungsrechnung Jahr 2022)".into(),
            ),
            (
                BILL,
                "Wer hat diese Rechnung bezahlt?",
                "Wer hat diese Rechnung bezahlt? (Heizungsrechnung Jahr 2022)".into(),
            ),
            (BILL, "Und 2023?", "Wie hoch war die Heizungsrechnung im Jahr 2023?".into()),
            (BILL, "Und im Jahr 2023?", "Wie hoch war die Heizungsrechnung im Jahr 2023?".into()),
            (BILL, "Und was ist mit dem Wasser?", format!("{BILL} Und was ist mit dem Wasser?")),
            (BILL, "Warum?", format!("{BILL} Warum?")),
            ("What was the rent in 2022?", "No, in 2023.", "What was the rent in 2023?".into()),
            (
                "What did it cost after the review?",
                "No, before the review.",
                "What did it cost before the review?".into(),
            ),
            (
                "Who has a key to the flat?",
                "Not the flat, the garage.",
                "Who has a key to the garage?".into(),
            ),
            (
                "Who has a key to the flat?",
                "I meant the garage.",
                "Who has a key to the flat? the garage.".into(),
            ),
            (ROI, "No, who signed that?", format!("who signed that? {roi}")),
            (BILL, "Nein, 2023.", "Wie hoch war die Heizungsrechnung im Jahr 2023?".into()),
            (
                "What is the rent since the review in 2024?",
                "And before the review?",
                "What is the rent before the review?".into(),
            ),
            (
                "Which documents mention the recall?",
                "And which mention the kiln?",
                "which documents mention the kiln?".into(),
            ),
            ("Which letters mention the recall?", "And the kiln?", "Which letters mention the kiln?".into()),
            ("How many live in Bonn?", "And in Bad Honnef?", "How many live in Bad Honnef?".into()),
            (
                "How many members in Bonn have paid?",
                "And in Köln?",
                "How many members in Köln have paid?".into(),
            ),
            ("How many are married?", "And single?", "How many are married? And single?".into()),
            ("What was the rent in 2022?", "And in 2023?", "What was the rent in 2023?".into()),
            ("What did we decide in May?", "And in September?", "What did we decide in September?".into()),
            (
                "Which contracts end within 90 days?",
                "And this year?",
                "Which contracts end this year?".into(),
            ),
            (
                "Was haben wir letzten Monat beschlossen?",
                "Und im September?",
                "Was haben wir im September beschlossen?".into(),
            ),
        ];
        for (earlier, question, expected) in cases {
            assert_eq!(after(&[earlier], question), Some(expected), "{question}");
        }
    }

    #[test]
    fn questions_that_stand_alone_are_left_alone() {
        let cases = [
            ROI,
            BILL,
            "What is the rent of the workshop?",
            "And what is the rent of the workshop?",
            "What is Oriel?",
            "Who is Hester Pengelly?",
            "Notice period",
            "rent",
            "Heizungsrechnung 2023",
            "What can you do?",
            "Where does Hester keep her keys?",
            "Did Idris say when he moved in?",
            "When the pump broke, who repaired it?",
            "Where is the contract and who signed it?",
            "Which tenants paid their rent late?",
            "When did the committee publish its report?",
            "How long does it take to charge the battery?",
            "Is it true that the clock stopped?",
            "What is the rule that applies to subletting?",
            "How long does the battery last after charging it?",
            "What do these documents say about heating?",
            "How much rent was paid this year?",
            "What happens to those who pay late?",
            "In which year was the contract signed?",
            "Is there a contract for the garage?",
            "Gibt es einen Vertrag über die Garage?",
            "Wer hat das Haus gekauft?",
            "Können Sie mir sagen, wann die Miete fällig ist?",
            "Wann hat der Vermieter seine Kündigung geschickt?",
            "Wer ist der Mieter, dessen Vertrag endet?",
            "Wann soll der Bericht fertig sein?",
            "",
            "?",
        ];
        for question in cases {
            assert_eq!(after(&["Who repaired the pump in the cellar?"], question), None, "{question}");
        }
        assert_eq!(after(&[], "Why was it revised?"), None);
        assert_eq!(after(&["Why is it so?"], "And then?"), None, "nothing to take");
    }

    #[test]
    fn a_chain_leads_back_to_its_beginning() {
        let rent = "What is the notice period of the flat?";
        assert_eq!(
            after(&[rent, "And the garage?"], "And the workshop?").as_deref(),
            Some("What is the notice period of the flat? And the workshop?")
        );
        assert_eq!(
            after(&[rent, "Who agreed to it?"], "When was it signed?").as_deref(),
            Some("When was it signed? (agreed notice period flat)")
        );
        assert_eq!(
            after(&["Summarise report.docx"], "Who signed it?").as_deref(),
            Some("Who signed it? (report.docx)")
        );
        assert_eq!(
            after(&["How many documents do you have?"], "How many of them are PDFs?").as_deref(),
            Some("How many of the documents are PDFs?")
        );
        assert_eq!(
            after(&["Who repaired the pump?", rent], "Why is it so long?").as_deref(),
            Some("Why is it so long? (notice period flat)")
        );
    }
}
