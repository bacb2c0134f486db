//! How an answer came about, and why a document is not in it.

use oriel_core::Answer;
use oriel_engine::{
    DocumentRow, EngineError, Fate, Library, PassageDocument, Trace, TracedPassage, Turn as KeptTurn,
};

use crate::api::*;
use crate::views::documents::{kind_of, name_of, place_of, relocated};
use crate::views::turns::sentences_of;

/// How an answer came about.
pub(crate) fn why(
    library: &Library,
    turn: &KeptTurn,
    answer: &Answer,
    trace: &Trace,
) -> Result<Why, EngineError> {
    let roots = library.folders()?;
    let passages = trace.passages.iter().zip(1..).map(|(passage, rank)| {
        let row = document_of(library, turn, answer, passage);
        let path = row.as_ref().map_or(&passage.path, |row| &row.path);
        WhyPassage {
            rank,
            document: row.as_ref().map(|row| row.id.0),
            name: name_of(path),
            place: place_of(path, &roots),
            kind: kind_of(path),
            location: passage.location.clone(),
            at: TextPlace {
                start: passage.start,
                end: passage.end,
                hits: passage.hits.clone(),
                answer: None,
                words: None,
                hash: passage.hash.clone(),
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
    });
    let was_written = trace.prompt.is_some();
    Ok(Why {
        stages: stages(&answer.timings, was_written),
        total_ms: answer.timings.total_ms,
        first_word_ms: answer.timings.first_token_ms.filter(|_| was_written),
        dense: trace.dense,
        sparse: trace.sparse,
        fused: trace.fused,
        passages: passages.collect(),
        prompt: trace.prompt.clone(),
        searched: turn.searched.clone(),
        wordings: answer.parts.iter().flat_map(|part| part.wordings.clone()).collect(),
    })
}

/// The document of a passage, where it lies now. The answer's own passages of it help to find it.
fn document_of(
    library: &Library,
    turn: &KeptTurn,
    answer: &Answer,
    passage: &TracedPassage,
) -> Option<DocumentRow> {
    let own = answer.passages.iter().position(|one| one.path == passage.path);
    let own = own.and_then(|at| turn.documents.get(at).cloned().flatten());
    let hash = passage.hash.clone();
    let source = hash.map(|hash| PassageDocument { id: passage.document, hash }).or(own);
    let sentences = sentences_of(answer, &passage.path);
    relocated(library, &passage.path, source.as_ref(), &sentences)
}

/// The stages in order. A stage that is not measured gets the time that remains.
fn stages(timings: &oriel_core::Timings, was_written: bool) -> Vec<StageTime> {
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

/// Where a document stood in a question.
pub(crate) fn why_not(found: oriel_engine::WhyNot) -> WhyNot {
    use oriel_engine::Standing as Stands;
    let shown = found.passages.iter().filter_map(|passage| match passage.fate {
        Fate::Shown { n } => Some(n),
        _ => None,
    });
    WhyNot {
        shown: shown.min(),
        name: name_of(&found.path),
        standing: match found.standing {
            Stands::Waiting => Standing::Waiting,
            Stands::Indexed => Standing::Indexed { sentences: found.sentences },
            Stands::Failed { reason, .. } => Standing::Failed { reason },
        },
        outside_scope: !found.excluded_by.is_empty(),
        unembedded: found.without_vectors,
        best: found.best.map(|best| BestSentence {
            text: best.text,
            location: best.location,
            at: TextPlace {
                start: best.span.start,
                end: best.span.end,
                hits: vec![best.span],
                answer: None,
                words: None,
                hash: None,
            },
            dense: best.dense,
            sparse: best.sparse,
            fused: best.fused,
            rerank: best.rerank,
        }),
        needed: found.needed.retrieved,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stages_add_up_to_the_whole() {
        let timings = oriel_core::Timings {
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
