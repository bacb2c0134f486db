//! Holds a claim against the whole library, or a part of it.

use std::path::PathBuf;

use oriel_core::{
    ByteSpan, CancelToken, CitedPlace, ClaimChecker, Difference, Filter, Location, Unsupported, Verdict,
};
use serde::Serialize;

use crate::answer::grounding::{Evidence, ground};
use crate::answer::sums::table_answers;
use crate::error::EngineError;
use crate::library::Library;
use crate::library::source::store_state::whole_document;
use crate::question::sums::{Claimed, sum_claim};
use crate::question::translation::translated;
use crate::search::loaded::LoadedDocument;
use crate::search::models::SearchModels;
use crate::search::query::{Query, RerankMode};

/// The windows that a claim is held against.
const WINDOWS: usize = 12;
/// The probability of what was computed over a table.
const SURE: f32 = 0.95;

/// What the documents say about a claim.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Verification {
    /// Whether they support it.
    pub verdict: Verdict,
    /// The probability of the verdict, from 0 to 1.
    pub confidence: f32,
    /// Why it is not supported.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<Unsupported>,
    /// The words that differ, if a few words make the difference.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub difference: Option<Difference>,
    /// The sentences that say so, best first. Empty if nothing was found.
    pub places: Vec<VerifiedPlace>,
    /// The sentence that comes closest to a claim that was not found, if one comes close.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub closest: Option<VerifiedPlace>,
}

/// A sentence that supports or contradicts a claim.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct VerifiedPlace {
    /// Its document.
    pub path: PathBuf,
    /// Where it stands.
    #[serde(flatten)]
    pub location: Location,
    /// First byte in the document's text.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
    /// Exactly that slice.
    pub text: String,
    /// The passage that it stands in.
    #[serde(skip)]
    pub passage: ByteSpan,
}

impl Library {
    /// What the documents that `filter` admits say about a claim. The reranker is not asked: the checker reads each window.
    ///
    /// # Errors
    /// If a model fails, and if the claim is cancelled.
    pub fn verify(
        &self,
        claim: &str,
        filter: &Filter,
        models: &SearchModels<'_>,
        checker: Option<&dyn ClaimChecker>,
        cancel: &CancelToken,
    ) -> Result<Verification, EngineError> {
        if let Some(verified) = self.verify_sum(claim, filter, cancel)? {
            return Ok(verified);
        }
        let verified = self.verify_as_written(claim, filter, models, checker, cancel)?;
        // A document in the other language says it in other words.
        if verified.verdict == Verdict::NotFound
            && let Some(translated) = translated(claim)
        {
            let other = self.verify_as_written(&translated, filter, models, checker, cancel)?;
            if other.verdict != Verdict::NotFound {
                return Ok(other);
            }
        }
        Ok(verified)
    }

    fn verify_as_written(
        &self,
        claim: &str,
        filter: &Filter,
        models: &SearchModels<'_>,
        checker: Option<&dyn ClaimChecker>,
        cancel: &CancelToken,
    ) -> Result<Verification, EngineError> {
        let filter = filter.clone();
        let query =
            Query { filter, rerank: RerankMode::Off, top: WINDOWS, ignore_time: true, ..Query::new(claim) };
        let found = self.find(&query, models, cancel)?;
        let parts = found.sentences();
        let passages = &found.result.passages;
        let evidence = Evidence::of_passages(passages, &parts);
        let grounding = ground(&[claim.to_owned()], &evidence, checker, cancel)?.swap_remove(0);
        let place = |&(passage, sentence): &(usize, usize)| {
            let (passage, sentence) = (passages.get(passage)?, parts.get(passage)?.get(sentence)?);
            Some(VerifiedPlace {
                path: passage.path.clone(),
                location: found
                    .location_of(passage.n, sentence.span.start)
                    .unwrap_or_else(|| passage.location.clone()),
                start: sentence.span.start,
                end: sentence.span.end,
                text: sentence.text.clone(),
                passage: ByteSpan::new(passage.start, passage.end),
            })
        };
        Ok(Verification {
            verdict: grounding.verdict,
            confidence: grounding.confidence,
            reason: grounding.reason,
            difference: grounding.difference,
            places: grounding.places.iter().filter_map(place).collect(),
            closest: grounding.closest.as_ref().and_then(place),
        })
    }

    /// What a table says about a claim for a sum or a count of its rows; `None` if the claim is none, or not of one table alone.
    fn verify_sum(
        &self,
        claim: &str,
        filter: &Filter,
        cancel: &CancelToken,
    ) -> Result<Option<Verification>, EngineError> {
        let Some(Claimed { question, number }) = sum_claim(claim) else { return Ok(None) };
        let Some(store) = self.source().store() else { return Ok(None) };
        store.read(|view| {
            let query = Query { filter: filter.clone(), ..Query::new(claim) };
            let answers = table_answers(&view, &question, &query, cancel)?.answers;
            let [answer] = &answers[..] else { return Ok(None) };
            let Some((value, shown)) = &answer.value else { return Ok(None) };
            // A number of a hundred is none of rows.
            if number.is_percent && !shown.contains('%') {
                return Ok(None);
            }
            let loaded = LoadedDocument { excerpt: whole_document(&view, answer.document)? };
            let (passages, places) = answer.passages(&loaded, &query, 1);
            let excerpt = &loaded.excerpt;
            let place = |place: &CitedPlace| {
                let (passage, span) = (passages.get(place.n - 1)?, ByteSpan::new(place.start, place.end));
                Some(VerifiedPlace {
                    path: excerpt.path.clone(),
                    location: excerpt.location(passage.location.page, place.start),
                    start: place.start,
                    end: place.end,
                    text: excerpt.text.of(span)?.to_owned(),
                    passage: ByteSpan::new(passage.start, passage.end),
                })
            };
            let is_right = number.is(*value);
            let difference = Difference { claim: number.text, passage: shown.clone() };
            Ok(Some(Verification {
                verdict: if is_right { Verdict::Supported } else { Verdict::Contradicted },
                confidence: SURE,
                reason: (!is_right).then_some(Unsupported::OtherNumber),
                difference: (!is_right).then_some(difference),
                places: places.iter().filter_map(place).collect(),
                closest: None,
            }))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::TestLibrary;

    #[test]
    fn a_claim_of_a_sum_is_computed() {
        let csv = "name,status,donation\nAda,married,1005.5\nBo,single,940\n";
        let place = TestLibrary::with(&[("members.csv", csv)]);
        let verify = |claim: &str| {
            let models = SearchModels { embedder: None, reranker: None };
            place.library.verify(claim, &Filter::default(), &models, None, &CancelToken::new()).unwrap()
        };
        let right = verify("The total of the donations is 1,945.50.");
        assert_eq!((right.verdict, right.places.len()), (Verdict::Supported, 2));
        assert_eq!(right.places[0].text, "Ada\tmarried\t1005.5");
        let wrong = verify("The total of the donations is 1,954.50.");
        assert_eq!(
            (wrong.verdict, wrong.difference.unwrap().passage.as_str()),
            (Verdict::Contradicted, "1,945.5")
        );
        assert_eq!(verify("2 members are married.").verdict, Verdict::Contradicted);
        assert_eq!(verify("1 member is married.").verdict, Verdict::Supported);
        assert_eq!(verify("50% of the members are married.").verdict, Verdict::Supported);
        assert_eq!(verify("1% of the members are married.").verdict, Verdict::Contradicted);
        assert_ne!(verify("The total of the donations in Bonn is 1,945.50.").verdict, Verdict::Contradicted);
    }

    #[test]
    fn a_claim_has_the_sign_and_the_unit_of_its_number() {
        let place = TestLibrary::with(&[
            ("ledger.csv", "entry,balance\nRent,\"-640.00\"\nInterest,112.50\n"),
            ("stores.csv", "item,load\nTar,5 kg\nOil,300 g\n"),
        ]);
        let verify = |claim: &str| {
            let models = SearchModels { embedder: None, reranker: None };
            place
                .library
                .verify(claim, &Filter::default(), &models, None, &CancelToken::new())
                .unwrap()
                .verdict
        };
        assert_eq!(verify("The total of the balances is -527.50."), Verdict::Supported);
        assert_eq!(verify("The total of the balances is 527.50."), Verdict::Contradicted);
        assert_ne!(verify("The total load is 305."), Verdict::Supported, "kilograms and grams");
    }
}
