//! Splits an answer into sentences, checks each against the passages and cites them: the passages, and in each the sentence
//! that supports it best.

use oriel_core::{
    AnswerSentence, CancelToken, CitedPlace, Kind, ModelError, PageMap, Passage, Reranker, Unsupported,
};
use oriel_text::{plain, sentences};

use crate::answer::grounding::{Claim, TermSet, Verdict, speaks_for};
use crate::search::loaded::PassageSentence;

/// Splits the answer into sentences and gives each the passages that support it: those it cites if they do, otherwise
/// the best one. A sentence without support keeps its own citations and gets a reason. The reranker is asked if a
/// passage may say the same in other words.
pub(crate) fn cite(
    text: &str,
    passages: &[Passage],
    parts: &[Vec<PassageSentence>],
    reranker: Option<&dyn Reranker>,
    cancel: &CancelToken,
) -> Result<Vec<AnswerSentence>, ModelError> {
    let mut drafts: Vec<(String, Vec<usize>)> = Vec::new();
    for (sentence, cited) in split(text) {
        match drafts.last_mut() {
            // A citation by itself after the full stop belongs to the previous sentence.
            Some((_, citations)) if sentence.is_empty() => citations.extend(cited),
            _ if sentence.is_empty() => {}
            _ => drafts.push((sentence, cited)),
        }
    }
    let read: Vec<String> = parts.iter().map(|sentences| whole(sentences)).collect();
    let term_sets: Vec<TermSet> = read.iter().map(|text| TermSet::of(text)).collect();
    let mut checked = Vec::with_capacity(drafts.len());
    for (text, mut citations) in drafts {
        citations.retain(|n| (1..=passages.len()).contains(n));
        citations.sort_unstable();
        citations.dedup();
        let claim = Claim::of(&text);
        let verdicts = verdicts(&claim, &text, &term_sets, &read, reranker, cancel)?;
        let supports = |n: &usize| verdicts.get(n - 1) == Some(&Verdict::Supported);
        let reason: Option<Unsupported> = match passages.iter().map(|passage| passage.n).find(supports) {
            None => Some(claim.reason(&term_sets, &verdicts)),
            Some(best) => {
                citations.retain(supports);
                if citations.is_empty() {
                    citations.push(best);
                }
                None
            }
        };
        let supported = reason.is_none();
        let cited = citations.iter().filter(|_| supported);
        let places = cited.filter_map(|&n| place(&claim, n, parts.get(n - 1)?)).collect();
        checked.push(AnswerSentence { text, supported, citations, places, reason });
    }
    Ok(checked)
}

/// The verdict of each passage on the claim. None is left as `OtherWords`: the reranker decides those.
fn verdicts(
    claim: &Claim,
    sentence: &str,
    term_sets: &[TermSet],
    read: &[String],
    reranker: Option<&dyn Reranker>,
    cancel: &CancelToken,
) -> Result<Vec<Verdict>, ModelError> {
    let mut verdicts: Vec<Verdict> = term_sets.iter().map(|passage| claim.verdict(passage)).collect();
    let open: Vec<usize> = (0..verdicts.len()).filter(|&at| verdicts[at] == Verdict::OtherWords).collect();
    let logits = match reranker {
        Some(reranker) if !open.is_empty() => {
            let texts: Vec<String> = open.iter().map(|&at| read[at].clone()).collect();
            reranker.score(sentence, &texts, cancel)?
        }
        _ => vec![f32::NEG_INFINITY; open.len()],
    };
    for (at, logit) in open.into_iter().zip(logits) {
        verdicts[at] = if speaks_for(logit) { Verdict::Supported } else { Verdict::Refused };
    }
    Ok(verdicts)
}

/// The sentence of passage `n` that supports the claim best; of equal ones the first.
fn place(claim: &Claim, n: usize, sentences: &[PassageSentence]) -> Option<CitedPlace> {
    let fits = sentences.iter().filter_map(|sentence| {
        let fit = claim.fit(&TermSet::of(&plain(&sentence.text, sentence.kind)))?;
        Some((fit, sentence))
    });
    let (_, best) = fits.rev().max_by_key(|(fit, _)| *fit)?;
    Some(best.cited(n))
}

/// A passage as the models read it.
fn whole(sentences: &[PassageSentence]) -> String {
    let plain: Vec<_> = sentences.iter().map(|sentence| plain(&sentence.text, sentence.kind)).collect();
    plain.join(" ")
}

/// The sentences of an answer without citation marks, each with the numbers it cites.
fn split(text: &str) -> Vec<(String, Vec<usize>)> {
    sentences(text, Kind::Text, &PageMap::default())
        .into_iter()
        .filter_map(|sentence| sentence.span.of(text))
        .map(take_citations)
        .collect()
}

/// Removes citation marks such as `[1]`, `[1, 2]` and `[1][2]` from a sentence.
fn take_citations(sentence: &str) -> (String, Vec<usize>) {
    let mut text = String::with_capacity(sentence.len());
    let mut cited = Vec::new();
    let mut rest = sentence;
    while let Some(at) = rest.find('[') {
        let (before, tail) = rest.split_at(at);
        text.push_str(before);
        let inside = tail.find(']').map(|end| &tail[1..end]);
        let numbers = inside.and_then(|inside| {
            inside
                .split([',', ';', ' '])
                .filter(|part| !part.is_empty())
                .map(|part| part.parse().ok())
                .collect()
        });
        match (inside, numbers) {
            (Some(inside), Some::<Vec<usize>>(numbers)) if !numbers.is_empty() => {
                cited.extend(numbers);
                while text.ends_with(' ') {
                    text.pop();
                }
                rest = &tail[inside.len() + 2..];
            }
            _ => {
                text.push('[');
                rest = &tail[1..];
            }
        }
    }
    text.push_str(rest);
    (text.trim().trim_start_matches(['.', ',', ';']).trim().to_owned(), cited)
}

/// The answer as text: each sentence with the citation marks of the passages that support it.
pub(crate) fn join(sentences: &[AnswerSentence]) -> String {
    let marked = sentences.iter().map(|sentence| {
        let marks: String = sentence.citations.iter().map(|n| format!("[{n}]")).collect();
        if marks.is_empty() { sentence.text.clone() } else { format!("{} {marks}", sentence.text) }
    });
    marked.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use oriel_core::ByteSpan;

    use super::*;

    #[test]
    fn marks_are_taken_out_and_counted() {
        assert_eq!(take_citations("It rained [1][3]."), ("It rained.".into(), vec![1, 3]));
        assert_eq!(take_citations("It rained [1, 2]."), ("It rained.".into(), vec![1, 2]));
        assert_eq!(
            take_citations("An array a[i] of [sic] things."),
            ("An array a[i] of [sic] things.".into(), vec![])
        );
        assert_eq!(take_citations("An open [ bracket"), ("An open [ bracket".into(), vec![]));
        assert_eq!(take_citations("[2]"), (String::new(), vec![2]));
    }

    /// A passage of a text whose sentences are lines.
    fn passage(n: usize, text: &str) -> (Passage, Vec<PassageSentence>) {
        let mut start = 0;
        let mut sentences = Vec::new();
        for line in text.split_inclusive('\n') {
            let end = start + u32::try_from(line.trim_end().len()).unwrap();
            let text = line.trim_end().to_owned();
            sentences.push(PassageSentence { span: ByteSpan::new(start, end), text, kind: Kind::Text });
            start += u32::try_from(line.len()).unwrap();
        }
        let passage = Passage {
            n,
            path: PathBuf::from("/notes.txt"),
            page: None,
            start: 0,
            end: start,
            text: text.to_owned(),
            score: 0.0,
            hits: Vec::new(),
        };
        (passage, sentences)
    }

    #[test]
    fn a_citation_leads_to_the_sentence_that_says_it() {
        let texts = [
            "The pump is old.\nIn May 2023 Idris Vaughan repaired the pump in the cellar.\nIt had leaked.",
            "The rent of the workshop is 1,150 pounds.\nThe pump was repaired in May 2023.",
        ];
        let (passages, parts): (Vec<_>, Vec<_>) = (1..).zip(texts).map(|(n, text)| passage(n, text)).unzip();
        let written = "Idris Vaughan repaired the pump in May 2023 [1][7]. The rent is 1,150 pounds. \
                       He paid 900 for it [2].";
        let checked = cite(written, &passages, &parts, None, &CancelToken::new()).unwrap();
        let slice = |place: &CitedPlace| &texts[place.n - 1][place.start as usize..place.end as usize];
        let slices: Vec<Vec<&str>> =
            checked.iter().map(|sentence| sentence.places.iter().map(slice).collect()).collect();
        assert_eq!(slices[0], ["In May 2023 Idris Vaughan repaired the pump in the cellar."]);
        assert_eq!(slices[1], ["The rent of the workshop is 1,150 pounds."]);
        assert_eq!((&checked[0].citations, &checked[1].citations), (&vec![1], &vec![2]));
        assert!(slices[2].is_empty() && !checked[2].supported);
        assert_eq!((checked[2].reason, &checked[2].citations), (Some(Unsupported::Number), &vec![2]));
    }
}
