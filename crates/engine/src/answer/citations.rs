//! Splits an answer into sentences, checks each against the passages and cites them: the passages, and in each the sentence
//! that supports it best.

use oriel_core::{
    AnswerSentence, CancelToken, CitedPlace, ClaimChecker, Kind, ModelError, PageMap, Passage, Verdict,
};
use oriel_text::sentences;

use crate::answer::grounding::{Evidence, Grounding, ground};
use crate::search::loaded::PassageSentence;

/// Splits the answer into sentences and holds each against the passages. A supported one gets the passages that say it: those
/// it cites if they do, otherwise the best. Another keeps its own citations and gets a reason.
///
/// # Errors
/// If the checker fails, and [`ModelError::Cancelled`].
pub(crate) fn cite(
    text: &str,
    passages: &[Passage],
    parts: &[Vec<PassageSentence>],
    checker: Option<&dyn ClaimChecker>,
    cancel: &CancelToken,
) -> Result<Vec<AnswerSentence>, ModelError> {
    cite_from(text, &Evidence::of_passages(passages, parts), parts, checker, cancel)
}

/// The same with the passages prepared for the comparison.
pub(crate) fn cite_from(
    text: &str,
    evidence: &[Evidence],
    parts: &[Vec<PassageSentence>],
    checker: Option<&dyn ClaimChecker>,
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
    let claims: Vec<String> = drafts.iter().map(|(text, _)| text.clone()).collect();
    let groundings = ground(&claims, evidence, checker, cancel)?;
    Ok(drafts
        .into_iter()
        .zip(groundings)
        .map(|((text, cited), one)| cited_sentence(text, cited, one, parts))
        .collect())
}

fn cited_sentence(
    text: String,
    mut cited: Vec<usize>,
    grounding: Grounding,
    parts: &[Vec<PassageSentence>],
) -> AnswerSentence {
    let Grounding { verdict, reason, difference, places, .. } = grounding;
    let supported = verdict == Verdict::Supported;
    cited.retain(|n| (1..=parts.len()).contains(n));
    cited.sort_unstable();
    cited.dedup();
    if supported {
        cited.retain(|n| places.iter().any(|(passage, _)| passage + 1 == *n));
        if cited.is_empty() {
            cited.extend(places.first().map(|(passage, _)| passage + 1));
        }
    }
    let is_used = |passage: usize| !supported || cited.contains(&(passage + 1));
    let mut places: Vec<CitedPlace> = places
        .into_iter()
        .filter(|(passage, _)| is_used(*passage))
        .filter_map(|(passage, sentence)| Some(parts.get(passage)?.get(sentence)?.cited(passage + 1)))
        .collect();
    places.sort_by_key(|place| place.n);
    AnswerSentence { text, supported, citations: cited, places, reason, difference }
}

/// The sentences of an answer without citation marks, each with the numbers it cites.
pub(crate) fn split(text: &str) -> Vec<(String, Vec<usize>)> {
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

    use oriel_core::{ByteSpan, Location, Unsupported};

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
            let span = ByteSpan::new(start, end);
            sentences.push(PassageSentence {
                span,
                text,
                kind: Kind::Text,
                context: String::new(),
                is_heading: false,
            });
            start += u32::try_from(line.len()).unwrap();
        }
        let passage = Passage {
            n,
            path: PathBuf::from("/notes.txt"),
            headings: Vec::new(),
            location: Location::default(),
            start: 0,
            end: start,
            text: text.to_owned(),
            score: 0.0,
            hits: Vec::new(),
            answer: None,
            also: Vec::new(),
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
