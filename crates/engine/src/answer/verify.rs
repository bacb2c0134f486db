//! Holds a claim against the whole library, or a part of it.

use std::path::PathBuf;

use oriel_core::{ByteSpan, CancelToken, ClaimChecker, Difference, Filter, Location, Unsupported, Verdict};
use serde::Serialize;

use crate::answer::grounding::{Evidence, ground};
use crate::error::EngineError;
use crate::library::Library;
use crate::question::translation::translated;
use crate::search::SearchModels;
use crate::search::query::{Query, RerankMode};

/// The windows that a claim is held against.
const WINDOWS: usize = 12;

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
        filter: Filter,
        models: &SearchModels<'_>,
        checker: Option<&dyn ClaimChecker>,
        cancel: &CancelToken,
    ) -> Result<Verification, EngineError> {
        let verified = self.verify_as_written(claim, &filter, models, checker, cancel)?;
        // A document in the other language says it in other words.
        if verified.verdict == Verdict::NotFound
            && let Some(translated) = translated(claim)
        {
            let other = self.verify_as_written(&translated, &filter, models, checker, cancel)?;
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
}
