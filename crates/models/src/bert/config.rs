//! The shape of a BERT model, checked before anything is allocated.

use serde::Deserialize;

use crate::shape_limits::check_limits;

/// The shape of a BERT or XLM-RoBERTa model. The two differ in the first position.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Config {
    pub hidden_size: usize,
    pub num_hidden_layers: usize,
    pub num_attention_heads: usize,
    pub intermediate_size: usize,
    hidden_act: String,
    pub layer_norm_eps: f64,
    pub max_position_embeddings: usize,
    pub type_vocab_size: usize,
    pub vocab_size: usize,
    #[serde(default)]
    position_embedding_type: Option<String>,
    #[serde(default)]
    pad_token_id: usize,
    /// The row of the position table for a sequence's first token.
    #[serde(skip)]
    pub first_position: usize,
}

impl Config {
    /// The shape of a RoBERTa model, whose positions begin after the padding token's id.
    pub(crate) fn of_roberta(self) -> Self {
        Self { first_position: self.pad_token_id.saturating_add(1), ..self }
    }

    /// Whether the model belongs to the RoBERTa family.
    pub(crate) fn is_roberta(&self) -> bool {
        self.first_position > 0
    }

    /// Maximum number of tokens in a sequence.
    pub(crate) fn max_tokens(&self) -> usize {
        self.max_position_embeddings.saturating_sub(self.first_position)
    }

    /// Whether token types distinguish the second text of a pair from the first.
    pub(crate) fn has_pair_types(&self) -> bool {
        self.type_vocab_size > 1 && !self.is_roberta()
    }

    /// Whether Oriel can run it.
    pub(crate) fn check(&self) -> Result<(), String> {
        if self.hidden_act != "gelu" {
            return Err(format!("the activation is '{}', Oriel runs 'gelu'", self.hidden_act));
        }
        if self.position_embedding_type.as_deref().is_some_and(|kind| kind != "absolute") {
            return Err("only absolute position embeddings are supported".into());
        }
        check_limits(&[
            ("hidden_size", self.hidden_size, 8192),
            ("num_hidden_layers", self.num_hidden_layers, 128),
            ("num_attention_heads", self.num_attention_heads, 256),
            ("intermediate_size", self.intermediate_size, 65_536),
            ("max_position_embeddings", self.max_position_embeddings, 65_536),
            ("type_vocab_size", self.type_vocab_size, 16),
            ("vocab_size", self.vocab_size, 2_000_000),
        ])?;
        if self.first_position >= self.max_position_embeddings {
            return Err("pad_token_id leaves no positions".into());
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
