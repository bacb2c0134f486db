//! Answers without a generator: quotes the best sentences verbatim, each with its passage.

use oriel_core::{AnswerSentence, CancelToken, ModelError, Passage, Reranker};
use oriel_text::{plain, terms};

use crate::answer::grounding::adds;
use crate::search::loaded::PassageSentence;
use crate::search::trace::{Fate, Trace};

/// Maximum number of quoted sentences.
pub(crate) const MAX_QUOTES: usize = 3;
/// Minimum number of terms in a quoted sentence.
const MIN_TERMS: usize = 3;
/// Minimum number of terms in a question that a sentence may be said to repeat.
const MIN_ASKED: usize = 5;
/// A further sentence is quoted only if its logit is at most this far below the best.
const MAX_LOGIT_GAP: f32 = 1.5;

/// The quoted sentences.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Quotes {
    /// Best first.
    pub sentences: Vec<AnswerSentence>,
    /// The reranker's logit of the best; `None` if none was asked or nothing was quoted.
    pub logit: Option<f32>,
}

/// The sentences that answer best. Without a reranker, the best hits of the first passages.
pub(crate) fn quotes(
    reranker: Option<&dyn Reranker>,
    question: &str,
    passages: &[Passage],
    sentences: &[Vec<PassageSentence>],
    cancel: &CancelToken,
) -> Result<Quotes, ModelError> {
    let mut all: Vec<(usize, &PassageSentence)> = passages
        .iter()
        .zip(sentences)
        .flat_map(|(passage, sentences)| sentences.iter().map(move |sentence| (passage.n, sentence)))
        .filter(|(_, sentence)| tells(&plain(&sentence.text, sentence.kind), question))
        .collect();
    // Slides may have nothing else than headings.
    if all.iter().any(|(_, sentence)| !sentence.is_heading) {
        all.retain(|(_, sentence)| !sentence.is_heading);
    }
    let Some(reranker) = reranker else {
        let is_hit = |(n, sentence): &&(usize, &PassageSentence)| {
            passages.iter().filter(|passage| passage.n == *n).any(|passage| {
                let best = passage.hits.iter().max_by(|a, b| a.score.total_cmp(&b.score));
                best.is_some_and(|hit| hit.start == sentence.span.start)
            })
        };
        let sentences =
            all.iter().filter(is_hit).take(MAX_QUOTES).map(|&(n, sentence)| quote(n, sentence)).collect();
        return Ok(Quotes { sentences, logit: None });
    };
    let texts: Vec<String> = all.iter().map(|(_, sentence)| plain(&sentence.text, sentence.kind)).collect();
    let logits = reranker.score(question, &texts, cancel)?;
    let mut order: Vec<usize> = (0..all.len()).collect();
    order.sort_by(|&a, &b| logits[b].total_cmp(&logits[a]).then(a.cmp(&b)));
    let logit = order.first().map(|&at| logits[at]);
    let best = logit.unwrap_or(f32::NEG_INFINITY);
    let mut chosen: Vec<usize> = Vec::new();
    for at in order {
        let repeated = chosen.iter().any(|&other| texts[other] == texts[at]);
        if chosen.len() < MAX_QUOTES && logits[at] >= best - MAX_LOGIT_GAP && !repeated {
            chosen.push(at);
        }
    }
    Ok(Quotes { sentences: chosen.into_iter().map(|at| quote(all[at].0, all[at].1)).collect(), logit })
}

/// A sentence of passage `n` as a part of an answer.
pub(crate) fn quote(n: usize, sentence: &PassageSentence) -> AnswerSentence {
    AnswerSentence {
        text: sentence.text.clone(),
        supported: true,
        citations: vec![n],
        places: vec![sentence.cited(n)],
        reason: None,
        difference: None,
    }
}

/// Whether a sentence can be an answer: a short one says too little, a repetition of the question adds nothing, and a sentence
/// with the whole question in it asks it or speaks of it.
fn tells(sentence: &str, question: &str) -> bool {
    let (own, asked) = (terms(sentence), terms(question));
    let is_question = question.trim_end().ends_with('?');
    let asks = is_question && asked.len() >= MIN_ASKED && own.windows(asked.len()).any(|run| run == asked);
    own.len() >= MIN_TERMS && !asks && adds(sentence, question)
}

impl Trace {
    /// Records which passages are quoted.
    pub(crate) fn quoted(&mut self, quotes: &[AnswerSentence]) {
        for passage in &mut self.passages {
            let (Fate::Shown { n } | Fate::Behind { n } | Fate::NoRoom { n, .. }) = passage.fate else {
                continue;
            };
            if quotes.iter().any(|quote| quote.citations.contains(&n)) {
                passage.fate = Fate::Used { n };
            }
        }
    }
}

/// The quotes as one text, each with its citation mark.
pub(crate) fn join(quotes: &[AnswerSentence]) -> String {
    let cited = quotes.iter().map(|quote| {
        let marks: String = quote.citations.iter().map(|n| format!("[{n}]")).collect();
        format!("{} {marks}", marked(&quote.text))
    });
    cited.collect::<Vec<_>>().join("\n")
}

/// A sentence in quotation marks, on one line.
pub(crate) fn marked(text: &str) -> String {
    format!("“{}”", text.split_whitespace().collect::<Vec<_>>().join(" "))
}
