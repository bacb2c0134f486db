//! Decides what documents say about a claim: they support it, contradict it, or do not say.
//!
//! Two steps, which err on the side of doubt. `literal` compares words: numbers, units and names must be in the
//! passage, and what was changed in a copy of a sentence contradicts it. Where the words differ otherwise, the checker
//! decides, a cross-encoder that was trained on such pairs. It never overrules a number.
//!
//! The more of the claim's words a passage has in the same order, the less sure the checker has to be. What one passage
//! says nearly word for word outweighs what the checker makes of another. `literal` names the words that differ, so
//! most reasons are exact.

mod dates;
mod literal;
mod mail_head;
mod numbers;
mod standing;
mod words;

use std::borrow::Cow;
use std::collections::{BTreeSet, HashSet};

use oriel_core::{
    CancelToken, ClaimChecker, Difference, Entailment, Kind, ModelError, Passage, Unsupported, Verdict,
};
use oriel_text::{list_contains, plain, terms};

use crate::answer::grounding::literal::{Comparison, Context, compare};
use crate::answer::grounding::mail_head::MailHead;
use crate::answer::grounding::numbers::Writing;
use crate::answer::grounding::words::Word;
use crate::library::sentences::in_context;
use crate::search::languages::is_made_for;
use crate::search::loaded::PassageSentence;

/// Sentences on each side of the best one that the checker reads with it.
const CHECKED_NEIGHBOURS: usize = 2;
/// A passage with a smaller share of the claim's words is not worth a look of the checker.
const MIN_FOUND: f32 = 0.3;
/// From this share of aligned words on, a claim is close enough to a sentence to be contradicted by it.
const MIN_ALIGNED: f32 = 0.75;
/// The checker supports a claim from this probability on if a sentence has all of its words in the same order.
const MIN_SUPPORT_SAME_ORDER: f32 = 0.1;
/// The same if the passage has all of its words.
const MIN_SUPPORT_SAME_WORDS: f32 = 0.35;
/// The same if the passage has other words.
const MIN_SUPPORT_OTHER_WORDS: f32 = 0.5;
/// From this probability on the checker says that a passage says otherwise.
const MIN_CONTRADICTION: f32 = 0.85;
/// Where no checker reads, the share of a claim's words that a passage must have.
const MIN_FOUND_UNCHECKED: f32 = 0.8;

/// A text that may support a claim, prepared for the comparison.
pub(crate) struct Evidence {
    sentences: Vec<String>,
    words: Vec<Vec<Word>>,
    /// Which sentences are rows of a table.
    rows: Vec<bool>,
    /// The headings above each sentence and the header of its table.
    above: Vec<String>,
    /// What stands above the sentences.
    context: Context,
    /// Who wrote each sentence, if it is a mail that tells.
    authors: Vec<Option<String>>,
    /// The lines above the text, if it is a mail.
    head: Option<MailHead>,
    /// The words of tasks that are not done.
    open_tasks: Vec<Vec<Word>>,
}

/// What some evidence says about a claim.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Grounding {
    pub verdict: Verdict,
    /// The probability of the verdict.
    pub confidence: f32,
    /// Why it is not supported.
    pub reason: Option<Unsupported>,
    /// The words that differ.
    pub difference: Option<Difference>,
    /// Where the evidence says so: positions of a text and of a sentence in it, best first; empty if nothing was found.
    pub places: Vec<(usize, usize)>,
    /// Where the evidence comes closest to a claim that was not found, if it comes close at all.
    pub closest: Option<(usize, usize)>,
}

impl Evidence {
    /// The sentences of a passage of the document `name`.
    fn new(name: &str, parts: &[PassageSentence]) -> Self {
        let rows = parts.iter().map(|sentence| is_row(&sentence.text, sentence.kind)).collect();
        let head = MailHead::of(parts);
        let standing = standing::standing(parts.iter().map(|sentence| sentence.text.as_str()));
        let mut sentences: Vec<String> =
            parts.iter().zip(&standing).map(|(sentence, text)| plain(text, sentence.kind)).collect();
        if let Some(head) = &head {
            sentences[head.at].clone_from(&head.dated);
        }
        let writing = Writing::of(&sentences.join("\n"));
        let mut words: Vec<Vec<Word>> =
            sentences.iter().map(|sentence| Word::of(sentence, writing)).collect();
        // A line that says who wrote what follows says no more than that.
        for (at, pair) in parts.windows(2).enumerate() {
            if pair[1].kind.is_mail() && pair[1].context.ends_with(pair[0].text.trim()) {
                words[at].clear();
            }
        }
        let above: Vec<String> = parts.iter().map(|sentence| sentence.context.clone()).collect();
        let distinct: BTreeSet<&String> = above.iter().collect();
        let authors = mail_head::authors(parts);
        let context = Context {
            names: terms(name).into_iter().collect(),
            authors: authors.iter().map(|author| author.as_deref().map(terms).unwrap_or_default()).collect(),
            words: distinct.into_iter().flat_map(|one| Word::of(one, writing)).collect(),
        };
        let tasks = parts.iter().filter_map(|sentence| standing::open_task(&sentence.text));
        let open_tasks = tasks.map(|task| Word::of(task, writing)).collect();
        Self { sentences, words, rows, above, context, authors, head, open_tasks }
    }

    /// The evidence of each passage, with its sentences in `parts`.
    pub(crate) fn of_passages(passages: &[Passage], parts: &[Vec<PassageSentence>]) -> Vec<Self> {
        let name = |passage: &Passage| {
            passage.path.file_stem().unwrap_or_default().to_string_lossy().replace(['_', '-'], " ")
        };
        passages.iter().zip(parts).map(|(passage, sentences)| Self::new(&name(passage), sentences)).collect()
    }

    /// Whether a claim says that something is done which is an open task.
    fn leaves_open(&self, claim: &[Word]) -> bool {
        let is_in = |task: &Vec<Word>| {
            claim.iter().filter(|word| word.tells()).all(|word| task.iter().any(|other| word.matches(other)))
        };
        claim.iter().any(Word::tells) && self.open_tasks.iter().any(is_in)
    }

    /// The mail's head, if a claim is not about the mail: it is then read without its day.
    fn undated_for(&self, claim: &[Word]) -> Option<&MailHead> {
        self.head.as_ref().filter(|_| !MailHead::is_meant_by(claim))
    }

    /// The words of each sentence, as far as they can support the claim.
    fn words_for(&self, claim: &[Word]) -> Cow<'_, [Vec<Word>]> {
        let Some(head) = self.undated_for(claim) else { return Cow::Borrowed(&self.words) };
        let mut words = self.words.clone();
        words[head.at].clone_from(&head.words);
        Cow::Owned(words)
    }

    /// The sentence `at` with its neighbours below their headings, as the checker reads it for a claim: with the numbers of the
    /// claim in the form that they have there, since it knows them by their digits.
    fn around(&self, at: usize, claim: &[Word], neighbours: usize) -> String {
        let last = (at + neighbours).min(self.sentences.len().saturating_sub(1));
        let head = self.undated_for(claim);
        let sentence = |at: usize| match head {
            Some(head) if head.at == at => Cow::Borrowed(head.undated.as_str()),
            _ => with_numbers_of(claim, &self.sentences[at], &self.words[at]),
        };
        let first = at.saturating_sub(neighbours);
        let near: Vec<Cow<'_, str>> = (first..=last).map(sentence).collect();
        match &self.authors[at] {
            // What others write stands below their names.
            Some(author) => {
                let own: Vec<&str> = near
                    .iter()
                    .zip(first..)
                    .filter(|(_, one)| self.authors[*one] == self.authors[at])
                    .map(|(text, _)| &**text)
                    .collect();
                format!("{author} wrote: {}", own.join(" "))
            }
            None => in_context(&self.above[at], &near.join(" ")),
        }
    }
}

/// A sentence with these words, in which the numbers that a claim has too are written as there.
fn with_numbers_of<'s>(claim: &[Word], sentence: &'s str, words: &[Word]) -> Cow<'s, str> {
    let (mut written, mut rest, mut is_changed) = (String::new(), sentence, false);
    for word in words {
        let Some((before, after)) = rest.split_once(&word.text) else { continue };
        let is_number = word.number().is_some();
        let same =
            claim.iter().find(|claimed| is_number && claimed.matches(word) && claimed.text != word.text);
        is_changed |= same.is_some();
        written.extend([before, &same.unwrap_or(word).text]);
        rest = after;
    }
    if is_changed { Cow::Owned(written + rest) } else { Cow::Borrowed(sentence) }
}

/// Whether a sentence of a document is a row of a table: cells with a border, a tab or a gap between them.
fn is_row(sentence: &str, kind: Kind) -> bool {
    if kind.is_markdown() {
        return sentence.starts_with('|') || sentence.contains(" | ");
    }
    sentence.lines().any(|line| line.trim().contains('\t') || line.trim().contains("  "))
}

/// What the evidence says about each claim.
///
/// # Errors
/// If the checker fails, and [`ModelError::Cancelled`].
pub(crate) fn ground(
    claims: &[String],
    evidence: &[Evidence],
    checker: Option<&dyn ClaimChecker>,
    cancel: &CancelToken,
) -> Result<Vec<Grounding>, ModelError> {
    let words: Vec<Vec<Word>> = claims.iter().map(|claim| Word::all(claim)).collect();
    let comparisons: Vec<Vec<Comparison>> = words
        .iter()
        .map(|claim| {
            let compared = |one: &Evidence| compare(claim, &one.words_for(claim), &one.context);
            evidence.iter().map(compared).collect()
        })
        .collect();
    let is_open = |comparison: &Comparison| !comparison.is_copy && comparison.found >= MIN_FOUND;
    let mut passages = Vec::new();
    let mut asked = Vec::new();
    for (claim, comparisons) in comparisons.iter().enumerate() {
        for (at, comparison) in comparisons.iter().enumerate().filter(|(_, one)| is_open(one)) {
            passages.push((claim, evidence[at].around(comparison.best, &words[claim], CHECKED_NEIGHBOURS)));
            asked.push((claim, at));
        }
    }
    let mut chances: Vec<Vec<Option<Entailment>>> = vec![vec![None; evidence.len()]; claims.len()];
    for ((claim, at), chance) in asked.into_iter().zip(ask(checker, claims, passages, cancel)?) {
        chances[claim][at] = chance;
    }
    let weighed = words.iter().zip(&comparisons).zip(&chances).map(|((claim, comparisons), chances)| {
        let open: Vec<bool> = evidence.iter().map(|one| one.leaves_open(claim)).collect();
        weigh(comparisons, chances, evidence, &open)
    });
    Ok(weighed.collect())
}

/// What the checker says of each claim and passage, each with the position of its claim; `None` where there is none that reads their
/// language.
fn ask(
    checker: Option<&dyn ClaimChecker>,
    claims: &[String],
    passages: Vec<(usize, String)>,
    cancel: &CancelToken,
) -> Result<Vec<Option<Entailment>>, ModelError> {
    let mut chances = vec![None; passages.len()];
    let Some(checker) = checker else { return Ok(chances) };
    let is_read = |(_, (claim, passage)): &(usize, (usize, String))| {
        is_made_for(checker.languages(), &format!("{} {passage}", claims[*claim]))
    };
    let (asked, read): (Vec<usize>, Vec<(usize, String)>) =
        passages.into_iter().enumerate().filter(is_read).unzip();
    if !read.is_empty() {
        for (at, chance) in asked.into_iter().zip(checker.check(claims, &read, cancel)?) {
            chances[at] = Some(chance);
        }
    }
    Ok(chances)
}

/// The verdict of all evidence on one claim. A text with an `open` task says only word for word that it is done.
fn weigh(
    comparisons: &[Comparison],
    chances: &[Option<Entailment>],
    evidence: &[Evidence],
    open: &[bool],
) -> Grounding {
    let judged: Vec<(Option<Unsupported>, f32)> = comparisons
        .iter()
        .zip(chances)
        .zip(evidence)
        .map(|((comparison, chance), evidence)| {
            let in_row = evidence.rows.get(comparison.best).is_some_and(|is_row| *is_row);
            judge(comparison, *chance, in_row)
        })
        .collect();
    let of = |wanted: Verdict| {
        let verdict = |reason: Option<Unsupported>| reason.map_or(Verdict::Supported, Unsupported::verdict);
        let mut found: Vec<usize> = (0..judged.len()).filter(|&at| verdict(judged[at].0) == wanted).collect();
        found.sort_by(|&a, &b| judged[b].1.total_cmp(&judged[a].1).then(a.cmp(&b)));
        found
    };
    let places = |found: &[usize]| found.iter().map(|&at| (at, comparisons[at].best)).collect();
    // What a text says nearly word for word weighs more than what the checker makes of another text.
    let literal = (0..judged.len()).filter(|&at| {
        let contradicts = judged[at].0.is_some_and(|reason| reason.verdict() == Verdict::Contradicted);
        contradicts && comparisons[at].finding.is_some() && comparisons[at].aligned >= MIN_ALIGNED
    });
    let denied = literal.map(|at| comparisons[at].aligned).fold(0.0, f32::max);
    let mut supporting = of(Verdict::Supported);
    supporting.retain(|&at| comparisons[at].is_copy || comparisons[at].aligned >= denied && !open[at]);
    if let Some(&best) = supporting.first() {
        let places = places(&supporting);
        return Grounding {
            verdict: Verdict::Supported,
            confidence: judged[best].1,
            reason: None,
            difference: None,
            places,
            closest: None,
        };
    }
    let contradicting = of(Verdict::Contradicted);
    let nearest = (0..comparisons.len())
        .max_by(|&a, &b| comparisons[a].found.total_cmp(&comparisons[b].found).then(b.cmp(&a)));
    let Some(best) = contradicting.first().copied().or(nearest) else {
        return Grounding {
            verdict: Verdict::NotFound,
            confidence: 1.0,
            reason: Some(Unsupported::NoPassage),
            difference: None,
            places: Vec::new(),
            closest: None,
        };
    };
    let (reason, confidence) = (judged[best].0.unwrap_or(Unsupported::NoPassage), judged[best].1);
    let is_close = reason.verdict() == Verdict::NotFound && comparisons[best].found >= MIN_FOUND;
    Grounding {
        verdict: reason.verdict(),
        confidence,
        reason: Some(reason),
        difference: comparisons[best].finding.as_ref().and_then(|(_, difference)| difference.clone()),
        places: contradicting.first().map(|&at| (at, comparisons[at].best)).into_iter().collect(),
        closest: is_close.then_some((best, comparisons[best].best)),
    }
}

/// Why one text does not support a claim, `None` if it does, and how likely that is; `in_row` if its best sentence is a row of
/// a table.
fn judge(comparison: &Comparison, chance: Option<Entailment>, in_row: bool) -> (Option<Unsupported>, f32) {
    let supported = chance.map_or(0.0, |chance| chance.supported);
    if let Some((reason, _)) = comparison.finding {
        return (Some(reason), 1.0 - supported / 2.0);
    }
    if comparison.is_copy {
        return (None, 1.0);
    }
    let Some(chance) = chance else {
        // The checker is asked about every passage with so many of the words that it can read.
        return if comparison.found >= MIN_FOUND_UNCHECKED {
            (None, comparison.found)
        } else {
            (Some(Unsupported::NoPassage), 1.0 - comparison.found)
        };
    };
    let has_order = comparison.aligned > 0.99;
    // The cells of a row in their order say all that a row says. The checker knows sentences.
    if in_row && has_order && !comparison.adds_negation {
        return (None, supported.max(MIN_FOUND_UNCHECKED));
    }
    let least = match comparison {
        _ if has_order => MIN_SUPPORT_SAME_ORDER,
        // A row names things and does not say how they belong together, except by their order. A word that is in another row may
        // say just that.
        Comparison { in_best: false, .. } if in_row => f32::INFINITY,
        Comparison { adds_negation: true, .. } => f32::INFINITY,
        Comparison { found, .. } if *found > 0.99 => MIN_SUPPORT_SAME_WORDS,
        _ => MIN_SUPPORT_OTHER_WORDS,
    };
    if chance.supported >= least && (chance.supported > chance.contradicted || comparison.is_start) {
        (None, chance.supported)
    } else if chance.contradicted >= MIN_CONTRADICTION {
        (Some(Unsupported::Otherwise), chance.contradicted)
    } else {
        // The checker may be sure where it has no say.
        (Some(Unsupported::NoPassage), (1.0 - chance.supported).max(0.5))
    }
}

/// An answer to a question, with the text and the sentence of it that hold it.
pub(crate) struct Proposed {
    pub answer: String,
    pub text: usize,
    pub sentence: usize,
}

/// How likely each proposed answer answers the question where it stands: the mean of what the checker says of the sentence alone and
/// among its neighbours, which may hold the answer to something else. `None` if no checker reads its language.
///
/// # Errors
/// If the checker fails, and [`ModelError::Cancelled`].
pub(crate) fn answer_chances(
    question: &str,
    proposed: &[Proposed],
    evidence: &[Evidence],
    checker: Option<&dyn ClaimChecker>,
    cancel: &CancelToken,
) -> Result<Vec<Option<f32>>, ModelError> {
    let claims: Vec<String> = proposed.iter().map(|one| format!("{question} {}", one.answer)).collect();
    let words: Vec<Vec<Word>> = proposed.iter().map(|one| Word::all(&one.answer)).collect();
    let read = |neighbours| {
        let places = proposed.iter().zip(&words);
        places.map(move |(one, words)| evidence[one.text].around(one.sentence, words, neighbours)).enumerate()
    };
    let passages = read(CHECKED_NEIGHBOURS).chain(read(0)).collect();
    // What the place contradicts is no answer.
    let chance = |chance: &Entailment| match chance.supported > chance.contradicted {
        true => chance.supported,
        false => 0.0,
    };
    let chances: Vec<Option<f32>> =
        ask(checker, &claims, passages, cancel)?.iter().map(|one| one.as_ref().map(chance)).collect();
    let (near, alone) = chances.split_at(proposed.len());
    let mean = |(near, alone): (&Option<f32>, &Option<f32>)| Some((near.as_ref()? + alone.as_ref()?) / 2.0);
    Ok(near.iter().zip(alone).map(mean).collect())
}

/// Whether words of two texts say the opposite of each other, such as "income" and "expenses".
pub(crate) fn are_opposite(one: &str, other: &str) -> bool {
    let (one, other) = (Word::all(one), Word::all(other));
    one.iter().any(|word| other.iter().any(|other| word.opposes(other)))
}

/// Whether a text holds a number, in digits or in words.
pub(crate) fn has_number(text: &str) -> bool {
    Word::all(text).iter().any(|word| word.number().is_some())
}

/// Whether `sentence` adds anything to the question. One that only repeats the question is no answer.
pub(crate) fn adds(sentence: &str, question: &str) -> bool {
    let asked: HashSet<String> = terms(question).into_iter().collect();
    Word::all(sentence).iter().any(|word| word.tells() && !asked.contains(&word.term))
}

/// Words for parts of a document that have a heading.
const HEADINGS: &str = "chapter chapters section sections heading headings title titles part kapitel abschnitt überschrift titel chapitre titre \
    capítulo título capitolo titolo hoofdstuk";

/// Whether `answer` is all of a heading that names what the question is about: that says nothing about it. A number says something, and
/// so does a heading if a heading is asked for.
pub(crate) fn is_topic(answer: &str, heading: &str, question: &str) -> bool {
    let terms_of = |text| terms(text).into_iter().collect::<HashSet<String>>();
    let (asked, said) = (terms_of(question), Word::all(answer));
    let asks_for_heading = Word::all(question).iter().any(|word| list_contains(&word.lower, HEADINGS));
    // The first number may be the heading's own.
    let says_number = said.iter().skip(1).any(|word| word.number().is_some());
    let said: HashSet<&str> = said.iter().map(|word| word.term.as_str()).collect();
    let named = Word::all(heading);
    let mut named = named.iter().filter(|word| word.tells() && word.number().is_none());
    let names_asked = named.clone().any(|word| asked.contains(&word.term));
    !asks_for_heading && !says_number && names_asked && named.all(|word| said.contains(word.term.as_str()))
}

#[cfg(test)]
mod tests {
    use oriel_core::{ByteSpan, Kind, PageMap};
    use oriel_text::sentences;

    use super::*;

    const PASSAGE: &str = "The keys are in the green tin. After a power cut the battery keeps the hands moving for 72 hours, \
        which was not so before 1998. We sold the barn to a neighbour. Idris Vaughan repaired the pump in May 2023 for more than 1,150 pounds. \
        Sales rose from 12 to 14 million euros, and most of the tenants stayed. No dogs are allowed in the yard at night.";

    /// The verdict of the words alone, with its reason and the words that differ.
    fn words(claim: &str) -> (Verdict, Option<Unsupported>, Option<(String, String)>) {
        let parts: Vec<PassageSentence> = sentences(PASSAGE, Kind::Text, &PageMap::default())
            .into_iter()
            .map(|row| PassageSentence {
                span: row.span,
                text: row.span.of(PASSAGE).unwrap().to_owned(),
                kind: Kind::Text,
                context: String::new(),
                is_heading: false,
            })
            .collect();
        let evidence = [Evidence::new("Mill house", &parts)];
        let one = ground(&[claim.to_owned()], &evidence, None, &CancelToken::new()).unwrap().swap_remove(0);
        (one.verdict, one.reason, one.difference.map(|words| (words.claim, words.passage)))
    }

    /// The verdict of the words alone on what some sentences say, below `above`.
    fn verdict(claim: &str, sentences: &[&str], above: &str) -> (Verdict, Option<Unsupported>) {
        let part = |(at, text): (u32, &&str)| PassageSentence {
            span: ByteSpan::new(100 * at, 100 * at + text.len() as u32),
            text: (*text).to_owned(),
            kind: Kind::Text,
            context: above.to_owned(),
            is_heading: false,
        };
        let parts: Vec<PassageSentence> = (0..).zip(sentences).map(part).collect();
        let evidence = [Evidence::new("notes", &parts)];
        let one = ground(&[claim.to_owned()], &evidence, None, &CancelToken::new()).unwrap().swap_remove(0);
        (one.verdict, one.reason)
    }

    #[test]
    fn another_number_of_the_same_thing_contradicts_whatever_verb_joins_them() {
        use Unsupported::{Denial, OtherNumber};
        let plants = "Plant\tWinter temperature";
        for (claim, sentence, above, why) in [
            ("Electricity costs 40 euros.", "Price: 45 euros for ten hours of electricity.", "", OtherNumber),
            ("The lemon needs 2 °C in winter.", "Lemon\t5 °C", plants, OtherNumber),
            (
                "The notice period is six weeks to the end of a month.",
                "The notice period is three months to the end of a quarter.",
                "",
                OtherNumber,
            ),
            ("No deposit is due for the lathe.", "The deposit for the lathe is 4,350 euros.", "", Denial),
        ] {
            assert_eq!(verdict(claim, &[sentence], above), (Verdict::Contradicted, Some(why)), "{claim}");
        }
        let price = ("Saw bench\t1,250.00", "Article\tPrice");
        assert_eq!(verdict("The saw bench costs 1250 euros.", &[price.0], price.1).0, Verdict::Supported);
        let saving = ("Saw bench\t1,250.00", "Article\tSaving");
        assert_ne!(verdict("The saw bench costs 1250 euros.", &[saving.0], saving.1).0, Verdict::Supported);
        for (claim, sentence) in [
            (
                "Notice is given six weeks ahead.",
                "Notice is given in writing, and the review takes three months.",
            ),
            ("No deposit is due for the lathe.", "No deposit for the lathe is above 4,350 euros."),
        ] {
            assert_ne!(verdict(claim, &[sentence], "").0, Verdict::Contradicted, "{claim}");
        }
    }

    #[test]
    fn an_open_task_is_not_done() {
        let list = ["See the glazier, who was called Munk.", "☐ Call the glazier", "☑ Order the putty"];
        assert_eq!(verdict("The glazier has been called.", &list, "").0, Verdict::NotFound);
        assert_eq!(verdict("The putty was ordered.", &list, "").0, Verdict::Supported);
    }

    #[test]
    fn what_a_passage_says_is_supported() {
        for claim in [
            "The keys are in the green tin.",
            "After a power cut the battery keeps the hands moving for 72 hours.",
            "The battery keeps the hands moving for seventy-two hours after a power cut.",
            "In May 2023 Idris Vaughan repaired the pump.",
            "Sales rose to 14,000,000 euros.",
            "The keys of Mill House are in the green tin.",
        ] {
            assert_eq!(words(claim).0, Verdict::Supported, "{claim}: {:?}", words(claim));
        }
    }

    #[test]
    fn the_day_of_a_mail_is_that_of_the_mail() {
        let head = "From: Anna Berg <anna@example.org>\nTo: all@example.org\nDate: Wed, 21 Dec 2022 10:00:00 +0100\n\
                    Subject: Family day";
        let part = |text: &str| PassageSentence {
            span: ByteSpan::new(0, 1),
            text: text.into(),
            kind: Kind::Eml,
            context: String::new(),
            is_heading: false,
        };
        let (people, rest) = head.split_at(head.find("Date").unwrap());
        let parts = [part(people), part(rest), part("The family day is near, please bring cake.")];
        let evidence = [Evidence::new("mail", &parts)];
        let verdict = |claim: &str| {
            let claims = [claim.to_owned()];
            ground(&claims, &evidence, None, &CancelToken::new()).unwrap()[0].verdict
        };
        for claim in ["The family day is on Wed, 21 Dec 2022.", "Anna Berg starts on 21 Dec 2022."] {
            assert_eq!(verdict(claim), Verdict::NotFound, "{claim}");
        }
        for claim in
            ["The mail on the family day was sent on 21 Dec 2022.", "Anna Berg wrote on 21 Dec 2022."]
        {
            assert_eq!(verdict(claim), Verdict::Supported, "{claim}");
        }
    }

    #[test]
    fn a_changed_word_is_named() {
        let differ = |claim: &str, passage: &str| Some((claim.to_owned(), passage.to_owned()));
        for (claim, reason, difference) in [
            (
                "The battery keeps the hands moving for 48 hours.",
                Unsupported::OtherNumber,
                differ("48 hours", "72 hours"),
            ),
            (
                "The battery keeps the hands moving for 72 days.",
                Unsupported::OtherUnit,
                differ("72 days", "72 hours"),
            ),
            (
                "Morag Vaughan repaired the pump in May 2023.",
                Unsupported::OtherName,
                differ("Morag", "Idris"),
            ),
            ("Idris sold the barn to a neighbour.", Unsupported::Name, differ("Idris", "")),
            ("Morag repaired the pump in Tarbert in May 2023.", Unsupported::Name, differ("Tarbert", "")),
            ("Sales fell from 12 to 14 million euros.", Unsupported::Opposite, differ("fell", "rose")),
            (
                "Sales rose from 12 to 14 million dollars.",
                Unsupported::OtherUnit,
                differ("14 million dollars", "14 million euros"),
            ),
            ("The keys are not in the green tin.", Unsupported::Denial, None),
            ("Dogs are allowed in the yard at night.", Unsupported::Denial, None),
            (
                "The keys are in the green tin, and the door was painted.",
                Unsupported::Added,
                differ("and the door was painted", ""),
            ),
            ("Hester painted the door of her barn.", Unsupported::NoPassage, None),
            ("It is so.", Unsupported::NoClaim, None),
        ] {
            let (verdict, why, words) = words(claim);
            assert_eq!((verdict, why, words), (reason.verdict(), Some(reason), difference), "{claim}");
        }
    }

    /// Supports whatever it is asked.
    struct Believes;

    impl ClaimChecker for Believes {
        fn check(
            &self,
            _: &[String],
            passages: &[(usize, String)],
            _: &CancelToken,
        ) -> Result<Vec<Entailment>, ModelError> {
            let believed = Entailment { supported: 0.99, contradicted: 0.0, not_found: 0.01 };
            Ok(vec![believed; passages.len()])
        }
    }

    #[test]
    fn the_checker_alone_does_not_join_the_cells_of_rows_or_deny() {
        let part = |text: &str, context: &str| PassageSentence {
            span: ByteSpan::new(0, 1),
            text: text.to_owned(),
            kind: Kind::Docx,
            context: context.to_owned(),
            is_heading: false,
        };
        let evidence = [Evidence::new(
            "Handbook",
            &[
                part("Dunlin\tsmall desk clock\tIdris, Jory", "Clock What it is Made by"),
                part("Petrel\tharbour clock with enamel dial\tBram", "Clock What it is Made by"),
                part("Morwenna Pellow\tlandlord, suppliers, banks", ""),
                part("The clocks were tested again in Spring.", ""),
            ],
        )];
        for (claim, supported) in [
            ("The Dunlin is made by Idris and Jory.", true),
            ("The enamel dial of the Dunlin is made by Jory.", false),
            ("The landlord is called Morwenna Pellow.", false),
            ("The clocks were tested again when Spring came.", true),
            ("The clocks were not tested again when Spring came.", false),
        ] {
            let claims = [claim.to_owned()];
            let found = ground(&claims, &evidence, Some(&Believes), &CancelToken::new()).unwrap();
            assert_eq!(found[0].verdict == Verdict::Supported, supported, "{claim}: {:?}", found[0]);
        }
    }

    #[test]
    fn the_question_again_is_no_answer() {
        let question = "How long does the battery keep the hands moving?";
        assert!(!adds("The battery keeps the hands moving.", question));
        assert!(adds("The battery keeps them moving for 72 hours.", question));
    }
}
