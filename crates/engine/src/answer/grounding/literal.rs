//! The literal comparison: a claim word by word beside the sentences that may say it.
//!
//! A claim that is nearly a copy of a sentence shows what was changed: the words of the two are aligned, and what stands
//! between the same neighbours on both sides was exchanged, put in or left out. Numbers and names must be in the evidence
//! whatever the wording.

use std::borrow::Cow;
use std::collections::HashSet;

use oriel_core::{Difference, Unsupported};

use crate::answer::grounding::numbers::Quantity;
use crate::answer::grounding::words::{Word, WordKind};

/// From this share of aligned words on, a claim is a version of the sentence and what differs was changed.
const VERSION: f32 = 0.6;

/// First-person pronouns.
const FIRST_PERSON: [&str; 10] = ["we", "i", "us", "me", "wir", "ich", "nous", "je", "nosotros", "yo"];

/// From this number of words on that the evidence does not have, what was put in is an addition.
const ADDED: usize = 2;

/// What stands above the sentences of some evidence and may hold words of a claim.
pub(super) struct Context {
    /// The terms of the document's name: a name may stand there alone.
    pub names: HashSet<String>,
    /// The words of the headings and of the header of the table.
    pub words: Vec<Word>,
    /// The terms of the author of each sentence, if it is a mail.
    pub authors: Vec<Vec<String>>,
}

/// The sentence, or the two, that a claim is a version of.
struct Aligned {
    at: usize,
    words: Vec<Word>,
    pairs: Vec<(usize, usize)>,
    score: f32,
}

/// What the literal comparison of a claim with some evidence gives.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Comparison {
    /// What speaks against the claim, if anything.
    pub finding: Option<(Unsupported, Option<Difference>)>,
    /// Share of the claim's telling words that the evidence has.
    pub found: f32,
    /// Whether the best sentence, with what stands above it, has all of the claim's telling words, and its own in the same order.
    pub in_best: bool,
    /// Whether the claim negates, and neither the best sentence nor its neighbours do.
    pub adds_negation: bool,
    /// Share of the claim's telling words that are in the order of the best sentence.
    pub aligned: f32,
    /// The best sentence of the evidence, from 0.
    pub best: usize,
    /// Whether a sentence of the evidence begins with the claim, word for word.
    pub is_start: bool,
    /// Whether the claim is a sentence of the evidence, word for word.
    pub is_copy: bool,
}

/// Compares a claim with the sentences of some evidence and what stands above them.
pub(super) fn compare(claim: &[Word], evidence: &[Vec<Word>], context: &Context) -> Comparison {
    let telling = claim.iter().filter(|word| word.tells()).count();
    let aligned_with =
        |pairs: &[(usize, usize)]| pairs.iter().filter(|(word, _)| claim[*word].tells()).count();
    let mut best: Option<Aligned> = None;
    let mut consider = |at: usize, words: Cow<'_, [Word]>| {
        let pairs = align(claim, &words);
        // Of equal ones the shorter says it more to the point.
        let score = aligned_with(&pairs) as f32 - words.len() as f32 * 1e-3;
        if best.as_ref().is_none_or(|best| score > best.score) {
            best = Some(Aligned { at, words: words.into_owned(), pairs, score });
        }
    };
    for (at, sentence) in evidence.iter().enumerate() {
        consider(at, Cow::Borrowed(sentence));
        // A claim that is clearly longer than the sentence may say what two sentences say.
        if let Some(next) = evidence.get(at + 1).filter(|_| claim.len() * 4 > sentence.len() * 5) {
            consider(at, Cow::Owned([sentence.as_slice(), next].concat()));
        }
    }
    let Some(Aligned { at, words: sentence, pairs, .. }) = best.filter(|_| telling > 0) else {
        return Comparison {
            finding: Some((if telling == 0 { Unsupported::NoClaim } else { Unsupported::NoPassage }, None)),
            found: 0.0,
            in_best: false,
            adds_negation: false,
            aligned: 0.0,
            best: 0,
            is_start: false,
            is_copy: false,
        };
    };
    let is_one_number = evidence[at].iter().filter(|word| word.number().is_some()).count() == 1;
    let has = |word: &Word| {
        let mut all = evidence.iter().flatten().chain(&context.words);
        // With several numbers the price may be another one.
        all.any(|other| word.matches(other) || is_one_number && word.asks_price(other))
    };
    let is_known =
        |word: &Word| has(word) || word.kind == WordKind::Name && context.names.contains(&word.term);
    let share = |count: usize| count as f32 / telling as f32;
    let found = share(claim.iter().filter(|word| word.tells() && is_known(word)).count());
    let aligned = share(aligned_with(&pairs));
    let is_version = aligned >= VERSION;
    let is_author = |word: &Word| context.authors.get(at).is_some_and(|author| author.contains(&word.term));
    let changed = is_version.then(|| changed(claim, &sentence, &pairs, &is_known, &is_author)).flatten();
    let finding = changed
        .or_else(|| other_number(claim, &evidence[at], &context.words, &is_known))
        .or_else(|| other_amount(claim, &evidence[at], &is_known))
        .or_else(|| denied(claim, &evidence[at]))
        .or_else(|| absent(claim, evidence, &is_known));
    let are_numbers = |one: &Word, other: &Word| one.number().is_some() && other.number().is_some();
    let is_same = |&(word, other): &(usize, usize)| {
        claim[word].lower == sentence[other].lower || are_numbers(&claim[word], &sentence[other])
    };
    let is_start = pairs.len() == claim.len()
        && pairs.iter().enumerate().all(|(at, pair)| *pair == (at, at))
        && pairs.iter().all(is_same);
    let is_copy = is_start && claim.len() == sentence.len();
    // Of two sentences, the one that more of the claim is aligned with.
    let first = evidence[at].len();
    let second = pairs.iter().filter(|(word, other)| claim[*word].tells() && *other >= first).count();
    let at = if second * 2 > aligned_with(&pairs) { at + 1 } else { at };
    let matches = |words: &[Word], word: &Word| words.iter().any(|other| word.matches(other));
    let in_best =
        claim.iter().enumerate().filter(|(_, word)| word.tells()).all(|(place, word)| {
            match matches(&evidence[at], word) {
                true => pairs.iter().any(|(aligned, _)| *aligned == place),
                false => matches(&context.words, word),
            }
        });
    let negates = |words: &[Word]| words.iter().any(|word| word.kind == WordKind::Negation);
    let near = &evidence[at.saturating_sub(1)..evidence.len().min(at + 2)];
    let adds_negation = negates(claim) && !near.iter().any(|words| negates(words));
    Comparison { finding, found, in_best, adds_negation, aligned, best: at, is_start, is_copy }
}

/// The longest common subsequence of two texts, as pairs of positions; words without content only count where they break a tie.
fn align(claim: &[Word], sentence: &[Word]) -> Vec<(usize, usize)> {
    let width = sentence.len() + 1;
    let mut score = vec![0_u32; (claim.len() + 1) * width];
    for (i, word) in claim.iter().enumerate().rev() {
        let weight = if word.tells() { 16 } else { 1 };
        for (j, other) in sentence.iter().enumerate().rev() {
            let skip = score[(i + 1) * width + j].max(score[i * width + j + 1]);
            let take = if word.matches(other) { weight + score[(i + 1) * width + j + 1] } else { 0 };
            score[i * width + j] = skip.max(take);
        }
    }
    let (mut i, mut j, mut pairs) = (0, 0, Vec::new());
    while i < claim.len() && j < sentence.len() {
        let here = score[i * width + j];
        if here == score[(i + 1) * width + j] {
            i += 1;
        } else if here == score[i * width + j + 1] {
            j += 1;
        } else {
            pairs.push((i, j));
            (i, j) = (i + 1, j + 1);
        }
    }
    pairs
}

/// What was changed in a version of a sentence.
fn changed(
    claim: &[Word],
    sentence: &[Word],
    pairs: &[(usize, usize)],
    is_known: &impl Fn(&Word) -> bool,
    is_author: &impl Fn(&Word) -> bool,
) -> Option<(Unsupported, Option<Difference>)> {
    let end = [(claim.len(), sentence.len())];
    let (mut i, mut j) = (0, 0);
    for &(next_i, next_j) in pairs.iter().chain(&end) {
        let (put_in, left_out) = (&claim[i..next_i], &sentence[j..next_j]);
        if let Some(finding) = exchanged(put_in, left_out, sentence, is_author) {
            return Some(finding);
        }
        // A negation alone was put in or left out; with other words around it, it may belong to a clause that was left out.
        let negates = |words: &[Word]| words.iter().any(|word| word.kind == WordKind::Negation);
        let goes_on = next_i < claim.len();
        let few = |words: &[Word]| {
            let telling = words.iter().filter(|word| word.tells()).count();
            let adverbs =
                words.iter().filter(|word| ["longer", "ever"].contains(&word.lower.as_str())).count();
            telling - adverbs.min(telling) == 1
        };
        if negates(put_in) != negates(left_out) && goes_on && (few(put_in) || few(left_out)) {
            return Some((Unsupported::Denial, None));
        }
        let new: Vec<&Word> = put_in.iter().filter(|word| word.tells()).collect();
        let is_added = new.len() >= ADDED && new.iter().all(|word| !is_known(word));
        if is_added && !left_out.iter().any(Word::tells) {
            let text = put_in.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ");
            return Some((Unsupported::Added, Some(Difference { claim: text, passage: String::new() })));
        }
        (i, j) = (next_i + 1, next_j + 1);
    }
    None
}

/// The difference between what a claim has and what the sentence has at the same place. What stands elsewhere in the sentence
/// was moved, not exchanged.
fn exchanged(
    put_in: &[Word],
    left_out: &[Word],
    sentence: &[Word],
    is_author: &impl Fn(&Word) -> bool,
) -> Option<(Unsupported, Option<Difference>)> {
    let is_moved = |word: &Word| sentence.iter().any(|other| word.matches(other));
    let differ = |word: &Word, other: &Word| {
        Some(Difference { claim: word.text.clone(), passage: other.text.clone() })
    };
    for word in put_in.iter().filter(|word| !is_moved(word)) {
        if let WordKind::Number(claimed) = word.kind {
            let numbers = || {
                left_out.iter().filter_map(|other| match other.kind {
                    WordKind::Number(given) => Some((other, given)),
                    _ => None,
                })
            };
            if let Some((other, _)) =
                numbers().find(|(_, given)| claimed.has_value_of(given) && !claimed.shares_unit(given))
            {
                return Some((Unsupported::OtherUnit, differ(word, other)));
            }
            let alike = |given: &Quantity| {
                claimed.is_year() == given.is_year() && claimed.shares_unit(given) && left_out.len() < 8
            };
            if let Some((other, _)) = numbers().find(|(_, given)| alike(given)) {
                return Some((Unsupported::OtherNumber, differ(word, other)));
            }
        } else if let Some(other) = left_out.iter().find(|other| word.opposes(other)) {
            return Some((Unsupported::Opposite, differ(word, other)));
        }
    }
    // Who "we" are stands elsewhere, if at all; in a mail it is its author. The first word of a claim may be a name.
    let first_person = |word: &Word| FIRST_PERSON.contains(&word.lower.as_str());
    let capital =
        |word: &&Word| word.tells() && word.text.starts_with(char::is_uppercase) && !is_author(word);
    if left_out.iter().any(first_person)
        && !left_out.iter().any(Word::tells)
        && let Some(name) = put_in.iter().find(capital)
    {
        let difference = Difference { claim: name.text.clone(), passage: String::new() };
        return Some((Unsupported::Name, Some(difference)));
    }
    let name = |words: &[Word]| {
        let names: Vec<&str> =
            words.iter().filter(|word| word.kind == WordKind::Name).map(|word| word.text.as_str()).collect();
        let only = !names.is_empty() && words.iter().all(|word| !word.tells() || word.kind == WordKind::Name);
        only.then(|| names.join(" "))
    };
    let (claimed, given) = (name(put_in)?, name(left_out)?);
    if put_in.iter().filter(|word| word.kind == WordKind::Name).all(is_moved) {
        return None;
    }
    Some((Unsupported::OtherName, Some(Difference { claim: claimed, passage: given })))
}

/// The one number of a sentence that has, with what stands above it, all of a claim's words but its number: "VAT is 16 %" of a
/// row "VAT 19 %".
fn other_number(
    claim: &[Word],
    sentence: &[Word],
    above: &[Word],
    is_known: &impl Fn(&Word) -> bool,
) -> Option<(Unsupported, Option<Difference>)> {
    let names_price = |word: &Word| sentence.iter().chain(above).any(|other| word.asks_price(other));
    let is_unknown = |word: &&Word| word.tells() && !is_known(word) && !word.measures() && !names_price(word);
    let mut unknown = claim.iter().filter(is_unknown);
    let word = unknown.next().filter(|_| unknown.next().is_none())?;
    let claimed = word.number()?;
    let is_alike = |given: &Quantity| claimed.is_year() == given.is_year() && claimed.shares_unit(given);
    let mut alike = sentence.iter().filter(|other| other.number().is_some_and(|given| is_alike(&given)));
    let other = alike.next().filter(|_| alike.next().is_none())?;
    let mut named = claim.iter().filter(|word| word.tells() && word.number().is_none() && !word.measures());
    let is_in =
        |word: &Word, words: &[Word]| words.iter().any(|other| word.matches(other) || word.asks_price(other));
    let has_words = named.clone().all(|word| is_in(word, sentence) || is_in(word, above));
    let is_about_it = has_words && named.any(|word| is_in(word, sentence));
    let difference = Difference { claim: word.text.clone(), passage: other.text.clone() };
    is_about_it.then_some((Unsupported::OtherNumber, Some(difference)))
}

/// Another number after the same beginning: "The notice period is six weeks to the end of a month" of "The notice period is three
/// months to the end of a quarter".
fn other_amount(
    claim: &[Word],
    sentence: &[Word],
    is_known: &impl Fn(&Word) -> bool,
) -> Option<(Unsupported, Option<Difference>)> {
    let is_number = |word: &Word| word.number().is_some();
    let at =
        claim.iter().position(is_number).filter(|at| sentence.iter().position(is_number) == Some(*at))?;
    let (word, other) = (&claim[at], &sentence[at]);
    let (claimed, given) = (word.number()?, other.number()?);
    let begins = claim[..at].iter().zip(sentence).all(|(word, other)| word.lower == other.lower);
    let is_named = claim[..at].iter().filter(|word| word.tells()).count() >= 2;
    let is_other =
        claimed.is_other_duration(&given) || claimed.has_unit_of(&given) && !claimed.equals(&given);
    let difference = Difference { claim: word.text.clone(), passage: other.text.clone() };
    // Elsewhere in the text the number may be that of another case.
    let is_new = !is_known(word);
    (begins && is_named && is_other && is_new).then_some((Unsupported::OtherNumber, Some(difference)))
}

/// A claim that there is no such thing, of which the sentence states how much it is: "No deposit is due" of "The deposit is 400 euros".
fn denied(claim: &[Word], sentence: &[Word]) -> Option<(Unsupported, Option<Difference>)> {
    let (first, rest) = claim.split_first().filter(|(first, _)| first.kind == WordKind::Negation)?;
    let mut named = rest.iter().filter(|word| word.tells() && !word.measures()).peekable();
    let at = sentence.iter().position(|word| word.number().is_some_and(|number| number.is_amount()))?;
    let amount = &sentence[at];
    // What follows the amount may be an exception.
    let follows =
        sentence[at + 1..].iter().any(|word| word.tells() && rest.iter().any(|own| own.matches(word)));
    let is_affirmed = !follows && !sentence.iter().any(|word| word.kind == WordKind::Negation);
    let is_it = named.peek().is_some() && named.all(|word| sentence.iter().any(|other| word.matches(other)));
    let difference = Difference { claim: first.text.clone(), passage: amount.text.clone() };
    (is_affirmed && is_it).then_some((Unsupported::Denial, Some(difference)))
}

/// A number or a name that the evidence does not have.
fn absent(
    claim: &[Word],
    evidence: &[Vec<Word>],
    is_known: &impl Fn(&Word) -> bool,
) -> Option<(Unsupported, Option<Difference>)> {
    let all = || evidence.iter().flatten();
    for (at, word) in claim.iter().enumerate() {
        let missing = !is_known(word)
            && match word.kind {
                WordKind::Number(_) => !all().any(|other| other.term == word.term),
                WordKind::Name => {
                    !all().any(|other| begins_alike(other, word)) && !is_left_out(claim, at, evidence)
                }
                _ => false,
            };
        if missing {
            let reason = if word.number().is_some() { Unsupported::Number } else { Unsupported::Name };
            let difference = Difference { claim: word.text.clone(), passage: String::new() };
            return Some((reason, Some(difference)));
        }
    }
    None
}

/// Whether a part of a name is left out in the evidence: "George Harrison" where that has "Harrison" and no first name.
fn is_left_out(claim: &[Word], at: usize, evidence: &[Vec<Word>]) -> bool {
    // The name beside the missing word, and whether the missing word comes before it.
    let after = claim.get(at + 1).map(|word| (word, true));
    let before = at.checked_sub(1).and_then(|at| claim.get(at)).map(|word| (word, false));
    let mut names = [after, before].into_iter().flatten().filter(|(word, _)| word.kind == WordKind::Name);
    names.any(|(name, is_before)| {
        let places = evidence.iter().flat_map(|sentence| {
            let same = sentence.iter().enumerate().filter(|(_, word)| word.matches(name));
            same.map(move |(place, _)| (sentence, place))
        });
        let beside: Vec<Option<&Word>> = places
            .map(|(sentence, place)| {
                let place = if is_before { place.checked_sub(1) } else { Some(place + 1) };
                place.and_then(|place| sentence.get(place))
            })
            .collect();
        let is_alone = |word: &Option<&Word>| word.is_none_or(|word| word.kind != WordKind::Name);
        !beside.is_empty() && beside.iter().all(is_alone)
    })
}

/// Whether one is a form of the other: French and France, Protestants and Protestant.
fn begins_alike(one: &Word, other: &Word) -> bool {
    let shared = one.lower.chars().zip(other.lower.chars()).take_while(|(a, b)| a == b).count();
    shared >= 4 && shared * 3 >= one.lower.chars().count().max(other.lower.chars().count()) * 2
}
