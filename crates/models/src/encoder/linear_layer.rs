//! Linear layers of a weights file.

use candle_core::{Device, Result, Tensor};
use candle_nn::Linear;

use crate::weights::Weights;

/// The linear layer `name`, with its bias if it has one.
pub(crate) fn linear(
    weights: &Weights,
    name: &str,
    rows: usize,
    columns: usize,
    device: &Device,
) -> Result<Linear> {
    let matrix = weights.read(&format!("{name}.weight"), &[rows, columns])?;
    let matrix = Tensor::from_vec(matrix, (rows, columns), device)?;
    let bias = format!("{name}.bias");
    let bias = weights.has(&bias).then(|| Tensor::from_vec(weights.read(&bias, &[rows])?, rows, device));
    Ok(Linear::new(matrix, bias.transpose()?))
}
