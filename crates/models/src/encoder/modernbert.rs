//! ModernBERT from candle-transformers: its configuration, weights and padding.

use std::collections::HashMap;

use candle_core::{DType, Device, Result, Tensor};
use candle_nn::VarBuilder;
use candle_transformers::models::modernbert;
use serde::Deserialize;

use crate::bert::{Packed, Rows};
use crate::shape_limits::check_limits;
use crate::weights::Weights;

/// Maximum number of tokens in a sequence, even if the model allows more: the memory of attention grows with the
/// square, to gigabytes for 8,192 tokens. Passages are far shorter.
const LONGEST: usize = 2048;
/// The defaults of transformers for missing values.
const GLOBAL_THETA: f64 = 160_000.0;
const LOCAL_THETA: f64 = 10_000.0;
const GLOBAL_EVERY: usize = 3;

/// The shape of a ModernBERT model, as written by transformers 4 and 5.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Config {
    pub hidden_size: usize,
    vocab_size: usize,
    num_hidden_layers: usize,
    num_attention_heads: usize,
    intermediate_size: usize,
    max_position_embeddings: usize,
    #[serde(default)]
    pad_token_id: u32,
    #[serde(default = "gelu")]
    hidden_activation: String,
    #[serde(default = "gelu")]
    classifier_activation: String,
    #[serde(default)]
    norm_eps: Option<f64>,
    #[serde(default)]
    layer_norm_eps: Option<f64>,
    #[serde(default)]
    attention_bias: bool,
    #[serde(default)]
    mlp_bias: bool,
    #[serde(default)]
    norm_bias: bool,
    #[serde(default = "local_attention")]
    local_attention: usize,
    #[serde(default)]
    global_attn_every_n_layers: Option<usize>,
    #[serde(default)]
    layer_types: Option<Vec<String>>,
    #[serde(default)]
    global_rope_theta: Option<f64>,
    #[serde(default)]
    local_rope_theta: Option<f64>,
    #[serde(default)]
    rope_parameters: RopeParameters,
}

#[derive(Clone, Debug, Default, Deserialize)]
struct RopeParameters {
    #[serde(default)]
    full_attention: Rope,
    #[serde(default)]
    sliding_attention: Rope,
}

#[derive(Clone, Debug, Default, Deserialize)]
struct Rope {
    #[serde(default)]
    rope_type: Option<String>,
    #[serde(default)]
    rope_theta: Option<f64>,
}

fn gelu() -> String {
    "gelu".into()
}

fn local_attention() -> usize {
    128
}

impl Config {
    /// Maximum tokens of a sequence.
    pub(crate) fn max_tokens(&self) -> usize {
        self.max_position_embeddings.min(LONGEST)
    }

    pub(crate) fn eps(&self) -> f64 {
        self.norm_eps.or(self.layer_norm_eps).unwrap_or(1e-5)
    }

    /// Whether candle-transformers computes this configuration as transformers does.
    pub(crate) fn check(&self) -> std::result::Result<(), String> {
        check_limits(&[
            ("hidden_size", self.hidden_size, 8192),
            ("num_hidden_layers", self.num_hidden_layers, 128),
            ("num_attention_heads", self.num_attention_heads, 256),
            ("intermediate_size", self.intermediate_size, 65_536),
            ("max_position_embeddings", self.max_position_embeddings, 1 << 20),
            ("local_attention", self.local_attention, 1 << 20),
            ("global_attn_every_n_layers", self.global_every(), 128),
            ("vocab_size", self.vocab_size, 2_000_000),
        ])?;
        if !self.hidden_size.is_multiple_of(2 * self.num_attention_heads) {
            return Err("hidden_size is no multiple of twice num_attention_heads".into());
        }
        for activation in [&self.hidden_activation, &self.classifier_activation] {
            if activation != "gelu" {
                return Err(format!("the activation is '{activation}', Oriel runs 'gelu'"));
            }
        }
        if self.attention_bias || self.mlp_bias || self.norm_bias {
            return Err("its layers have a bias, which Oriel does not run".into());
        }
        let every = self.global_every();
        let is_regular = |types: &[String]| {
            let global = |n: usize| n.is_multiple_of(every);
            types.iter().enumerate().all(|(n, kind)| (kind == "full_attention") == global(n))
        };
        if self.layer_types.as_ref().is_some_and(|types| !is_regular(types)) {
            return Err(format!("its layer_types do not have full attention in every {every}th layer"));
        }
        let RopeParameters { full_attention, sliding_attention } = &self.rope_parameters;
        for kind in [full_attention, sliding_attention].into_iter().filter_map(|rope| rope.rope_type.as_ref())
        {
            if kind != "default" {
                return Err(format!("its rotary embedding is '{kind}', Oriel runs 'default'"));
            }
        }
        Ok(())
    }

    /// Every n-th layer attends globally, beginning with the first. Newer configurations name each layer instead.
    fn global_every(&self) -> usize {
        let second = |types: &Vec<String>| {
            let full = types.iter().enumerate().skip(1).find(|(_, kind)| *kind == "full_attention");
            full.map_or(types.len(), |(n, _)| n)
        };
        self.global_attn_every_n_layers.or(self.layer_types.as_ref().map(second)).unwrap_or(GLOBAL_EVERY)
    }

    fn for_candle(&self) -> modernbert::Config {
        let RopeParameters { full_attention, sliding_attention } = &self.rope_parameters;
        modernbert::Config {
            vocab_size: self.vocab_size,
            hidden_size: self.hidden_size,
            num_hidden_layers: self.num_hidden_layers,
            num_attention_heads: self.num_attention_heads,
            intermediate_size: self.intermediate_size,
            // Candle allocates tables of this length.
            max_position_embeddings: self.max_tokens(),
            layer_norm_eps: self.eps(),
            pad_token_id: self.pad_token_id,
            global_attn_every_n_layers: self.global_every(),
            global_rope_theta: self.global_rope_theta.or(full_attention.rope_theta).unwrap_or(GLOBAL_THETA),
            local_attention: self.local_attention,
            local_rope_theta: self.local_rope_theta.or(sliding_attention.rope_theta).unwrap_or(LOCAL_THETA),
            classifier_config: None,
        }
    }
}

/// The encoder of a ModernBERT model.
pub(crate) struct ModernBert {
    model: modernbert::ModernBert,
    pad: u32,
    device: Device,
}

impl ModernBert {
    /// Reads the encoder's tensors, whose names start with `model.` if the file also has a classifier.
    pub(super) fn load(weights: &Weights, config: &Config, device: &Device) -> Result<Self> {
        const PREFIX: &str = "model.";
        let prefix = if weights.has("model.embeddings.tok_embeddings.weight") { PREFIX } else { "" };
        let mut tensors = HashMap::new();
        for name in weights.names() {
            let Some(bare) = name.strip_prefix(prefix) else { continue };
            let shape = weights.shape(name).unwrap_or_default();
            let tensor = Tensor::from_vec(weights.read(name, shape)?, shape, device)?;
            tensors.insert(format!("{PREFIX}{bare}"), tensor);
        }
        let tensors = VarBuilder::from_tensors(tensors, DType::F32, device);
        let model = modernbert::ModernBert::load(tensors, &config.for_candle())?;
        Ok(Self { model, pad: config.pad_token_id, device: device.clone() })
    }

    /// See [`super::Encoder::forward`].
    pub(super) fn forward(&self, batch: &Packed, rows: Rows) -> Result<Tensor> {
        let count = batch.lengths().len();
        let longest = batch.lengths().iter().copied().max().unwrap_or(0);
        let (mut ids, mut mask, mut wanted) = (Vec::new(), Vec::new(), Vec::new());
        for (n, sequence) in batch.sequences().enumerate() {
            let padding = longest - sequence.len();
            ids.extend_from_slice(sequence);
            ids.extend(std::iter::repeat_n(self.pad, padding));
            mask.extend(std::iter::repeat_n(1u32, sequence.len()));
            mask.extend(std::iter::repeat_n(0u32, padding));
            let kept = if rows == Rows::All { sequence.len() } else { 1 };
            wanted.extend((n * longest..).take(kept).map(|at| at as u32));
        }
        let ids = Tensor::from_vec(ids, (count, longest), &self.device)?;
        let mask = Tensor::from_vec(mask, (count, longest), &self.device)?;
        let kept = wanted.len();
        let wanted = Tensor::from_vec(wanted, kept, &self.device)?;
        self.model.forward(&ids, &mask)?.flatten_to(1)?.index_select(&wanted, 0)
    }
}
