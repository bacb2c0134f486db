//! Guesses the next tokens, so that one step computes several of them: speculative decoding by prompt lookup.
//!
//! An answer from passages repeats their words. If the last tokens occurred before, the tokens that followed them there
//! are a draft of the next tokens. The model checks a draft in one step, which takes little longer than one token,
//! because a step mostly waits for the weights. Each token is chosen as without a draft; only the sums in a step of
//! several tokens are rounded differently, which can decide between two equally likely tokens.

use llama_cpp_2::token::LlamaToken;

/// Maximum tokens of a draft.
pub(crate) const MAX_DRAFT: usize = 6;

/// How many of the last tokens must be equal, most reliable first.
const SAME: [usize; 2] = [3, 2];

/// Trials of the slower kind of step may take at most one part in this many of the time.
const TRIALS: f32 = 16.0;

/// The weight of the newest step in an average.
const NEWEST: f32 = 0.25;

/// At most `most` tokens that followed the last occurrence of the last tokens of `text`; empty if there is none.
pub(crate) fn draft(text: &[LlamaToken], most: usize) -> &[LlamaToken] {
    let followed = |same: usize| {
        let (before, last) = text.split_at_checked(text.len().checked_sub(same)?)?;
        // The occurrence may overlap the last tokens, but must end before them.
        let begun = (0..before.len()).rev().find(|&at| text[at..at + same] == *last)?;
        Some(&text[begun + same..])
    };
    let found = SAME.into_iter().find_map(followed).unwrap_or(&[]);
    &found[..found.len().min(most)]
}

/// Decides by measured times whether steps are computed with a draft or one token at a time.
///
/// A step of several tokens uses all processors, and its threads wait for one another hundreds of times. On a machine
/// that is busy with other work, that can take ten times as long as one token on fewer threads.
#[derive(Debug, Default)]
pub(crate) struct Pace {
    /// Average seconds per written token, of steps without and with a draft.
    seconds: [Option<f32>; 2],
    /// Seconds since the slower kind was tried.
    since_trial: f32,
    /// Whether the current step is such a trial.
    is_trial: bool,
}

impl Pace {
    /// Whether the next step should use a draft.
    pub(crate) fn drafts(&mut self) -> bool {
        self.is_trial = false;
        match self.seconds {
            [_, None] => true,
            [None, _] => false,
            [Some(without), Some(with)] => {
                let is_due = self.since_trial > TRIALS * without.max(with);
                if is_due {
                    self.since_trial = 0.0;
                    self.is_trial = true;
                }
                (with < without) != is_due
            }
        }
    }

    /// Records the time of a step and the number of tokens that it produced.
    pub(crate) fn took(&mut self, with_draft: bool, seconds: f32, tokens: usize) {
        self.since_trial += seconds;
        let each = seconds / tokens.max(1) as f32;
        let average = &mut self.seconds[usize::from(with_draft)];
        // The result of a trial replaces the average: the last trial may be long ago.
        let newest = if self.is_trial { 1.0 } else { NEWEST };
        *average = Some(average.map_or(each, |before| before + newest * (each - before)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(ids: &[i32]) -> Vec<LlamaToken> {
        ids.iter().map(|id| LlamaToken(*id)).collect()
    }

    #[test]
    fn a_draft_is_what_followed_the_same_tokens_last() {
        let drafted =
            |ids: &[i32], most| draft(&tokens(ids), most).iter().map(|one| one.0).collect::<Vec<_>>();
        assert_eq!(drafted(&[1, 2, 3, 4, 5, 9, 2, 3], 2), [4, 5]);
        assert_eq!(
            drafted(&[1, 2, 3, 7, 1, 2, 3, 8, 2, 3, 9, 1, 2, 3], 1),
            [8],
            "three that are the same go first"
        );
        assert_eq!(drafted(&[5, 5, 5], 6), [5], "an overlap is an occurrence");
        assert_eq!(drafted(&[1, 2, 3, 4], 6), [0; 0]);
        assert_eq!(drafted(&[], 6), [0; 0]);
        assert_eq!(drafted(&[1], 6), [0; 0]);
    }

    /// Runs 1,000 steps that take `without` seconds without a draft and `with` seconds with one, and counts the steps
    /// with a draft.
    fn with_draft(pace: &mut Pace, without: f32, with: f32) -> usize {
        let mut drafted = 0;
        for _ in 0..1_000 {
            let drafts = pace.drafts();
            drafted += usize::from(drafts);
            pace.took(drafts, if drafts { with } else { without }, 1);
        }
        drafted
    }

    #[test]
    fn the_faster_kind_of_step_is_found_and_found_again() {
        let mut pace = Pace::default();
        let idle = with_draft(&mut pace, 0.05, 0.03);
        assert!((850..999).contains(&idle), "{idle}");
        let busy = with_draft(&mut pace, 0.06, 0.6);
        assert!((2..20).contains(&busy), "{busy}");
        let idle = with_draft(&mut pace, 0.05, 0.03);
        assert!(idle > 700, "{idle}");
    }
}
