//! How an answer came about, and why a document is not in it.

use oriel_core::{Answer, CancelToken, DocumentId, Notice, Timings};
use oriel_engine::{
    DocumentRow, Fate, PassageDocument, StageRank, Trace, TracedPassage, TracedPrompt, Turn as KeptTurn,
    WhyNot,
};

use crate::ask::Reach;
use crate::assistant::Assistant;
use crate::documents::{PlaceRef, Resolver};
use crate::error::AppError;
use crate::payload::{payload, request};
use crate::text::TextPlace;
use crate::turn_ref::TurnRef;

payload! {
    /// How an answer came about.
    pub struct Why {
        /// The stages in order.
        pub stages: Vec<StageTime>,
        /// Milliseconds in all.
        pub total_ms: f64,
        /// Milliseconds to the first word.
        pub first_word_ms: Option<f64>,
        /// Sentences found by meaning.
        pub dense: usize,
        /// Sentences found by words.
        pub sparse: usize,
        /// Sentences after both were fused.
        pub fused: usize,
        /// All passages after merging, in their final order.
        pub passages: Vec<WhyPassage>,
        /// What the generator was given; `None` if nothing was generated.
        pub prompt: Option<TracedPrompt>,
        /// What was searched for, if the question did not stand alone.
        pub searched: Option<String>,
        /// Other words for what the question names, which were searched for too.
        pub wordings: Vec<String>,
    }

    /// How long a stage took, in milliseconds.
    pub struct StageTime {
        pub stage: Stage,
        pub ms: f64,
    }

    /// The stages of a question.
    #[derive(Copy, Eq)]
    pub enum Stage {
        /// Embedding, both retrievers, windows.
        Search,
        /// The cross-encoder.
        Rerank,
        /// The generator reads the prompt.
        Read,
        /// The generator writes.
        Write,
        /// The answer is checked against the passages.
        Check,
    }

    /// A passage and what became of it.
    pub struct WhyPassage {
        /// Its place in the final order, from 1.
        pub rank: u32,
        #[serde(flatten)]
        pub place: PlaceRef,
        /// The first sentence, counted from 1.
        pub first: u32,
        /// The last sentence.
        pub last: u32,
        /// How many windows were merged into it.
        pub windows: usize,
        /// By meaning: the best of its sentences.
        pub dense: Option<StageRank>,
        /// By words.
        pub sparse: Option<StageRank>,
        pub fused: Option<StageRank>,
        /// The reranker's score from 0 to 1.
        pub rerank: Option<f32>,
        /// What it is ordered by, from 0 to 1: that, less a little for each place after fusion.
        pub score: Option<f32>,
        /// What became of it.
        pub fate: Fate,
    }
}

request! {
    /// Asks why a document is not in an answer.
    pub struct AskWhyNot {
        #[serde(flatten)]
        pub at: TurnRef,
        pub document: u32,
    }
}

impl Assistant {
    /// How the answer of a turn came about.
    pub fn why(&self, at: &TurnRef) -> Result<Why, AppError> {
        let turn = self.kept_turn(at)?;
        let (Some(answer), Some(trace)) = (&turn.answer, &turn.trace) else {
            return Err(AppError::Gone(Notice::TraceGone));
        };
        let resolver = Resolver::new(self.searcher.library())?;
        let passages = (1..).zip(&trace.passages);
        Ok(why(
            passages.map(|(rank, one)| passage(&resolver, &turn, answer, rank, one)).collect(),
            &turn,
            answer,
            trace,
        ))
    }

    /// Why a document is not in an answer.
    pub fn why_not(&self, wanted: &AskWhyNot, reach: Reach) -> Result<WhyNot, AppError> {
        let turn = self.kept_turn(&wanted.at)?;
        let query = reach.query_of(&turn, &Resolver::new(self.searcher.library())?)?;
        self.searcher.explain_absence(&query, DocumentId(wanted.document), &CancelToken::new())
    }
}

fn why(passages: Vec<WhyPassage>, turn: &KeptTurn, answer: &Answer, trace: &Trace) -> Why {
    let was_written = trace.prompt.is_some();
    Why {
        stages: stages(&answer.timings, was_written),
        total_ms: answer.timings.total_ms,
        first_word_ms: answer.timings.first_token_ms.filter(|_| was_written),
        dense: trace.dense,
        sparse: trace.sparse,
        fused: trace.fused,
        passages,
        prompt: trace.prompt.clone(),
        searched: turn.searched.clone(),
        wordings: answer.parts.iter().flat_map(|part| part.wordings.clone()).collect(),
    }
}

fn passage(
    resolver: &Resolver<'_>,
    turn: &KeptTurn,
    answer: &Answer,
    rank: u32,
    passage: &TracedPassage,
) -> WhyPassage {
    let window = oriel_core::ByteSpan::new(passage.start, passage.end);
    let now = document_of(resolver, turn, answer, passage);
    WhyPassage {
        rank,
        place: PlaceRef {
            document: resolver.document(&passage.path, now.as_ref()),
            location: passage.location.clone(),
            at: TextPlace::window(window, passage.hits.clone(), passage.hash.clone()),
        },
        first: passage.first.saturating_add(1),
        last: passage.last.saturating_add(1),
        windows: passage.windows,
        dense: passage.dense,
        sparse: passage.sparse,
        fused: passage.fused,
        rerank: passage.rerank,
        score: passage.score.or(passage.rerank),
        fate: passage.fate,
    }
}

/// The document of a passage, where it lies now. The answer's own passages of it help to find it.
fn document_of(
    resolver: &Resolver<'_>,
    turn: &KeptTurn,
    answer: &Answer,
    passage: &TracedPassage,
) -> Option<DocumentRow> {
    let own = answer.passages.iter().position(|one| one.path == passage.path);
    let own = own.and_then(|at| turn.documents.get(at).cloned().flatten());
    let hash = passage.hash.clone();
    let source = hash.map(|hash| PassageDocument { id: passage.document, hash }).or(own);
    resolver.relocated(&passage.path, source.as_ref(), &answer.sentences_of(&passage.path))
}

/// The stages in order. A stage that is not measured gets the time that remains.
fn stages(timings: &Timings, was_written: bool) -> Vec<StageTime> {
    let search = timings.embed_ms + timings.dense_ms + timings.sparse_ms + timings.window_ms;
    let found = search + timings.rerank_ms;
    let generate = timings.generate_ms.unwrap_or(0.0);
    let read = timings
        .first_token_ms
        .filter(|_| was_written)
        .map_or(0.0, |first| (first - found).clamp(0.0, generate));
    let check = (timings.total_ms - found - generate).max(0.0);
    let all = [
        (Stage::Search, search),
        (Stage::Rerank, timings.rerank_ms),
        (Stage::Read, read),
        (Stage::Write, (generate - read).max(0.0)),
        (Stage::Check, check),
    ];
    all.into_iter().filter(|(_, ms)| *ms > 0.0).map(|(stage, ms)| StageTime { stage, ms }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stages_add_up_to_the_whole() {
        let timings = Timings {
            embed_ms: 10.0,
            dense_ms: 1.0,
            sparse_ms: 2.0,
            window_ms: 3.0,
            rerank_ms: 84.0,
            first_token_ms: Some(700.0),
            generate_ms: Some(1500.0),
            total_ms: 1650.0,
        };
        let all = stages(&timings, true);
        assert_eq!(all.iter().map(|one| one.ms).sum::<f64>(), 1650.0);
        assert_eq!(all[2], StageTime { stage: Stage::Read, ms: 600.0 });
        let quoted = stages(&timings, false);
        assert!(quoted.iter().all(|one| one.stage != Stage::Read), "nothing was read by a generator");
    }
}
