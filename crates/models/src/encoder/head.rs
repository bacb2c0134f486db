//! The classifier on top of a hidden state. It has the same steps in every architecture, under different names.

use std::path::Path;

use candle_core::{Device, Module, Result, Tensor};
use candle_nn::{Activation, LayerNorm, Linear};

use super::linear_layer::linear;
use super::modules::{DENSE, NORM, SCORE};
use super::{Config, Shape};
use crate::weights::Weights;

/// PyTorch's default, which sentence-transformers uses.
const MODULE_EPS: f64 = 1e-5;

/// A dense layer, an activation, in some models a normalisation, and the layer that returns the logits.
pub(crate) struct Head {
    dense: Linear,
    activation: Option<Activation>,
    norm: Option<LayerNorm>,
    classifier: Linear,
}

impl Head {
    /// Loads the head that transformers stores in the model's own file.
    pub(crate) fn load(weights: &Weights, config: &Config, device: &Device) -> Result<Self> {
        let (hidden, labels) = (config.hidden_size(), config.labels);
        let layer = |name: &str, rows: usize| linear(weights, name, rows, hidden, device);
        Ok(match &config.shape {
            Shape::Bert(bert) => {
                let (dense, classifier) = if bert.is_roberta() {
                    ("classifier.dense", "classifier.out_proj")
                } else {
                    ("bert.pooler.dense", "classifier")
                };
                Self {
                    dense: layer(dense, hidden)?,
                    activation: None,
                    norm: None,
                    classifier: layer(classifier, labels)?,
                }
            }
            Shape::ModernBert(modernbert) => Self {
                dense: layer("head.dense", hidden)?,
                activation: Some(Activation::Gelu),
                norm: Some(norm(weights, "head.norm", hidden, modernbert.eps(), device)?),
                classifier: layer("classifier", labels)?,
            },
        })
    }

    /// Loads the head that sentence-transformers stores beside the encoder, one folder per module.
    pub(crate) fn of_modules(folder: &Path, hidden: usize, device: &Device) -> Result<Self> {
        let open = |name: &str| Weights::open(&folder.join(name)).map_err(candle_core::Error::Msg);
        Ok(Self {
            dense: linear(&open(DENSE)?, "linear", hidden, hidden, device)?,
            activation: Some(Activation::Gelu),
            norm: Some(norm(&open(NORM)?, "norm", hidden, MODULE_EPS, device)?),
            classifier: linear(&open(SCORE)?, "linear", 1, hidden, device)?,
        })
    }

    /// `[rows, hidden]` to `[rows, labels]`.
    pub(crate) fn logits(&self, rows: &Tensor) -> Result<Tensor> {
        let x = self.dense.forward(rows)?;
        let x = match self.activation {
            Some(activation) => activation.forward(&x)?,
            None => x.tanh()?,
        };
        let x = match &self.norm {
            Some(norm) => norm.forward(&x)?,
            None => x,
        };
        self.classifier.forward(&x)
    }
}

fn norm(weights: &Weights, name: &str, width: usize, eps: f64, device: &Device) -> Result<LayerNorm> {
    let gain = Tensor::from_vec(weights.read(&format!("{name}.weight"), &[width])?, width, device)?;
    let bias = format!("{name}.bias");
    Ok(if weights.has(&bias) {
        LayerNorm::new(gain, Tensor::from_vec(weights.read(&bias, &[width])?, width, device)?, eps)
    } else {
        LayerNorm::new_no_bias(gain, eps)
    })
}
