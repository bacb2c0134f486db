//! The checker: finds the parts of an answer that its context does not support, on Candle.

use std::path::Path;

use candle_core::Device;
use oriel_core::{ByteSpan, CancelToken, ModelError, Notice};

use crate::CandleSettings;
use crate::bert::{Packed, Rows};
use crate::encoder::{self, Encoder, Head};
use crate::model_thread::ModelThread;
use crate::tokens::{Place, Tokens};

/// The label of unsupported tokens.
const UNSUPPORTED: usize = 1;
/// Labels of a checker: supported and unsupported.
const LABELS: usize = 2;

/// A token classifier, behind a thread that owns it.
pub struct CandleChecker {
    owner: ModelThread<Request, Vec<CheckedToken>>,
}

/// A token of an answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CheckedToken {
    /// Its position in the answer, without surrounding white space.
    pub span: ByteSpan,
    /// The probability, from 0 to 1, that the context does not support it.
    pub unsupported: f32,
}

struct Request {
    context: String,
    answer: String,
    cancel: CancelToken,
}

struct Classifier {
    encoder: Encoder,
    head: Head,
    tokens: Tokens,
    max_tokens: usize,
    id: String,
}

impl CandleChecker {
    /// Loads the checker in `folder`: `model.safetensors`, `tokenizer.json` and `config.json`.
    ///
    /// # Errors
    /// [`ModelError::Failed`] if it is no checker, or its files are wrong.
    pub fn load(folder: &Path, settings: &CandleSettings) -> Result<Self, ModelError> {
        let id = folder.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        let fail = |what: String| ModelError::Failed(Notice::about(&id, Notice::text(what)));
        let (device, _) = crate::backend::device(settings.cpu);
        let classifier = Classifier::load(folder, &id, &device).map_err(fail)?;
        let pool = crate::model_thread::pool(&id, settings)?;
        let owner = ModelThread::start(&id, settings, move |request: Request| {
            pool.install(|| classifier.check(&request))
        })?;
        Ok(Self { owner })
    }

    /// The tokens of `answer` in order, each with the probability that `context` does not support it. A context that is
    /// too long is cut at its end; an answer that is too long is checked as far as it fits.
    ///
    /// # Errors
    /// [`ModelError::Cancelled`], or why the model failed.
    pub fn check(
        &self,
        context: &str,
        answer: &str,
        cancel: &CancelToken,
    ) -> Result<Vec<CheckedToken>, ModelError> {
        let (context, answer) = (context.to_owned(), answer.to_owned());
        self.owner.ask(Request { context, answer, cancel: cancel.clone() })
    }
}

impl Classifier {
    fn load(folder: &Path, id: &str, device: &Device) -> Result<Self, String> {
        let tokens = Tokens::load(&folder.join("tokenizer.json"))?;
        let (config, weights) = encoder::open(folder)?;
        if config.labels != LABELS {
            return Err(format!("has {} labels, a checker has {LABELS}", config.labels));
        }
        let read = || Ok((Encoder::load(&weights, &config, device)?, Head::load(&weights, &config, device)?));
        let (encoder, head) = read().map_err(|e: candle_core::Error| e.to_string())?;
        Ok(Self { encoder, head, tokens, max_tokens: config.max_tokens().max(8), id: id.to_owned() })
    }

    fn check(&self, request: &Request) -> Result<Vec<CheckedToken>, ModelError> {
        let Request { context, answer, cancel } = request;
        let failed =
            |what: &dyn std::fmt::Display| ModelError::Failed(Notice::about(&self.id, Notice::text(what)));
        cancel.check()?;
        let mut context = self.tokens.ids(context).map_err(|e| failed(&e))?;
        let mut places = self.tokens.places(answer).map_err(|e| failed(&e))?;
        let room = self.max_tokens - self.tokens.special_of_pair();
        places.truncate(room);
        context.truncate(room - places.len());
        if places.is_empty() {
            return Ok(Vec::new());
        }
        let probabilities = self.unsupported(&context, &places).map_err(|e| failed(&e))?;
        let checked = |(&(_, (start, end)), unsupported): (&Place, f32)| {
            let text = answer.get(start..end).unwrap_or_default();
            let start = end - text.trim_start().len();
            let end = start + text.trim().len();
            CheckedToken { span: ByteSpan::new(start as u32, end as u32), unsupported }
        };
        Ok(places.iter().zip(probabilities).map(checked).collect())
    }

    /// The probability of [`UNSUPPORTED`] for each token of the answer.
    fn unsupported(&self, context: &[u32], answer: &[Place]) -> candle_core::Result<Vec<f32>> {
        let ids: Vec<u32> = answer.iter().map(|(id, _)| *id).collect();
        let (pair, second) = self.tokens.pair(context, &ids);
        let mut packed = Packed::default();
        packed.push(&pair, usize::MAX);
        let states = self.encoder.forward(&packed, Rows::All)?.narrow(0, second, ids.len())?;
        let logits = self.head.logits(&states)?;
        candle_nn::ops::softmax_last_dim(&logits)?.narrow(1, UNSUPPORTED, 1)?.flatten_all()?.to_vec1()
    }
}
