//! Checking a draft: what the documents say about each sentence of a text.

use std::fmt::Write as _;

use oriel_core::{ByteSpan, CancelToken, Difference, Unsupported, Verdict};
use oriel_engine::{
    DraftSentence, Verification, VerifiedPlace, draft_sentences, markdown_line as line, visible,
};

use crate::documents::{PlaceRef, Resolver, kind_of};
use crate::error::AppError;
use crate::payload::{payload, request};
use crate::scope::Scope;
use crate::search::Searcher;
use crate::text::TextPlace;

/// The most sentences of a draft that are checked.
pub const MAX_DRAFT_SENTENCES: usize = 500;

/// The most words of a greeting.
const MAX_GREETING_WORDS: usize = 8;

payload! {
    /// A draft by sentence. Together, the parts are the text.
    pub struct Draft {
        /// The sentences that are checked, in order.
        pub sentences: Vec<DraftSentence>,
        /// The text after them.
        pub rest: String,
        /// How many sentences of the rest are too many to be checked.
        pub unchecked: usize,
    }

    /// A sentence is checked.
    pub struct CheckedSentence {
        /// Its position in what was asked, from 0.
        pub at: usize,
        pub finding: Finding,
    }

    /// What the documents say about a sentence.
    pub struct Finding {
        /// Whether they support it.
        pub verdict: Verdict,
        /// Why not.
        pub reason: Option<Unsupported>,
        /// The words that differ, if a few words make the difference.
        pub difference: Option<Difference>,
        /// The sentences that say so, best first.
        pub places: Vec<FindingPlace>,
        /// The sentence that comes closest if nothing was found.
        pub closest: Option<FindingPlace>,
    }

    /// A sentence of a document.
    pub struct FindingPlace {
        #[serde(flatten)]
        pub place: PlaceRef,
        /// The sentence without markup.
        pub text: String,
    }
}

request! {
    /// Asks what the documents say about sentences.
    pub struct CheckDraft {
        /// The sentences, in the order in which they are checked.
        pub sentences: Vec<String>,
        pub scope: Scope,
    }

    /// A checked draft to be saved, in the words of the UI.
    #[derive(Default)]
    pub struct DraftReport {
        /// It also names the file.
        pub title: String,
        /// What was found, in one sentence.
        pub summary: String,
        /// The sentences in order.
        pub sentences: Vec<ReportedSentence>,
    }

    /// A sentence of a report.
    #[derive(Default)]
    pub struct ReportedSentence {
        pub text: String,
        /// What was found.
        pub finding: String,
        /// The file and page of the best place.
        pub place: Option<String>,
        /// What stands there.
        pub quote: Option<String>,
    }
}

impl Draft {
    pub fn split(text: &str) -> Self {
        let (mut sentences, end) = draft_sentences(text);
        let too_many = sentences.split_off(sentences.len().min(MAX_DRAFT_SENTENCES));
        let unchecked = too_many.len();
        let mut rest: String = too_many.into_iter().map(|one| one.before + &one.text).collect();
        rest.push_str(&end);
        Self { sentences, rest, unchecked }
    }
}

impl Searcher {
    /// Checks sentences one after the other against the documents of the scope. `on_checked` gets each as it is checked.
    pub fn check_draft(
        &self,
        wanted: &CheckDraft,
        cancel: &CancelToken,
        on_checked: &mut dyn FnMut(CheckedSentence),
    ) -> Result<(), AppError> {
        let filter = wanted.scope.filter(self.library())?;
        let resolver = Resolver::new(self.library())?;
        check_each(
            &wanted.sentences,
            |sentence| self.verify(sentence, &filter, cancel),
            cancel,
            &mut |at, found| on_checked(CheckedSentence { at, finding: self.finding(&resolver, found) }),
        )
    }

    /// The finding with its places, which can be opened.
    fn finding(&self, resolver: &Resolver<'_>, found: Verification) -> Finding {
        let place = |place: VerifiedPlace| {
            // It may have left the library since.
            let document = self.document_at(&place.path)?;
            let hits = vec![ByteSpan::new(place.start, place.end)];
            let text = shown(&place);
            Some(FindingPlace {
                place: PlaceRef {
                    document: resolver.named(&place.path, Some(document.id.0)),
                    location: place.location,
                    at: TextPlace::window(place.passage, hits, Some(document.hash)),
                },
                text,
            })
        };
        Finding {
            verdict: found.verdict,
            reason: found.reason,
            difference: found.difference,
            places: found.places.into_iter().filter_map(place).collect(),
            closest: found.closest.and_then(place),
        }
    }
}

/// The sentence without markup.
fn shown(place: &VerifiedPlace) -> String {
    if !kind_of(&place.path).is_markdown() {
        return place.text.clone();
    }
    let whole = ByteSpan::new(0, place.end - place.start);
    visible(&place.text, whole).into_iter().map(|piece| piece.text).collect()
}

fn check_each(
    sentences: &[String],
    verify: impl Fn(&str) -> Result<Verification, AppError>,
    cancel: &CancelToken,
    on_checked: &mut dyn FnMut(usize, Verification),
) -> Result<(), AppError> {
    for (at, sentence) in sentences.iter().enumerate() {
        cancel.check()?;
        let verification = if is_greeting(sentence) { no_claim() } else { verify(sentence)? };
        // Nothing is reported after a cancel.
        cancel.check()?;
        on_checked(at, verification);
    }
    Ok(())
}

/// Whether a line such as "Dear Ms Okafor," or "Kind regards," is no sentence: it ends with a comma.
fn is_greeting(line: &str) -> bool {
    line.trim_end().ends_with(',')
        && line.split_whitespace().count() <= MAX_GREETING_WORDS
        && !line.contains(|letter: char| letter.is_ascii_digit())
}

fn no_claim() -> Verification {
    Verification {
        verdict: Verdict::NotFound,
        confidence: 1.0,
        reason: Some(Unsupported::NoClaim),
        difference: None,
        places: Vec::new(),
        closest: None,
    }
}

/// The report as Markdown. Text of documents and of the draft is escaped.
pub fn report_markdown(report: &DraftReport) -> String {
    let mut text = format!("# {}\n\n{}\n\n", line(&report.title), line(&report.summary));
    for (number, sentence) in (1..).zip(&report.sentences) {
        let _ = write!(text, "{number}. {}\n   - **{}**", line(&sentence.text), line(&sentence.finding));
        if let Some(place) = &sentence.place {
            let _ = write!(text, ", {}", line(place));
        }
        if let Some(quote) = &sentence.quote {
            let _ = write!(text, ": “{}”", line(quote));
        }
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_than_the_limit_is_checked_and_nothing_is_lost() {
        let sentence = |number: usize| format!("The ship number {number} left the harbour. ");
        let text: String = (0..MAX_DRAFT_SENTENCES + 3).map(sentence).collect();
        let draft = Draft::split(&text);
        assert_eq!((draft.sentences.len(), draft.unchecked), (MAX_DRAFT_SENTENCES, 3));
        let checked: String = draft.sentences.iter().map(|one| one.before.clone() + &one.text).collect();
        assert_eq!(checked + &draft.rest, text);
        let short = Draft::split("One is so.\n");
        assert_eq!((short.unchecked, short.rest.as_str()), (0, "\n"));
    }

    #[test]
    fn sentences_are_checked_in_order_until_the_check_is_cancelled() {
        let sentences = ["a", "b", "c", "d"].map(str::to_owned);
        let cancel = CancelToken::new();
        let mut checked = Vec::new();
        let verify = |sentence: &str| {
            if sentence == "c" {
                cancel.cancel();
            }
            Ok(no_claim())
        };
        let ended = check_each(&sentences, verify, &cancel, &mut |at, _| checked.push(at));
        assert!(ended.is_err_and(|error| error.is_cancelled()));
        assert_eq!(checked, [0, 1], "what was cancelled is not reported");
    }

    #[test]
    fn a_greeting_claims_nothing() {
        for greeting in
            ["Dear Ms Okafor,", "Kind regards,", "Sehr geehrte Frau Lindqvist, sehr geehrter Herr Exner,"]
        {
            assert!(is_greeting(greeting), "{greeting}");
        }
        for claim in ["Costs rose by 5%,", "Dear Ms Okafor, costs rose.", "Prices rose"] {
            assert!(!is_greeting(claim), "{claim}");
        }
    }

    #[test]
    fn a_report_has_the_findings_and_no_markup_of_others() {
        let sentence = ReportedSentence {
            text: "Costs *rose*\nby 15%.".into(),
            finding: "The passage says 14%, not 15%".into(),
            place: Some("Q3_report.pdf, page 14".into()),
            quote: Some("<b>Costs</b> rose by 14%.".into()),
        };
        let bare =
            ReportedSentence { text: "So be it.".into(), finding: "Not found".into(), ..Default::default() };
        let report = DraftReport {
            title: "Board letter".into(),
            summary: "Your documents support 0 of these 2 sentences.".into(),
            sentences: vec![sentence, bare],
        };
        assert_eq!(
            report_markdown(&report),
            "# Board letter\n\nYour documents support 0 of these 2 sentences.\n\n\
             1. Costs \\*rose\\* by 15%.\n   \
             - **The passage says 14%, not 15%**, Q3\\_report.pdf, page 14: “\\<b\\>Costs\\</b\\> rose by 14%.”\n\
             2. So be it.\n   - **Not found**\n"
        );
    }
}
