//! Decides whether a passage supports a sentence of an answer.
//!
//! The check errs on the side of doubt. The content words of the sentence must be in the passage, so must every number, and
//! the sentence must not deny what the passage affirms. The reranker may vouch for a paraphrase, but never against a number.

use std::collections::HashSet;
use std::sync::LazyLock;

use oriel_core::Unsupported;
use oriel_text::terms;

/// Share of the content words that must be in the passage.
const MIN_OVERLAP: f32 = 0.7;
/// The same if the reranker vouches for the sentence.
const MIN_OVERLAP_RERANKED: f32 = 0.45;
/// The reranker vouches for a sentence from this logit on.
const MIN_SUPPORTING_LOGIT: f32 = 2.0;

/// Words without content for a claim.
const STOP_WORDS: &str = "a about according an and are as at be been but by can did do does document documents for from \
    had has have he her his how i in into is it its me my of on or our passage question say says she so such than \
    that the their them there these they this those to was we were what when where which who why will with would \
    you your answer stated der die das den dem des ein eine einen einem einer und oder ist sind war waren wird \
    werden hat haben mit von zu zum zur im in auf für aus bei nach auch sich es er sie wir ihr le la les un une des \
    du de et ou est sont était ont avec pour par dans sur au aux ce cette ces il elle ils elles nous vous que qui";

/// Words that negate a sentence.
const NEGATIONS: &str = "no not never none nobody nothing neither nor without cannot kein keine keinen keiner nicht nie \
    niemals ohne pas jamais aucun aucune sans rien";

/// Both lists as terms, computed once, since the check runs for every sentence and passage.
static STOP_TERMS: LazyLock<HashSet<String>> = LazyLock::new(|| terms(STOP_WORDS).into_iter().collect());
static NEGATION_TERMS: LazyLock<HashSet<String>> = LazyLock::new(|| terms(NEGATIONS).into_iter().collect());

/// The set of a text's terms.
pub(crate) struct TermSet(HashSet<String>);

impl TermSet {
    pub(crate) fn of(text: &str) -> Self {
        Self(terms(text).into_iter().collect())
    }
}

/// A sentence of an answer, prepared for the check.
pub(crate) struct Claim {
    terms: HashSet<String>,
    /// The terms with content.
    telling: Vec<String>,
}

/// The verdict of a passage's words on a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// The passage supports it.
    Supported,
    /// The passage supports it if the reranker vouches for it.
    OtherWords,
    /// The claim denies what the passage affirms.
    Denied,
    /// The passage does not support it.
    Refused,
}

impl Claim {
    pub(crate) fn of(sentence: &str) -> Self {
        let terms: HashSet<String> = terms(sentence).into_iter().collect();
        let telling = terms.iter().filter(|term| !STOP_TERMS.contains(*term)).cloned().collect();
        Self { terms, telling }
    }

    /// Whether a passage supports it.
    pub(crate) fn verdict(&self, passage: &TermSet) -> Verdict {
        if self.telling.is_empty() || self.numbers().any(|number| !passage.0.contains(number)) {
            return Verdict::Refused;
        }
        let found = self.telling.iter().filter(|term| passage.0.contains(*term)).count();
        let overlap = found as f32 / self.telling.len() as f32;
        if overlap < MIN_OVERLAP_RERANKED {
            Verdict::Refused
        } else if !self.terms.is_disjoint(&NEGATION_TERMS) && passage.0.is_disjoint(&NEGATION_TERMS) {
            Verdict::Denied
        } else if overlap < MIN_OVERLAP {
            Verdict::OtherWords
        } else {
            Verdict::Supported
        }
    }

    /// Why none of `passages`, with these verdicts, supports it.
    pub(crate) fn reason(&self, passages: &[TermSet], verdicts: &[Verdict]) -> Unsupported {
        let is_strange = |number: &String| passages.iter().all(|passage| !passage.0.contains(number));
        if self.telling.is_empty() {
            Unsupported::NoClaim
        } else if self.numbers().any(is_strange) {
            Unsupported::Number
        } else if verdicts.contains(&Verdict::Denied) {
            Unsupported::Denial
        } else {
            Unsupported::NoPassage
        }
    }

    /// How well a sentence of a passage matches it: first the content they share, with numbers counted twice, then how
    /// little else the sentence says. `None` if they share no content.
    pub(crate) fn fit(&self, sentence: &TermSet) -> Option<(usize, std::cmp::Reverse<usize>)> {
        let weight = |term: &&String| if is_number(term) { 2 } else { 1 };
        let shared: usize =
            self.telling.iter().filter(|term| sentence.0.contains(*term)).map(|term| weight(&term)).sum();
        (shared > 0).then_some((shared, std::cmp::Reverse(sentence.0.len())))
    }

    fn numbers(&self) -> impl Iterator<Item = &String> {
        self.terms.iter().filter(|term| is_number(term))
    }
}

/// Whether the reranker's `logit` vouches for a paraphrase.
pub(crate) fn speaks_for(logit: f32) -> bool {
    logit >= MIN_SUPPORTING_LOGIT
}

/// Whether `passage` supports `sentence`. `logit` is the reranker's for the pair, if one was asked.
#[must_use]
pub fn supports(sentence: &str, passage: &str, logit: Option<f32>) -> bool {
    match Claim::of(sentence).verdict(&TermSet::of(passage)) {
        Verdict::Supported => true,
        Verdict::OtherWords => logit.is_some_and(speaks_for),
        Verdict::Denied | Verdict::Refused => false,
    }
}

/// Whether `sentence` adds anything to the question. One that only repeats the question is no answer.
pub(crate) fn adds(sentence: &str, question: &str) -> bool {
    let asked: HashSet<String> = terms(question).into_iter().collect();
    terms(sentence).iter().any(|term| !asked.contains(term) && !STOP_TERMS.contains(term))
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

    #[test]
    fn the_reason_is_what_the_check_saw() {
        let passages =
            [TermSet::of(PASSAGE), TermSet::of("The keys of the workshop are kept in a green tin.")];
        let reason = |sentence: &str| {
            let claim = Claim::of(sentence);
            let verdicts: Vec<_> = passages.iter().map(|passage| claim.verdict(passage)).collect();
            assert!(!verdicts.contains(&Verdict::Supported), "{sentence}");
            claim.reason(&passages, &verdicts)
        };
        assert_eq!(reason("The battery keeps the hands moving for 48 hours."), Unsupported::Number);
        assert_eq!(reason("The keys of the workshop are not kept in a tin."), Unsupported::Denial);
        assert_eq!(reason("Hester painted the door of her barn."), Unsupported::NoPassage);
        assert_eq!(reason("The green tin lasts 72 summers."), Unsupported::NoPassage);
        assert_eq!(reason("It is so."), Unsupported::NoClaim);
    }

    #[test]
    fn the_sentence_that_fits_best_holds_the_number() {
        let claim = Claim::of("The battery keeps them moving for 72 hours.");
        let fit = |sentence: &str| claim.fit(&TermSet::of(sentence));
        assert!(fit("It lasts 72 hours.") > fit("The battery is behind the moving dial."));
        assert!(fit("72 hours.") > fit("For 72 hours the heron waits by the weir."));
        assert_eq!(fit("It is so."), None);
    }
}
