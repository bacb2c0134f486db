//! The element-wise parts of a layer: on the CPU in one pass over memory each, elsewhere in Candle's own operations.

use candle_core::{CpuStorage, Device, Error, InplaceOp2, InplaceOp3, Layout, Result, Tensor};

use super::{Config, kernels};

/// A layer normalisation, and the bias that is added before it.
pub(super) struct Norm {
    /// Bias, gain and offset, one after another.
    parameters: Tensor,
    eps: f32,
}

impl Norm {
    /// `parameters` are bias, gain and offset, one after another.
    pub(super) fn new(parameters: Vec<f32>, config: &Config, device: &Device) -> Result<Self> {
        let count = parameters.len();
        Ok(Self {
            parameters: Tensor::from_vec(parameters, count, device)?,
            eps: config.layer_norm_eps as f32,
        })
    }
}

/// `layer_norm(x + bias + residual)`. It consumes `x`, because the CPU computes in its memory.
pub(super) fn add_norm(x: Tensor, residual: &Tensor, norm: &Norm) -> Result<Tensor> {
    if x.device().is_cpu() {
        x.inplace_op3(residual, &norm.parameters, &AddNorm { eps: norm.eps })?;
        return Ok(x);
    }
    add_norm_anywhere(&x, residual, norm)
}

/// [`add_norm`] with Candle's operations.
fn add_norm_anywhere(x: &Tensor, residual: &Tensor, norm: &Norm) -> Result<Tensor> {
    let hidden = x.dim(1)?;
    let part = |n: usize| norm.parameters.narrow(0, n * hidden, hidden);
    let x = (x.broadcast_add(&part(0)?)? + residual)?;
    candle_nn::ops::layer_norm(&x.contiguous()?, &part(1)?.contiguous()?, &part(2)?.contiguous()?, norm.eps)
}

/// `gelu(x + bias)` with the exact Gaussian. It consumes `x`, because the CPU computes in its memory.
pub(super) fn bias_gelu(x: Tensor, bias: &Tensor) -> Result<Tensor> {
    if x.device().is_cpu() {
        x.inplace_op2(bias, &BiasGelu)?;
        return Ok(x);
    }
    x.broadcast_add(bias)?.gelu_erf()
}

/// `x + y`. It consumes `x`, because the CPU computes in its memory, on the caller's thread. Candle's own addition
/// divides large tensors among the threads of one pool for the whole process, where models wait for one another
/// regardless of priority.
pub(super) fn add(x: Tensor, y: &Tensor) -> Result<Tensor> {
    if x.device().is_cpu() {
        x.inplace_op2(y, &Add)?;
        return Ok(x);
    }
    x + y
}

struct AddNorm {
    eps: f32,
}

impl InplaceOp3 for AddNorm {
    fn name(&self) -> &'static str {
        "add-norm"
    }

    fn cpu_fwd(
        &self,
        x: &mut CpuStorage,
        x_layout: &Layout,
        residual: &CpuStorage,
        residual_layout: &Layout,
        parameters: &CpuStorage,
        parameters_layout: &Layout,
    ) -> Result<()> {
        let residual = floats(residual, residual_layout)?;
        let parameters = floats(parameters, parameters_layout)?;
        kernels::add_norm(floats_mut(x, x_layout)?, residual, parameters, self.eps);
        Ok(())
    }
}

struct BiasGelu;

impl InplaceOp2 for BiasGelu {
    fn name(&self) -> &'static str {
        "bias-gelu"
    }

    fn cpu_fwd(
        &self,
        x: &mut CpuStorage,
        x_layout: &Layout,
        bias: &CpuStorage,
        bias_layout: &Layout,
    ) -> Result<()> {
        kernels::bias_gelu(floats_mut(x, x_layout)?, floats(bias, bias_layout)?);
        Ok(())
    }
}

struct Add;

impl InplaceOp2 for Add {
    fn name(&self) -> &'static str {
        "add"
    }

    fn cpu_fwd(
        &self,
        x: &mut CpuStorage,
        x_layout: &Layout,
        y: &CpuStorage,
        y_layout: &Layout,
    ) -> Result<()> {
        let (x, y) = (floats_mut(x, x_layout)?, floats(y, y_layout)?);
        if x.len() != y.len() {
            return Err(Error::Msg("two tensors of different sizes cannot be added".into()));
        }
        x.iter_mut().zip(y).for_each(|(x, y)| *x += y);
        Ok(())
    }
}

/// The floats of a contiguous tensor on the CPU.
pub(super) fn floats<'a>(storage: &'a CpuStorage, layout: &Layout) -> Result<&'a [f32]> {
    match (storage, layout.contiguous_offsets()) {
        (CpuStorage::F32(values), Some((start, end))) => Ok(&values[start..end]),
        _ => Err(Error::Msg("the fused operations take contiguous f32 tensors".into())),
    }
}

fn floats_mut<'a>(storage: &'a mut CpuStorage, layout: &Layout) -> Result<&'a mut [f32]> {
    match (storage, layout.contiguous_offsets()) {
        (CpuStorage::F32(values), Some((start, end))) => Ok(&mut values[start..end]),
        _ => Err(Error::Msg("the fused operations take contiguous f32 tensors".into())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fused_operations_agree_with_candles() {
        let device = Device::Cpu;
        let x = Tensor::randn(0f32, 3f32, (7, 96), &device).unwrap();
        let residual = Tensor::randn(0f32, 1f32, (7, 96), &device).unwrap();
        let norm = Norm { parameters: Tensor::randn(0f32, 1f32, 288, &device).unwrap(), eps: 1e-12 };
        let bias = Tensor::randn(0f32, 1f32, 96, &device).unwrap();

        let wanted = add_norm_anywhere(&x, &residual, &norm).unwrap();
        assert_close(&add_norm(x.copy().unwrap(), &residual, &norm).unwrap(), &wanted);
        let wanted = x.broadcast_add(&bias).unwrap().gelu_erf().unwrap();
        assert_close(&bias_gelu(x.copy().unwrap(), &bias).unwrap(), &wanted);
        assert_close(&add(x.copy().unwrap(), &residual).unwrap(), &(&x + &residual).unwrap());
        add(x, &bias).unwrap_err();
    }

    fn assert_close(left: &Tensor, right: &Tensor) {
        let gap = (left - right).unwrap().abs().unwrap().max_all().unwrap().to_scalar::<f32>().unwrap();
        assert!(gap < 2e-6, "they differ by {gap}");
    }
}
