//! `config.json` of a BERT model, checked before anything is allocated by it.

use std::path::Path;

use serde::Deserialize;

/// Bytes of a `config.json` at most; real ones have some 600.
const MAX_BYTES: u64 = 1 << 20;

/// The shape of a BERT model.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Config {
    #[serde(default)]
    pub architectures: Vec<String>,
    pub hidden_size: usize,
    pub num_hidden_layers: usize,
    pub num_attention_heads: usize,
    pub intermediate_size: usize,
    hidden_act: String,
    pub layer_norm_eps: f64,
    pub max_position_embeddings: usize,
    pub type_vocab_size: usize,
    pub vocab_size: usize,
    model_type: String,
    #[serde(default)]
    position_embedding_type: Option<String>,
    #[serde(default)]
    num_labels: Option<usize>,
    #[serde(default)]
    id2label: Option<serde_json::Map<String, serde_json::Value>>,
}

impl Config {
    /// Reads and checks; an error is one line that names the file.
    pub(crate) fn read(path: &Path) -> Result<Self, String> {
        let line = |what: &dyn std::fmt::Display| format!("{}: {what}", path.display());
        let size = path.metadata().map_err(|e| line(&e))?.len();
        if size > MAX_BYTES {
            return Err(line(&"is too large for a model's configuration"));
        }
        let bytes = std::fs::read(path).map_err(|e| line(&e))?;
        let config: Self = serde_json::from_slice(&bytes)
            .map_err(|e| line(&format!("is no configuration of a BERT model ({e})")))?;
        config.check().map_err(|e| line(&e))?;
        Ok(config)
    }

    /// Labels of the classifier; a model that names none has the two that transformers assumes.
    pub(crate) fn labels(&self) -> usize {
        self.num_labels.or(self.id2label.as_ref().map(serde_json::Map::len)).unwrap_or(2)
    }

    fn check(&self) -> Result<(), String> {
        if self.model_type != "bert" {
            return Err(format!("the model type is '{}', Oriel runs 'bert'", self.model_type));
        }
        if self.hidden_act != "gelu" {
            return Err(format!("the activation is '{}', Oriel runs 'gelu'", self.hidden_act));
        }
        if self.position_embedding_type.as_deref().is_some_and(|kind| kind != "absolute") {
            return Err("only absolute position embeddings are supported".into());
        }
        let limits = [
            ("hidden_size", self.hidden_size, 8192),
            ("num_hidden_layers", self.num_hidden_layers, 128),
            ("num_attention_heads", self.num_attention_heads, 256),
            ("intermediate_size", self.intermediate_size, 65_536),
            ("max_position_embeddings", self.max_position_embeddings, 65_536),
            ("type_vocab_size", self.type_vocab_size, 16),
            ("vocab_size", self.vocab_size, 2_000_000),
        ];
        if let Some((name, value, limit)) =
            limits.iter().find(|(_, value, limit)| !(1..=*limit).contains(value))
        {
            return Err(format!("{name} is {value}, not between 1 and {limit}"));
        }
        if !self.hidden_size.is_multiple_of(self.num_attention_heads) {
            return Err("hidden_size is no multiple of num_attention_heads".into());
        }
        if !(self.layer_norm_eps > 0.0 && self.layer_norm_eps < 1.0) {
            return Err("layer_norm_eps is not between 0 and 1".into());
        }
        Ok(())
    }
}
