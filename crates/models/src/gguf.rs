//! Reads the header of a GGUF file with our own parser, before llama.cpp opens the file.
//!
//! Every count and length is checked against the size of the file before anything is read.

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;

use oriel_core::Notice;

/// Maximum number of tensors and of metadata entries; normal files have a few hundred.
const MAX_ENTRIES: u64 = 100_000;
/// Maximum bytes of a metadata string; longer ones are skipped.
const MAX_TEXT: u64 = 1 << 20;
/// Maximum dimensions of a tensor, as in ggml.
const MAX_DIMENSIONS: u32 = 4;

/// Maximum number of entries kept from a list of numbers; a list with one entry per layer has about a hundred.
const MAX_NUMBERS: u64 = 4096;

/// The header of a GGUF file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Header {
    pub architecture: String,
    /// The model's display name.
    pub name: Option<String>,
    /// The context length it was trained with.
    pub context_length: usize,
    pub licence: Option<String>,
    /// Number of parameters.
    pub parameters: u64,
    /// The format of most of its tensors.
    pub quantisation: Option<&'static str>,
    /// Bytes of keys and values per token of context, in 16 bits; `None` if the header does not tell.
    pub kv_bytes: Option<u64>,
}

/// A metadata value. Only the types that are used here are kept.
enum Value {
    Number(u64),
    Numbers(Vec<u64>),
    Text(String),
    Other,
}

impl Header {
    /// Reads the header of the file at `path`. An error says briefly what is wrong with the file.
    pub(crate) fn read(path: &Path) -> Result<Self, Notice> {
        let file = File::open(path).map_err(|e| Notice::io(&e))?;
        let size = file.metadata().map_err(|e| Notice::io(&e))?.len();
        let mut input = Input { from: &mut BufReader::with_capacity(1 << 18, file), left: size };
        if &input.bytes::<4>().map_err(|_| Notice::NoGguf)? != b"GGUF" {
            return Err(Notice::NoGguf);
        }
        let version = input.u32()?;
        if !(2..=3).contains(&version) {
            return Err(Notice::GgufOfVersion { version });
        }
        let (tensors, entries) = (input.u64()?, input.u64()?);
        if tensors == 0 || tensors > MAX_ENTRIES || entries > MAX_ENTRIES {
            return Err(broken(format!("{tensors} tensors, {entries} entries")));
        }

        let (mut architecture, mut name, mut licence) = (None, None, None);
        let (mut sizes, mut parts) = (HashMap::new(), 1);
        let (mut quantisation, mut parameters) = (None, 0u64);
        for _ in 0..entries {
            let key = input.text()?.unwrap_or_default();
            let kind = input.u32()?;
            match (key.as_str(), input.value(kind)?) {
                ("general.architecture", Value::Text(text)) => architecture = Some(text),
                ("general.name", Value::Text(text)) => name = Some(text),
                ("general.license", Value::Text(text)) => licence = Some(text),
                ("general.file_type", Value::Number(number)) => quantisation = file_type(number),
                ("split.count", Value::Number(number)) => parts = number,
                (_, Value::Number(number)) => _ = sizes.insert(key, vec![number]),
                (_, Value::Numbers(numbers)) => _ = sizes.insert(key, numbers),
                _ => {}
            }
        }
        if parts > 1 {
            return Err(Notice::GgufPart { parts: usize::try_from(parts).unwrap_or(usize::MAX) });
        }
        let architecture = architecture.ok_or_else(|| broken("it names no architecture"))?;
        let mut end = 0;
        for _ in 0..tensors {
            input.text()?;
            let dimensions = input.u32()?;
            if dimensions > MAX_DIMENSIONS {
                return Err(broken(format!("a tensor of {dimensions} dimensions")));
            }
            let mut numbers = 1u64;
            for _ in 0..dimensions {
                numbers = numbers.saturating_mul(input.u64()?);
            }
            parameters = parameters.saturating_add(numbers);
            input.skip(4)?;
            end = input.u64()?.max(end);
        }
        if end >= input.left {
            return Err(Notice::GgufTensorsCutOff);
        }
        let of = |what: &str| sizes.get(&format!("{architecture}.{what}")).map(Vec::as_slice);
        let context_length = of("context_length")
            .and_then(|length| usize::try_from(*length.first()?).ok())
            .filter(|length| (1..=1 << 28).contains(length))
            .ok_or_else(|| broken("it names no context length"))?;
        let kv_bytes = kv_bytes(&of);
        Ok(Self { architecture, name, context_length, licence, parameters, quantisation, kv_bytes })
    }
}

/// Bytes of keys and values per token. Hybrid models have layers without keys; their lists have zero heads for these.
fn kv_bytes<'a>(of: &impl Fn(&str) -> Option<&'a [u64]>) -> Option<u64> {
    let one = |what: &str| of(what)?.first().copied();
    let heads = one("attention.head_count")?;
    let layers = one("block_count")?;
    let kv_heads = match of("attention.head_count_kv") {
        Some([each]) => each.checked_mul(layers)?,
        Some(by_layer) => by_layer.iter().sum(),
        None => heads.checked_mul(layers)?,
    };
    let width = || one("embedding_length")?.checked_div(heads);
    let key = one("attention.key_length").or_else(width)?;
    let value = one("attention.value_length").or_else(width)?;
    key.checked_add(value)?.checked_mul(kv_heads)?.checked_mul(2)
}

/// The name of a `general.file_type`, numbered as in llama.cpp; `None` for formats that are rarely used.
fn file_type(number: u64) -> Option<&'static str> {
    Some(match number {
        0 => "F32",
        1 => "F16",
        2 => "Q4_0",
        3 => "Q4_1",
        7 => "Q8_0",
        8 => "Q5_0",
        9 => "Q5_1",
        10 => "Q2_K",
        11 => "Q3_K_S",
        12 => "Q3_K_M",
        13 => "Q3_K_L",
        14 => "Q4_K_S",
        15 => "Q4_K_M",
        16 => "Q5_K_S",
        17 => "Q5_K_M",
        18 => "Q6_K",
        25 => "IQ4_NL",
        30 => "IQ4_XS",
        32 => "BF16",
        38 => "MXFP4",
        _ => return None,
    })
}

/// A reader that knows how many bytes are left.
struct Input<'a> {
    from: &'a mut dyn Read,
    left: u64,
}

impl Input<'_> {
    fn take(&mut self, bytes: u64) -> Result<(), Notice> {
        self.left = self.left.checked_sub(bytes).ok_or(Notice::GgufCutOff)?;
        Ok(())
    }

    fn bytes<const N: usize>(&mut self) -> Result<[u8; N], Notice> {
        self.take(N as u64)?;
        let mut bytes = [0; N];
        self.from.read_exact(&mut bytes).map_err(|e| Notice::io(&e))?;
        Ok(bytes)
    }

    fn u32(&mut self) -> Result<u32, Notice> {
        self.bytes().map(u32::from_le_bytes)
    }

    fn u64(&mut self) -> Result<u64, Notice> {
        self.bytes().map(u64::from_le_bytes)
    }

    fn skip(&mut self, bytes: u64) -> Result<(), Notice> {
        self.take(bytes)?;
        let skipped = std::io::copy(&mut self.from.take(bytes), &mut std::io::sink());
        match skipped {
            Ok(skipped) if skipped == bytes => Ok(()),
            Ok(_) => Err(Notice::GgufCutOff),
            Err(e) => Err(Notice::io(&e)),
        }
    }

    /// A string, or `None` if it is too long to be useful.
    fn text(&mut self) -> Result<Option<String>, Notice> {
        let length = self.u64()?;
        if length > MAX_TEXT {
            self.skip(length)?;
            return Ok(None);
        }
        self.take(length)?;
        let mut bytes = vec![0; length as usize];
        self.from.read_exact(&mut bytes).map_err(|e| Notice::io(&e))?;
        Ok(Some(String::from_utf8_lossy(&bytes).into_owned()))
    }

    fn value(&mut self, kind: u32) -> Result<Value, Notice> {
        Ok(match kind {
            // Sizes are never negative, so signed types are read as unsigned.
            4 | 5 => Value::Number(self.u32()?.into()),
            10 => Value::Number(self.u64()?),
            8 => self.text()?.map_or(Value::Other, Value::Text),
            9 => {
                let (of, count) = (self.u32()?, self.u64()?);
                if of == 8 {
                    // Each string has at least a length, so a wrong count ends at the end of the file.
                    for _ in 0..count {
                        let length = self.u64()?;
                        self.skip(length)?;
                    }
                } else if matches!(of, 4 | 5) && count <= MAX_NUMBERS {
                    let numbers = (0..count).map(|_| self.u32().map(u64::from));
                    return numbers.collect::<Result<_, _>>().map(Value::Numbers);
                } else {
                    let bytes = width(of)?.checked_mul(count).ok_or_else(|| broken("an endless list"))?;
                    self.skip(bytes)?;
                }
                Value::Other
            }
            other => {
                self.skip(width(other)?)?;
                Value::Other
            }
        })
    }
}

fn broken(what: impl Into<String>) -> Notice {
    Notice::GgufBroken { what: what.into() }
}

/// The number of bytes of a value of this type.
fn width(kind: u32) -> Result<u64, Notice> {
    match kind {
        0 | 1 | 7 => Ok(1),
        2 | 3 => Ok(2),
        4..=6 => Ok(4),
        10..=12 => Ok(8),
        other => Err(broken(format!("a value of kind {other}"))),
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    fn text(text: &str) -> Vec<u8> {
        [&(text.len() as u64).to_le_bytes(), text.as_bytes()].concat()
    }

    /// A header with one tensor.
    pub(crate) fn sound() -> Vec<u8> {
        let mut file = b"GGUF\x03\0\0\0\x01\0\0\0\0\0\0\0\x08\0\0\0\0\0\0\0".to_vec();
        file.extend([text("general.architecture"), 8u32.to_le_bytes().into(), text("llama")].concat());
        file.extend([text("llama.context_length"), 4u32.to_le_bytes().into()].concat());
        file.extend(2048u32.to_le_bytes());
        for (key, number) in [
            ("general.file_type", 15u32),
            ("llama.block_count", 3),
            ("llama.attention.head_count", 8),
            ("llama.embedding_length", 64),
        ] {
            file.extend([text(key), 4u32.to_le_bytes().into(), number.to_le_bytes().into()].concat());
        }
        // One of the three layers has no keys.
        file.extend([text("llama.attention.head_count_kv"), 9u32.to_le_bytes().into()].concat());
        file.extend([5u32.to_le_bytes().to_vec(), 3u64.to_le_bytes().into()].concat());
        file.extend([2u32, 0, 2].map(u32::to_le_bytes).concat());
        file.extend([text("words"), 9u32.to_le_bytes().into(), 8u32.to_le_bytes().into()].concat());
        file.extend([2u64.to_le_bytes().to_vec(), text("a"), text("b")].concat());
        file.extend([text("weights"), 1u32.to_le_bytes().into(), 8u64.to_le_bytes().into()].concat());
        file.extend([0u32.to_le_bytes().to_vec(), 0u64.to_le_bytes().to_vec(), vec![0; 64]].concat());
        file
    }

    fn read(bytes: &[u8]) -> Result<Header, Notice> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("m.gguf");
        std::fs::write(&path, bytes).unwrap();
        Header::read(&path)
    }

    #[test]
    fn a_sound_head_is_read() {
        let header = read(&sound()).unwrap();
        assert_eq!((header.architecture.as_str(), header.context_length), ("llama", 2048));
        assert_eq!((header.parameters, header.quantisation), (8, Some("Q4_K_M")));
        // Four heads of eight numbers, each with a key and a value, two bytes a number.
        assert_eq!(header.kv_bytes, Some(4 * 8 * 2 * 2));
    }

    #[test]
    fn every_cut_and_every_flipped_byte_is_an_error_or_a_head() {
        let sound = sound();
        let data = sound.len() - 64;
        for end in 0..=data {
            assert!(read(&sound[..end]).is_err(), "cut at {end}");
        }
        for at in 0..sound.len() {
            let mut bytes = sound.clone();
            bytes[at] ^= 0xff;
            // Must not panic, nor allocate gigabytes.
            let _ = read(&bytes);
        }
        assert!(read(b"<html>not found</html>").unwrap_err().to_string().contains("no GGUF"));
    }
}
