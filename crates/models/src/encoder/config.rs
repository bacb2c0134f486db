//! `config.json` of an encoder, checked before anything is allocated.

use std::path::Path;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::modernbert;
use crate::{Pooling, bert};

/// Maximum bytes of a `config.json`; normal ones have some 600.
const MAX_BYTES: u64 = 1 << 20;
/// The supported models, for messages.
const KNOWN: &str = "'bert', 'xlm-roberta' and 'modernbert'";

/// The configuration in a model's folder.
pub(crate) struct Config {
    /// The shape of its encoder.
    pub shape: Shape,
    /// The class in transformers, such as `BertModel`.
    pub class: Option<String>,
    /// The number of labels of its classifier.
    pub labels: usize,
    /// The pooling before its classifier.
    pub classifier_pooling: Pooling,
}

/// The shape of an encoder.
pub(crate) enum Shape {
    /// BERT, or XLM-RoBERTa.
    Bert(bert::Config),
    /// ModernBERT.
    ModernBert(modernbert::Config),
}

/// The part that all configurations have.
#[derive(Deserialize)]
struct Shared {
    model_type: String,
    #[serde(default)]
    architectures: Option<Vec<String>>,
    #[serde(default)]
    num_labels: Option<usize>,
    #[serde(default)]
    id2label: Option<serde_json::Map<String, Value>>,
    #[serde(default = "first_token")]
    classifier_pooling: Pooling,
}

fn first_token() -> Pooling {
    Pooling::Cls
}

impl Config {
    /// Reads and checks it; an error is one line that names the file.
    pub(crate) fn read(path: &Path) -> Result<Self, String> {
        let value: Value = read_json(path)?;
        Self::parse(value).map_err(|e| format!("{}: {e}", path.display()))
    }

    fn parse(value: Value) -> Result<Self, String> {
        let shared: Shared = parse(value.clone())?;
        let shape = match shared.model_type.as_str() {
            "bert" => Shape::Bert(parse(value)?),
            "xlm-roberta" => Shape::Bert(parse::<bert::Config>(value)?.of_roberta()),
            "modernbert" => Shape::ModernBert(parse(value)?),
            other => return Err(format!("the model type is '{other}', Oriel runs {KNOWN}")),
        };
        match &shape {
            Shape::Bert(config) => config.check()?,
            Shape::ModernBert(config) => config.check()?,
        }
        Ok(Self {
            shape,
            class: shared.architectures.unwrap_or_default().into_iter().next(),
            // Without labels in the file, transformers assumes two.
            labels: shared.num_labels.or(shared.id2label.map(|labels| labels.len())).unwrap_or(2),
            classifier_pooling: shared.classifier_pooling,
        })
    }

    /// The length of a hidden state.
    pub(crate) fn hidden_size(&self) -> usize {
        match &self.shape {
            Shape::Bert(config) => config.hidden_size,
            Shape::ModernBert(config) => config.hidden_size,
        }
    }

    /// Maximum number of tokens in a sequence.
    pub(crate) fn max_tokens(&self) -> usize {
        match &self.shape {
            Shape::Bert(config) => config.max_tokens(),
            Shape::ModernBert(config) => config.max_tokens(),
        }
    }

    /// Whether the second text of a pair has its own token type.
    pub(crate) fn has_pair_types(&self) -> bool {
        matches!(&self.shape, Shape::Bert(config) if config.has_pair_types())
    }
}

/// Reads a small JSON file; an error is one line that names the file.
pub(super) fn read_json<T: DeserializeOwned>(path: &Path) -> Result<T, String> {
    let line = |what: &dyn std::fmt::Display| format!("{}: {what}", path.display());
    if path.metadata().map_err(|e| line(&e))?.len() > MAX_BYTES {
        return Err(line(&"is too large for a model's configuration"));
    }
    let bytes = std::fs::read(path).map_err(|e| line(&e))?;
    serde_json::from_slice(&bytes).map_err(|e| line(&format!("is no configuration of a model ({e})")))
}

fn parse<T: DeserializeOwned>(value: Value) -> Result<T, String> {
    serde_json::from_value(value).map_err(|e| format!("is no configuration that Oriel can read ({e})"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn modernbert() -> Value {
        json!({
            "model_type": "modernbert", "architectures": ["ModernBertModel"], "vocab_size": 100, "hidden_size": 32,
            "num_hidden_layers": 3, "num_attention_heads": 2, "intermediate_size": 48,
            "max_position_embeddings": 8192, "norm_eps": 1e-5, "pad_token_id": 0,
        })
    }

    fn error(value: Value) -> String {
        Config::parse(value).err().expect("it is refused")
    }

    #[test]
    fn what_candle_would_compute_wrongly_is_refused() {
        assert!(Config::parse(modernbert()).is_ok());
        for (name, value, part) in [
            ("model_type", json!("deberta-v2"), "'deberta-v2'"),
            ("hidden_activation", json!("silu"), "'silu'"),
            ("attention_bias", json!(true), "bias"),
            ("num_attention_heads", json!(3), "multiple"),
            ("num_hidden_layers", json!(0), "num_hidden_layers"),
            ("layer_types", json!(["sliding_attention", "full_attention", "full_attention"]), "layer_types"),
            ("rope_parameters", json!({"full_attention": {"rope_type": "yarn", "rope_theta": 1e4}}), "yarn"),
        ] {
            let mut config = modernbert();
            config[name] = value;
            let error = error(config);
            assert!(error.contains(part) && error.lines().count() == 1, "{name}: {error}");
        }
    }

    #[test]
    fn xlm_roberta_counts_positions_from_beyond_the_padding() {
        let config = |kind: &str, pad: usize| {
            Config::parse(json!({
                "model_type": kind, "hidden_size": 32, "num_hidden_layers": 1, "num_attention_heads": 1,
                "intermediate_size": 64, "hidden_act": "gelu", "layer_norm_eps": 1e-5,
                "max_position_embeddings": 514, "type_vocab_size": 2, "vocab_size": 10, "pad_token_id": pad,
            }))
        };
        let (bert, roberta) = (config("bert", 1).unwrap(), config("xlm-roberta", 1).unwrap());
        assert_eq!((bert.max_tokens(), bert.has_pair_types()), (514, true));
        assert_eq!((roberta.max_tokens(), roberta.has_pair_types()), (512, false));
        assert!(config("xlm-roberta", 600).is_err());
    }
}
