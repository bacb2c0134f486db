//! A cross-encoder: reads two texts together and gives the logits of its labels, on Candle. A reader also gives the words of
//! the second text that answer the first.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use candle_core::{Device, Module};
use candle_nn::Linear;
use oriel_core::{CancelToken, ModelError, Notice};
use rayon::ThreadPool;
use rayon::prelude::*;

use crate::bert::Packed;
use crate::encoder::{self, DENSE, Encoder, Head, linear};
use crate::model_thread::{self, ModelThread};
use crate::tokens::{PlacedTokens, Tokens};
use crate::{CandleSettings, Model, Pooling, Role};

/// Pairs of texts to read.
pub(crate) struct Pairs {
    /// The distinct first texts.
    pub firsts: Vec<String>,
    /// The second text of each pair, with the index of its first text.
    pub seconds: Vec<(usize, String)>,
    pub cancel: CancelToken,
}

/// The output for one pair.
pub(crate) struct PairOutput {
    /// One logit per label.
    pub logits: Vec<f32>,
    /// The bytes of the second text that answer the first best, and their logit minus the logit of "no answer here".
    /// Only from a model with the layer [`SPANS`].
    pub answer: Option<(Range<usize>, f32)>,
}

/// The layer of a reader, by its name in transformers. It gives each token two logits: as the first and as the last
/// token of the answer.
const SPANS: &str = "qa_outputs";
/// Maximum length of an answer in tokens, as in the training.
const MAX_ANSWER_TOKENS: usize = 30;

pub(crate) struct CrossEncoder {
    encoder: Encoder,
    pooling: Pooling,
    head: Head,
    spans: Option<Linear>,
    has_pair_types: bool,
    pub tokens: Arc<Tokens>,
    pub max_tokens: usize,
    device: Device,
    pool: ThreadPool,
    id: String,
}

impl CrossEncoder {
    /// Loads an installed model with this role and this number of labels.
    ///
    /// # Errors
    /// [`ModelError::Absent`] if it is not installed, [`ModelError::Failed`] if it is another kind of model or a file is wrong.
    pub(crate) fn load(
        model: &Model,
        role: Role,
        labels: usize,
        settings: &CandleSettings,
    ) -> Result<Self, ModelError> {
        let folder = model.folder_for(role)?;
        Self::load_from(folder, model, labels, settings)
            .map_err(|what| ModelError::Failed(Notice::about(&model.entry.id, Notice::text(what))))
    }

    /// Starts a thread that owns it.
    pub(crate) fn start(
        self,
        id: &str,
        settings: &CandleSettings,
    ) -> Result<ModelThread<Pairs, Vec<PairOutput>>, ModelError> {
        ModelThread::start(id, settings, move |pairs: Pairs| self.run(&pairs))
    }

    fn load_from(
        folder: &Path,
        model: &Model,
        labels: usize,
        settings: &CandleSettings,
    ) -> Result<Self, String> {
        let (device, _) = crate::backend::device(settings.cpu);
        let pool = model_thread::pool(&model.entry.id, settings).map_err(|e| e.to_string())?;
        let (tokens, weights) = pool.join(
            || Tokens::load(&folder.join("tokenizer.json")),
            || {
                let (config, weights) = encoder::open(folder)?;
                // sentence-transformers stores the head of a cross-encoder beside an encoder without labels.
                let (has_modules, hidden) = (model.entry.file(DENSE).is_some(), config.hidden_size());
                let has = if has_modules { 1 } else { config.labels };
                if has != labels {
                    return Err(format!("has {has} labels, not {labels}"));
                }
                let read = || {
                    let head = if has_modules {
                        Head::of_modules(folder, hidden, &device)?
                    } else {
                        Head::load(&weights, &config, &device)?
                    };
                    // "No answer" is the first token, which a model with another pooling does not have.
                    let is_reader =
                        config.classifier_pooling == Pooling::Cls && weights.has(&format!("{SPANS}.weight"));
                    let spans = is_reader.then(|| linear(&weights, SPANS, 2, hidden, &device)).transpose()?;
                    Ok((Encoder::load(&weights, &config, &device, settings.exact)?, head, spans))
                };
                let (encoder, head, spans) = read().map_err(|e: candle_core::Error| e.to_string())?;
                let pooling = if has_modules { model.entry.pooling } else { config.classifier_pooling };
                Ok((config, encoder, pooling, head, spans))
            },
        );
        let (config, encoder, pooling, head, spans) = weights?;
        Ok(Self {
            encoder,
            pooling,
            head,
            spans,
            has_pair_types: config.has_pair_types(),
            tokens: Arc::new(tokens?),
            max_tokens: model.entry.context_length.min(config.max_tokens()).max(8),
            device,
            pool,
            id: model.entry.id.clone(),
        })
    }

    /// Reads each pair.
    fn run(&self, pairs: &Pairs) -> Result<Vec<PairOutput>, ModelError> {
        pairs.cancel.check()?;
        let special = self.tokens.special_of_pair();
        let firsts: Vec<Vec<u32>> = pairs
            .firsts
            .iter()
            .map(|text| {
                let mut ids = self.tokens.ids(text)?;
                ids.truncate((self.max_tokens - special) / 2);
                Ok(ids)
            })
            .collect::<Result<_, String>>()
            .map_err(|e| self.failed(&e))?;
        let seconds = self.pool.install(|| {
            let tokens = pairs.seconds.par_iter().with_min_len(4).map(|(first, text)| {
                let (mut ids, places) = match self.spans {
                    Some(_) => self.tokens.ids_and_places(text)?,
                    None => (self.tokens.ids(text)?, Vec::new()),
                };
                ids.truncate(self.max_tokens - special - firsts[*first].len());
                Ok((&firsts[*first], (ids, places)))
            });
            tokens.collect::<Result<Vec<(&Vec<u32>, PlacedTokens)>, String>>()
        });
        let seconds = seconds.map_err(|e| self.failed(&e))?;
        let lengths: Vec<usize> =
            seconds.iter().map(|(first, (second, _))| first.len() + second.len() + special).collect();
        let padded = self.encoder.is_padded();
        model_thread::run_batches(
            &self.pool,
            &lengths,
            padded,
            self.device.is_cpu(),
            &pairs.cancel,
            |batch| {
                let batch: Vec<_> = batch.iter().map(|at| &seconds[*at]).collect();
                self.run_batch(&batch).map_err(|e| self.failed(&e))
            },
        )
    }

    fn run_batch(&self, pairs: &[&(&Vec<u32>, PlacedTokens)]) -> candle_core::Result<Vec<PairOutput>> {
        let mut packed = Packed::default();
        let mut starts = Vec::with_capacity(pairs.len());
        for (first, (second, _)) in pairs {
            let (pair, start) = self.tokens.pair(first, second);
            packed.push(&pair, if self.has_pair_types { start } else { usize::MAX });
            starts.push(start);
        }
        let Some(spans) = &self.spans else {
            let pooled = self.encoder.pooled(&packed, self.pooling)?;
            let logits = self.head.logits(&pooled)?.to_vec2()?;
            return Ok(logits.into_iter().map(|logits| PairOutput { logits, answer: None }).collect());
        };
        let (states, firsts) = self.encoder.all_and_first(&packed)?;
        let logits: Vec<Vec<f32>> = self.head.logits(&firsts)?.to_vec2()?;
        let spans: Vec<Vec<f32>> = spans.forward(&states)?.to_vec2()?;
        let mut rest = spans.as_slice();
        let outputs = logits.into_iter().zip(packed.lengths()).zip(pairs.iter().zip(starts));
        let output = outputs.map(|((logits, length), ((_, (second, places)), start))| {
            let (own, others) = rest.split_at(*length);
            rest = others;
            let answer = best_span(own, start..start + second.len()).map(|(words, margin)| {
                let (first, last) = (places[words.start - start], places[words.end - 1 - start]);
                (first.0..last.1, margin)
            });
            PairOutput { logits, answer }
        });
        Ok(output.collect())
    }

    fn failed(&self, what: &dyn std::fmt::Display) -> ModelError {
        ModelError::Failed(Notice::about(&self.id, Notice::text(what)))
    }
}

/// The span of tokens within `text` with the highest logit, and that logit minus the one of the first token, which
/// stands for "no answer here". `logits` has two for each token of the pair: as the first and as the last token of the
/// answer.
fn best_span(logits: &[Vec<f32>], text: Range<usize>) -> Option<(Range<usize>, f32)> {
    let (starts, ends) = (|at: usize| logits[at][0], |at: usize| logits[at][1]);
    let spans = text.clone().flat_map(|start| {
        (start..text.end.min(start + MAX_ANSWER_TOKENS))
            .map(move |end| (start..end + 1, starts(start) + ends(end)))
    });
    let (words, logit) = spans.max_by(|a, b| a.1.total_cmp(&b.1))?;
    Some((words, logit - starts(0) - ends(0)))
}
