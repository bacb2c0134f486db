//! Reads tensors from a safetensors file, each directly into its final memory.
//!
//! It does not map the file into memory: that would need unsafe code, and a mapped file that shrinks crashes the
//! process. Every length is checked against the file before anything is allocated.

use std::collections::HashMap;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use candle_core::{DType, Device, Error, Result, Tensor};
use half::slice::HalfFloatSliceExt;
use half::{bf16, f16};
use serde::Deserialize;

/// Maximum bytes of a header; one with 10,000 tensors has about 1 MB.
const MAX_HEADER: u64 = 32 << 20;

/// An open safetensors file.
pub(crate) struct Weights {
    path: PathBuf,
    file: File,
    tensors: HashMap<String, Place>,
    /// The offset of the first tensor's bytes.
    base: u64,
}

#[derive(Deserialize)]
struct Place {
    dtype: String,
    shape: Vec<usize>,
    data_offsets: [u64; 2],
}

impl Weights {
    /// Opens `path` and checks its header; an error is one line that names the file.
    pub(crate) fn open(path: &Path) -> std::result::Result<Self, String> {
        let line = |what: &dyn std::fmt::Display| format!("{}: {what}", path.display());
        let mut file = File::open(path).map_err(|e| line(&e))?;
        let size = file.metadata().map_err(|e| line(&e))?.len();
        let mut length = [0; 8];
        file.read_exact(&mut length).map_err(|_| line(&"is no safetensors file"))?;
        let length = u64::from_le_bytes(length);
        if length > MAX_HEADER || length > size - 8 {
            return Err(line(&"is no safetensors file, or cut off"));
        }
        let mut header = vec![0; length as usize];
        file.read_exact(&mut header).map_err(|e| line(&e))?;
        let header: HashMap<String, serde_json::Value> =
            serde_json::from_slice(&header).map_err(|e| line(&format!("is no safetensors file ({e})")))?;
        let base = 8 + length;
        let mut tensors = HashMap::with_capacity(header.len());
        for (name, value) in header {
            if name == "__metadata__" {
                continue;
            }
            let place: Place = serde_json::from_value(value)
                .map_err(|e| line(&format!("the header is broken at '{name}' ({e})")))?;
            let [start, end] = place.data_offsets;
            if start > end || end > size - base {
                return Err(line(&format!("is cut off: tensor '{name}' lies beyond its end")));
            }
            tensors.insert(name, place);
        }
        Ok(Self { path: path.to_owned(), file, tensors, base })
    }

    /// Whether the file has a tensor of this name.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.tensors.contains_key(name)
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.tensors.keys().map(String::as_str)
    }

    /// The shape of the tensor `name`, if there is one.
    pub(crate) fn shape(&self, name: &str) -> Option<&[usize]> {
        self.tensors.get(name).map(|place| place.shape.as_slice())
    }

    /// The tensor `name`, which must have this `shape`, on `device`: in 16 bits if the file has f16, otherwise in f32.
    pub(crate) fn tensor(&self, name: &str, shape: &[usize], device: &Device) -> Result<Tensor> {
        let values = Tensor::from_vec(self.read(name, shape)?, shape, device)?;
        match self.tensors.get(name) {
            Some(place) if place.dtype == "F16" => values.to_dtype(DType::F16),
            _ => Ok(values),
        }
    }

    /// The tensor `name` as f32; it must have this `shape`.
    pub(crate) fn read(&self, name: &str, shape: &[usize]) -> Result<Vec<f32>> {
        let wrong = |what: String| Error::Msg(format!("{}: tensor '{name}' {what}", self.path.display()));
        let place = self.tensors.get(name).ok_or_else(|| wrong("is missing".into()))?;
        if place.shape != shape {
            return Err(wrong(format!("has shape {:?}, the configuration wants {shape:?}", place.shape)));
        }
        let count = shape.iter().try_fold(1usize, |product, side| product.checked_mul(*side));
        let bytes = place.data_offsets[1] - place.data_offsets[0];
        let width = match place.dtype.as_str() {
            "F32" => 4,
            "F16" | "BF16" => 2,
            other => return Err(wrong(format!("is of type {other}, Oriel reads F32, F16 and BF16"))),
        };
        let count = count
            .filter(|count| (*count as u64).checked_mul(width) == Some(bytes))
            .ok_or_else(|| wrong(format!("has {bytes} bytes, which do not make up its shape")))?;

        // The file is read through a shared reference; only one thread loads a model.
        let mut file = &self.file;
        let io = |e: std::io::Error| wrong(format!("cannot be read ({e})"));
        file.seek(SeekFrom::Start(self.base + place.data_offsets[0])).map_err(io)?;
        let mut values = vec![0f32; count];
        if width == 4 {
            file.read_exact(bytemuck::cast_slice_mut(&mut values)).map_err(io)?;
            if cfg!(target_endian = "big") {
                values.iter_mut().for_each(|v| *v = f32::from_bits(v.to_bits().swap_bytes()));
            }
        } else {
            let mut raw = vec![0u16; count];
            file.read_exact(bytemuck::cast_slice_mut(&mut raw)).map_err(io)?;
            raw.iter_mut().for_each(|v| *v = u16::from_le(*v));
            if place.dtype == "F16" {
                bytemuck::cast_slice::<u16, f16>(&raw).convert_to_f32_slice(&mut values);
            } else {
                bytemuck::cast_slice::<u16, bf16>(&raw).convert_to_f32_slice(&mut values);
            }
        }
        if let Some(at) = values.iter().position(|v| !v.is_finite()) {
            return Err(wrong(format!("holds a value that is no number, at {at}")));
        }
        Ok(values)
    }
}
