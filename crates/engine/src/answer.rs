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
use crate::quotes::{self, Quotes};
use crate::rank::RerankMode;
use crate::retrieve::milliseconds;
use crate::search::{PassageSentence, SearchModels, SearchResult};
use crate::{EngineError, Library};

/// The name under which answers are quotes.
const QUOTES: &str = "quotes";

/// How far the reranker's logit of a written answer may be below that of the best quote.
const BEHIND: f32 = 1.5;

/// What happens while an answer is made.
#[derive(Clone, Copy, Debug)]
pub enum AnswerEvent<'a> {
    /// The passages, before the first generated word.
    Passages(&'a SearchResult),
    /// A piece of the answer, as the generator writes it; whole characters.
    Piece(&'a str),
}

/// Answers a question from the library. Without a generator, or where what it wrote is no answer by the passages and
/// the reranker, the best sentences are quoted; the answer's model is "quotes" then. A cancelled token ends the
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
    let found = library.find(query, models, cancel)?;
    event(AnswerEvent::Passages(&found.result));
    let parts = found.sentences();
    let SearchResult { passages, confidence, mut timings } = found.result;
    let model = generator.map_or(QUOTES, Generator::id);
    let done = |model: &str, answer: String, abstained, sentences, passages, mut timings: Timings| {
        timings.total_ms = milliseconds(begun);
        // Where nothing was generated the answer was there at once, at the end.
        timings.first_token_ms.get_or_insert(timings.total_ms);
        timings.generate_ms.get_or_insert(0.0);
        Answer { answer, abstained, confidence, sentences, passages, timings, model: model.to_owned() }
    };
    let quoting = |quotes: Quotes, passages, timings| match quotes.sentences.is_empty() {
        true => done(QUOTES, NOT_FOUND.to_owned(), true, Vec::new(), passages, timings),
        false => done(QUOTES, quotes::join(&quotes.sentences), false, quotes.sentences, passages, timings),
    };
    if passages.is_empty() || confidence < LEAST {
        return Ok(done(model, NOT_FOUND.to_owned(), true, Vec::new(), passages, timings));
    }
    let writing = Instant::now();
    let Some(generator) = generator else {
        let quoted = quotes::quotes(models.reranker, &query.question, &passages, &parts, cancel)?;
        timings.generate_ms = Some(milliseconds(writing));
        return Ok(quoting(quoted, passages, timings));
    };
    let reranked = models.reranker.is_some() && query.rerank != RerankMode::Off;
    let request = match prompt::prompt(generator, &query.question, &passages, &parts, reranked) {
        // Not even the question fits this model.
        Err(ModelError::TooLong { .. }) => {
            let quoted = quotes::quotes(models.reranker, &query.question, &passages, &parts, cancel)?;
            return Ok(quoting(quoted, passages, timings));
        }
        request => request?,
    };
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
    let text = before_echo(&text);
    if says_not_found(text) {
        return Ok(done(model, NOT_FOUND.to_owned(), true, Vec::new(), passages, timings));
    }
    // What is there is checked even where the writing was stopped.
    let cancel = CancelToken::new();
    let sentences = check(text, &passages, &parts, models.reranker, &cancel)?;
    let quoted = quotes::quotes(models.reranker, &query.question, &passages, &parts, &cancel)?;
    if answers(&sentences, &query.question, &quoted, models.reranker, &cancel)? {
        return Ok(done(model, join(&sentences), false, sentences, passages, timings));
    }
    Ok(quoting(quoted, passages, timings))
}

/// Whether what was written is an answer: the passages support some of it, that tells something, and the reranker does
/// not find a sentence of the documents much better. Else the documents' own words are.
fn answers(
    sentences: &[AnswerSentence],
    question: &str,
    quoted: &Quotes,
    reranker: Option<&dyn Reranker>,
    cancel: &CancelToken,
) -> Result<bool, ModelError> {
    let supported: Vec<&str> = sentences
        .iter()
        .filter(|sentence| sentence.supported)
        .map(|sentence| sentence.text.as_str())
        .collect();
    let supported = supported.join(" ");
    if !adds(&supported, question) {
        return Ok(false);
    }
    let Some((reranker, best)) = reranker.zip(quoted.logit) else { return Ok(true) };
    let logits = reranker.score(question, &[supported], cancel)?;
    Ok(logits.first().is_some_and(|&logit| logit >= best - BEHIND))
}

/// The answer without what small models write after it: our own prompt, once more.
fn before_echo(text: &str) -> &str {
    let echo = ["Question:", "Passages:"].iter().filter_map(|mark| text.find(mark)).min();
    text[..echo.unwrap_or(text.len())].trim()
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
        assert_eq!(before_echo("It stopped [1]. Question: When did it stop?"), "It stopped [1].");
        assert!(!says_not_found("The clock stopped at noon [1]."));
    }
}
