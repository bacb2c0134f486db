//! Passages to an answer: written, divided into sentences, each checked and cited.

use std::time::Instant;

use oriel_core::{
    Answer, AnswerSentence, CancelToken, Generator, Kind, ModelError, PageMap, Passage, Reranker, Timings,
};
use oriel_text::{plain, sentences};

use crate::check::{adds, supports};
use crate::confidence::LEAST;
use crate::prompt::{self, NOT_FOUND};
use crate::query::Query;
use crate::retrieve::milliseconds;
use crate::search::{PassageSentence, SearchModels, SearchResult};
use crate::{EngineError, Library, quotes};

/// The name under which answers are quotes.
const QUOTES: &str = "quotes";

/// What happens while an answer is made.
#[derive(Clone, Copy, Debug)]
pub enum AnswerEvent<'a> {
    /// The passages, before the first generated word.
    Passages(&'a SearchResult),
    /// A piece of the answer, as the generator writes it; whole characters.
    Piece(&'a str),
}

/// Answers a question from the library. Without a generator, or where the passages support nothing of what it wrote,
/// the best sentences are quoted; the answer's model is "quotes" then. A cancelled token ends the
/// writing within one token; what is there is kept and checked.
///
/// # Errors
/// Where the search fails or a model does.
pub fn answer(
    library: &Library,
    query: &Query,
    models: &SearchModels<'_>,
    generator: Option<&dyn Generator>,
    event: &mut dyn FnMut(AnswerEvent<'_>),
    cancel: &CancelToken,
) -> Result<Answer, EngineError> {
    let begun = Instant::now();
    let result = library.search(query, models, cancel)?;
    event(AnswerEvent::Passages(&result));
    let SearchResult { passages, confidence, mut timings } = result;
    let model = generator.map_or(QUOTES, Generator::id);
    let done = |model: &str, answer: String, abstained, sentences, passages, mut timings: Timings| {
        timings.total_ms = milliseconds(begun);
        Answer { answer, abstained, confidence, sentences, passages, timings, model: model.to_owned() }
    };
    let quoting = |quoted: Vec<AnswerSentence>, passages, timings| match quoted.is_empty() {
        true => done(QUOTES, NOT_FOUND.to_owned(), true, quoted, passages, timings),
        false => done(QUOTES, quotes::join(&quoted), false, quoted, passages, timings),
    };
    if passages.is_empty() || confidence < LEAST {
        return Ok(done(model, NOT_FOUND.to_owned(), true, Vec::new(), passages, timings));
    }
    let parts = library.sentences_of(&passages)?;
    let writing = Instant::now();
    let Some(generator) = generator else {
        let quoted = quotes::quotes(models.reranker, &query.question, &passages, &parts, cancel)?;
        timings.generate_ms = Some(milliseconds(writing));
        return Ok(quoting(quoted, passages, timings));
    };
    let (request, _) = prompt::prompt(generator, &query.question, &passages, &parts)?;
    let mut text = String::new();
    generator.generate(
        &request,
        &mut |piece| {
            timings.first_token_ms.get_or_insert_with(|| milliseconds(begun));
            text.push_str(piece);
            event(AnswerEvent::Piece(piece));
        },
        cancel,
    )?;
    timings.generate_ms = Some(milliseconds(writing));
    let text = text.trim().to_owned();
    if says_not_found(&text) {
        return Ok(done(model, NOT_FOUND.to_owned(), true, Vec::new(), passages, timings));
    }
    // What is there is checked even where the writing was stopped.
    let sentences = check(&text, &passages, &parts, models.reranker, &CancelToken::new())?;
    let answers = |sentence: &AnswerSentence| sentence.supported && adds(&sentence.text, &query.question);
    if sentences.iter().any(answers) {
        return Ok(done(model, join(&sentences), false, sentences, passages, timings));
    }
    // Nothing that was written can be shown to be true and to tell something: the documents' own words are better.
    let quoted = quotes::quotes(models.reranker, &query.question, &passages, &parts, &CancelToken::new())?;
    Ok(quoting(quoted, passages, timings))
}

fn says_not_found(text: &str) -> bool {
    let start: String = text.chars().take(80).collect::<String>().to_lowercase();
    text.is_empty() || start.contains("could not find an answer")
}

/// Divides the answer into sentences and gives each the passages that support it: those it cites, where they do, else
/// the one that does best. A sentence that nothing supports keeps its own citations and is marked.
fn check(
    text: &str,
    passages: &[Passage],
    parts: &[Vec<PassageSentence>],
    reranker: Option<&dyn Reranker>,
    cancel: &CancelToken,
) -> Result<Vec<AnswerSentence>, ModelError> {
    let mut checked: Vec<AnswerSentence> = Vec::new();
    for (sentence, cited) in split(text) {
        if sentence.is_empty() {
            // A mark by itself, after the full stop: it belongs to the sentence before.
            if let Some(last) = checked.last_mut() {
                last.citations.extend(cited);
            }
            continue;
        }
        checked.push(AnswerSentence { text: sentence, supported: false, citations: cited });
    }
    let read: Vec<String> = parts
        .iter()
        .map(|sentences| {
            let plain: Vec<_> =
                sentences.iter().map(|sentence| plain(&sentence.text, sentence.kind)).collect();
            plain.join(" ")
        })
        .collect();
    for sentence in &mut checked {
        sentence.citations.retain(|n| (1..=passages.len()).contains(n));
        sentence.citations.sort_unstable();
        sentence.citations.dedup();
        let logits = match reranker {
            Some(reranker) => reranker.score(&sentence.text, &read, cancel)?.into_iter().map(Some).collect(),
            None => vec![None; read.len()],
        };
        let supporting: Vec<usize> = passages
            .iter()
            .zip(read.iter().zip(&logits))
            .filter(|(_, (text, logit))| supports(&sentence.text, text, **logit))
            .map(|(passage, _)| passage.n)
            .collect();
        sentence.supported = !supporting.is_empty();
        if sentence.supported {
            let own: Vec<usize> =
                sentence.citations.iter().copied().filter(|n| supporting.contains(n)).collect();
            sentence.citations = if own.is_empty() { supporting.into_iter().take(1).collect() } else { own };
        }
    }
    Ok(checked)
}

/// The sentences of an answer without their marks, each with the numbers it cites.
fn split(text: &str) -> Vec<(String, Vec<usize>)> {
    sentences(text, Kind::Text, &PageMap::default())
        .into_iter()
        .filter_map(|sentence| sentence.span.of(text))
        .map(take_citations)
        .collect()
}

/// Takes marks such as `[1]`, `[1, 2]` and `[1][2]` out of a sentence.
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

/// The answer as a person reads it: each sentence with the marks of what supports it.
fn join(sentences: &[AnswerSentence]) -> String {
    let marked = sentences.iter().map(|sentence| {
        let marks: String = sentence.citations.iter().map(|n| format!("[{n}]")).collect();
        if marks.is_empty() { sentence.text.clone() } else { format!("{} {marks}", sentence.text) }
    });
    marked.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
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

    #[test]
    fn a_model_that_says_it_found_nothing_is_taken_at_its_word() {
        assert!(says_not_found("I could not find an answer in your documents. But the clock…"));
        assert!(says_not_found(""));
        assert!(!says_not_found("The clock stopped at noon [1]."));
    }
}
