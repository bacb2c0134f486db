//! Whether a passage says what a sentence of an answer says.
//!
//! A first check that errs on the side of doubt: the sentence's telling words must be in the passage, every number in
//! it too, and it must not deny what the passage affirms. The reranker may speak for a sentence that says the same in
//! other words, but never against a number.

use std::collections::HashSet;
use std::sync::LazyLock;

use oriel_text::terms;

/// Share of the telling words that must be in the passage.
const OVERLAP: f32 = 0.7;
/// The same where the reranker speaks for it.
const OVERLAP_RERANKED: f32 = 0.45;
/// The reranker's logit from which it speaks for a sentence.
const SPEAKS_FOR: f32 = 2.0;

/// Words that tell nothing about what a sentence claims.
const EMPTY: &str = "a about according an and are as at be been but by can did do does document documents for from \
    had has have he her his how i in into is it its me my of on or our passage question say says she so such than \
    that the their them there these they this those to was we were what when where which who why will with would \
    you your answer stated der die das den dem des ein eine einen einem einer und oder ist sind war waren wird \
    werden hat haben mit von zu zum zur im in auf für aus bei nach auch sich es er sie wir ihr le la les un une des \
    du de et ou est sont était ont avec pour par dans sur au aux ce cette ces il elle ils elles nous vous que qui";

/// Words that turn a sentence round.
const DENIALS: &str = "no not never none nobody nothing neither nor without cannot kein keine keinen keiner nicht nie \
    niemals ohne pas jamais aucun aucune sans rien";

/// Both as terms, made once: a check runs for every sentence and passage.
static EMPTY_TERMS: LazyLock<HashSet<String>> = LazyLock::new(|| terms(EMPTY).into_iter().collect());
static DENIAL_TERMS: LazyLock<HashSet<String>> = LazyLock::new(|| terms(DENIALS).into_iter().collect());

/// Whether `passage` supports `sentence`. `logit` is the reranker's for the pair, where one was asked.
#[must_use]
pub fn supports(sentence: &str, passage: &str, logit: Option<f32>) -> bool {
    let said: HashSet<String> = terms(passage).into_iter().collect();
    let claimed: HashSet<String> = terms(sentence).into_iter().collect();
    if claimed.iter().any(|term| is_number(term) && !said.contains(term)) {
        return false;
    }
    if !claimed.is_disjoint(&DENIAL_TERMS) && said.is_disjoint(&DENIAL_TERMS) {
        return false;
    }
    let needed = if logit.is_some_and(|logit| logit >= SPEAKS_FOR) { OVERLAP_RERANKED } else { OVERLAP };
    overlap(&claimed, &said).is_some_and(|overlap| overlap >= needed)
}

/// Whether `sentence` tells anything that the question does not: one that only says the question again is no answer.
pub(crate) fn adds(sentence: &str, question: &str) -> bool {
    let asked: HashSet<String> = terms(question).into_iter().collect();
    terms(sentence).iter().any(|term| !asked.contains(term) && !EMPTY_TERMS.contains(term))
}

/// The share of the telling terms of `claimed` that are among `said`; `None` where there is none.
fn overlap(claimed: &HashSet<String>, said: &HashSet<String>) -> Option<f32> {
    let telling: Vec<_> = claimed.iter().filter(|term| !EMPTY_TERMS.contains(*term)).collect();
    if telling.is_empty() {
        return None;
    }
    let found = telling.iter().filter(|term| said.contains(**term)).count();
    Some(found as f32 / telling.len() as f32)
}

fn is_number(term: &str) -> bool {
    term.starts_with(|first: char| first.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    const PASSAGE: &str =
        "After a power cut the battery keeps the hands moving for 72 hours. It cannot be replaced.";

    #[test]
    fn what_the_passage_says_is_supported() {
        assert!(supports("The battery keeps the hands moving for 72 hours.", PASSAGE, None));
    }

    #[test]
    fn another_number_is_not_supported_whatever_the_reranker_says() {
        assert!(!supports("The battery keeps the hands moving for 48 hours.", PASSAGE, Some(5.0)));
    }

    #[test]
    fn other_words_are_supported_only_where_the_reranker_speaks_for_them() {
        let sentence = "The battery holds the hands for 72 hours during an outage of power.";
        assert!(supports(sentence, PASSAGE, Some(3.0)));
        assert!(!supports("The clock was invented in Porthcarrow by a sailor.", PASSAGE, Some(3.0)));
    }

    #[test]
    fn a_denial_of_what_is_affirmed_is_not_supported() {
        assert!(!supports(
            "The battery does not keep the hands moving.",
            "The battery keeps the hands moving.",
            None
        ));
    }

    #[test]
    fn the_question_again_is_no_answer() {
        let question = "How long does the battery keep the hands moving?";
        assert!(!adds("The battery keeps the hands moving.", question));
        assert!(adds("The battery keeps them moving for 72 hours.", question));
    }

    #[test]
    fn a_sentence_that_claims_nothing_is_not_supported() {
        assert!(!supports("It is so.", PASSAGE, Some(9.0)));
    }
}
