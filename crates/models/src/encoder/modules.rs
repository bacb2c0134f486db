//! The parts that sentence-transformers adds to an encoder: pooling, further layers, prefixes.

use std::path::Path;

use candle_core::{Device, Result};
use candle_nn::Linear;
use oriel_core::notice::listed;
use serde::Deserialize;
use serde_json::Value;

use super::config::read_json;
use super::linear_layer::linear;
use crate::Pooling;
use crate::weights::Weights;

/// The name of the layer after the pooling in a model's folder.
pub(crate) const DENSE: &str = "2_Dense.safetensors";
pub(super) const NORM: &str = "3_LayerNorm.safetensors";
pub(crate) const SCORE: &str = "4_Dense.safetensors";

/// The settings of a sentence-transformers folder.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Modules {
    pub pooling: Pooling,
    pub query_prefix: String,
    pub passage_prefix: String,
    /// The layers after the pooling: the name in Oriel's folder, and the path in the original.
    pub layers: Vec<(&'static str, String)>,
}

#[derive(Deserialize)]
struct Module {
    #[serde(rename = "type")]
    class: String,
    path: String,
}

/// `config.json` of a pooling module, in its old and new form.
#[derive(Deserialize)]
struct PoolingConfig {
    #[serde(default)]
    pooling_mode: Option<Value>,
    #[serde(default)]
    pooling_mode_cls_token: bool,
    #[serde(default)]
    pooling_mode_mean_tokens: bool,
    #[serde(default)]
    pooling_mode_max_tokens: bool,
    #[serde(default)]
    pooling_mode_lasttoken: bool,
    #[serde(default)]
    pooling_mode_mean_sqrt_len_tokens: bool,
    #[serde(default)]
    pooling_mode_weightedmean_tokens: bool,
}

#[derive(Deserialize)]
struct DenseConfig {
    activation_function: String,
    #[serde(default)]
    use_residual: bool,
}

#[derive(Default, Deserialize)]
struct Prompts {
    #[serde(default)]
    prompts: std::collections::HashMap<String, String>,
}

impl Modules {
    /// Reads the modules; a folder without any uses mean pooling. An error is one line.
    pub(crate) fn read(folder: &Path) -> std::result::Result<Self, String> {
        let mut read = Self::default();
        let prompts = folder.join("config_sentence_transformers.json");
        if prompts.is_file() {
            let mut prompts = read_json::<Prompts>(&prompts)?.prompts;
            read.query_prefix = prompts.remove("query").unwrap_or_default();
            let passage = prompts.remove("document").or_else(|| prompts.remove("passage"));
            read.passage_prefix = passage.unwrap_or_default();
        }
        let modules = folder.join("modules.json");
        if !modules.is_file() {
            let pooling = folder.join("1_Pooling").join("config.json");
            if pooling.is_file() {
                read.pooling = pooling_of(&pooling)?;
            }
            return Ok(read);
        }
        let mut layers = Vec::new();
        for Module { class, path } in read_json::<Vec<Module>>(&modules)? {
            if path.contains(['/', '\\', ':']) || path == ".." {
                return Err(format!("{}: '{path}' is no folder of this model", modules.display()));
            }
            let config = folder.join(&path).join("config.json");
            match class.rsplit('.').next().unwrap_or_default() {
                "Transformer" | "Normalize" => {}
                "Pooling" => read.pooling = pooling_of(&config)?,
                "Dense" => layers.push((activation_of(&config)?, path)),
                "LayerNorm" => layers.push(("LayerNorm", path)),
                other => return Err(format!("{}: Oriel has no module '{other}'", modules.display())),
            }
        }
        let names: &[&str] = match layers.iter().map(|(kind, _)| *kind).collect::<Vec<_>>().as_slice() {
            [] => &[],
            ["Identity"] => &[DENSE],
            ["GELU", "LayerNorm", "Identity"] => &[DENSE, NORM, SCORE],
            other => {
                return Err(format!(
                    "{}: Oriel does not run the layers {} after the pooling",
                    modules.display(),
                    listed(other)
                ));
            }
        };
        let paths = layers.into_iter().map(|(_, path)| format!("{path}/model.safetensors"));
        read.layers = names.iter().copied().zip(paths).collect();
        Ok(read)
    }
}

fn pooling_of(path: &Path) -> std::result::Result<Pooling, String> {
    let config: PoolingConfig = read_json(path)?;
    let others = config.pooling_mode_max_tokens
        || config.pooling_mode_lasttoken
        || config.pooling_mode_mean_sqrt_len_tokens
        || config.pooling_mode_weightedmean_tokens;
    match (&config.pooling_mode, config.pooling_mode_mean_tokens, config.pooling_mode_cls_token) {
        (Some(Value::String(mode)), _, _) if mode == "mean" => Ok(Pooling::Mean),
        (Some(Value::String(mode)), _, _) if mode == "cls" => Ok(Pooling::Cls),
        (None, true, false) if !others => Ok(Pooling::Mean),
        (None, false, true) if !others => Ok(Pooling::Cls),
        _ => {
            Err("makes its vectors neither by the mean of its tokens nor by the first, as Oriel does".into())
        }
    }
}

fn activation_of(path: &Path) -> std::result::Result<&'static str, String> {
    let config: DenseConfig = read_json(path)?;
    match config.activation_function.rsplit('.').next() {
        Some("Identity") if !config.use_residual => Ok("Identity"),
        Some("GELU") if !config.use_residual => Ok("GELU"),
        _ => Err(format!("{}: Oriel does not run this layer", path.display())),
    }
}

/// Loads the layer after an embedder's pooling.
pub(crate) fn dense(folder: &Path, hidden: usize, device: &Device) -> Result<Linear> {
    let path = folder.join(DENSE);
    let read = || Ok((Weights::open(&path)?, dense_rows(&path)?));
    let (weights, rows) = read().map_err(candle_core::Error::Msg)?;
    linear(&weights, "linear", rows, hidden, device)
}

/// The length of the vectors that this layer returns.
pub(crate) fn dense_rows(path: &Path) -> std::result::Result<usize, String> {
    let weights = Weights::open(path)?;
    let shape = weights.shape("linear.weight");
    let rows = shape
        .and_then(|shape| shape.first())
        .ok_or_else(|| format!("{}: has no linear layer", path.display()))?;
    Ok(*rows)
}
