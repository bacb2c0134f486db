//! The head of a GGUF file, read by a parser of our own: what the model is, before llama.cpp sees it.
//!
//! Every count and length is checked against the file's size before anything is read by it.

use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;

/// Tensors and metadata entries at most; real files have a few hundred.
const MAX_ENTRIES: u64 = 100_000;
/// Bytes of a metadata string that is kept; longer ones are skipped.
const MAX_TEXT: u64 = 1 << 20;
/// Dimensions of a tensor at most, as in ggml.
const MAX_DIMENSIONS: u32 = 4;

/// What the head of a GGUF file says.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Header {
    pub architecture: String,
    /// Tokens the model was trained on at once.
    pub context_length: usize,
    pub licence: Option<String>,
    pub has_chat_template: bool,
}

/// A value of the kinds that matter here.
enum Value {
    Number(u64),
    Text(String),
    Other,
}

impl Header {
    /// Reads the head of the file at `path`; an error says in a few words what is wrong with it.
    pub(crate) fn read(path: &Path) -> Result<Self, String> {
        let file = File::open(path).map_err(|e| e.to_string())?;
        let size = file.metadata().map_err(|e| e.to_string())?.len();
        let mut input = Input { from: &mut BufReader::with_capacity(1 << 18, file), left: size };
        if &input.bytes::<4>().map_err(|_| "is no GGUF file")? != b"GGUF" {
            return Err("is no GGUF file".into());
        }
        let version = input.u32()?;
        if !(2..=3).contains(&version) {
            return Err(format!("is GGUF of version {version}, Oriel reads 2 and 3"));
        }
        let (tensors, entries) = (input.u64()?, input.u64()?);
        if tensors == 0 || tensors > MAX_ENTRIES || entries > MAX_ENTRIES {
            return Err(format!("is broken: {tensors} tensors, {entries} entries"));
        }

        let (mut architecture, mut licence) = (None, None);
        let (mut lengths, mut parts, mut has_chat_template) = (Vec::new(), 1, false);
        for _ in 0..entries {
            let key = input.text()?.unwrap_or_default();
            let kind = input.u32()?;
            match (key.as_str(), input.value(kind)?) {
                ("general.architecture", Value::Text(text)) => architecture = Some(text),
                ("general.license", Value::Text(text)) => licence = Some(text),
                ("tokenizer.chat_template", Value::Text(_)) => has_chat_template = true,
                ("split.count", Value::Number(number)) => parts = number,
                (key, Value::Number(number)) => {
                    if let Some(of) = key.strip_suffix(".context_length") {
                        lengths.push((of.to_owned(), number));
                    }
                }
                _ => {}
            }
        }
        if parts > 1 {
            return Err(format!("is one of {parts} parts of a model; Oriel takes models in one file"));
        }
        let architecture = architecture.ok_or("is broken: it names no architecture")?;
        let mut end = 0;
        for _ in 0..tensors {
            input.text()?;
            let dimensions = input.u32()?;
            if dimensions > MAX_DIMENSIONS {
                return Err(format!("is broken: a tensor of {dimensions} dimensions"));
            }
            input.skip(u64::from(dimensions) * 8 + 4)?;
            end = input.u64()?.max(end);
        }
        if end >= input.left {
            return Err("is cut off: its tensors lie beyond its end".into());
        }
        let length = lengths.iter().find(|(of, _)| *of == architecture).map(|(_, number)| *number);
        let context_length = length
            .and_then(|length| usize::try_from(length).ok())
            .filter(|length| (1..=1 << 28).contains(length))
            .ok_or("is broken: it names no context length")?;
        Ok(Self { architecture, context_length, licence, has_chat_template })
    }
}

/// A reader that knows how much is left.
struct Input<'a> {
    from: &'a mut dyn Read,
    left: u64,
}

impl Input<'_> {
    fn take(&mut self, bytes: u64) -> Result<(), String> {
        self.left = self.left.checked_sub(bytes).ok_or("is cut off, or no GGUF file")?;
        Ok(())
    }

    fn bytes<const N: usize>(&mut self) -> Result<[u8; N], String> {
        self.take(N as u64)?;
        let mut bytes = [0; N];
        self.from.read_exact(&mut bytes).map_err(|e| e.to_string())?;
        Ok(bytes)
    }

    fn u32(&mut self) -> Result<u32, String> {
        self.bytes().map(u32::from_le_bytes)
    }

    fn u64(&mut self) -> Result<u64, String> {
        self.bytes().map(u64::from_le_bytes)
    }

    fn skip(&mut self, bytes: u64) -> Result<(), String> {
        self.take(bytes)?;
        let skipped = std::io::copy(&mut self.from.take(bytes), &mut std::io::sink());
        match skipped {
            Ok(skipped) if skipped == bytes => Ok(()),
            Ok(_) => Err("is cut off, or no GGUF file".into()),
            Err(e) => Err(e.to_string()),
        }
    }

    /// A string, or `None` where it is longer than anybody needs.
    fn text(&mut self) -> Result<Option<String>, String> {
        let length = self.u64()?;
        if length > MAX_TEXT {
            self.skip(length)?;
            return Ok(None);
        }
        self.take(length)?;
        let mut bytes = vec![0; length as usize];
        self.from.read_exact(&mut bytes).map_err(|e| e.to_string())?;
        Ok(Some(String::from_utf8_lossy(&bytes).into_owned()))
    }

    fn value(&mut self, kind: u32) -> Result<Value, String> {
        Ok(match kind {
            4 => Value::Number(self.u32()?.into()),
            10 => Value::Number(self.u64()?),
            8 => self.text()?.map_or(Value::Other, Value::Text),
            9 => {
                let (of, count) = (self.u32()?, self.u64()?);
                if of == 8 {
                    // Each string has a length at least, so a false count ends at the file's end.
                    for _ in 0..count {
                        let length = self.u64()?;
                        self.skip(length)?;
                    }
                } else {
                    let bytes = width(of)?.checked_mul(count).ok_or("is broken: an endless list")?;
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

/// Bytes of a value of this kind.
fn width(kind: u32) -> Result<u64, String> {
    match kind {
        0 | 1 | 7 => Ok(1),
        2 | 3 => Ok(2),
        4..=6 => Ok(4),
        10..=12 => Ok(8),
        other => Err(format!("is broken: a value of kind {other}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> Vec<u8> {
        [&(text.len() as u64).to_le_bytes(), text.as_bytes()].concat()
    }

    fn sound() -> Vec<u8> {
        let mut file = b"GGUF\x03\0\0\0\x01\0\0\0\0\0\0\0\x03\0\0\0\0\0\0\0".to_vec();
        file.extend([text("general.architecture"), 8u32.to_le_bytes().into(), text("llama")].concat());
        file.extend([text("llama.context_length"), 4u32.to_le_bytes().into()].concat());
        file.extend(2048u32.to_le_bytes());
        file.extend([text("words"), 9u32.to_le_bytes().into(), 8u32.to_le_bytes().into()].concat());
        file.extend([2u64.to_le_bytes().to_vec(), text("a"), text("b")].concat());
        file.extend([text("weights"), 1u32.to_le_bytes().into(), 8u64.to_le_bytes().into()].concat());
        file.extend([0u32.to_le_bytes().to_vec(), 0u64.to_le_bytes().to_vec(), vec![0; 64]].concat());
        file
    }

    fn read(bytes: &[u8]) -> Result<Header, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("m.gguf");
        std::fs::write(&path, bytes).unwrap();
        Header::read(&path)
    }

    #[test]
    fn a_sound_head_is_read() {
        let header = read(&sound()).unwrap();
        assert_eq!((header.architecture.as_str(), header.context_length), ("llama", 2048));
        assert!(!header.has_chat_template);
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
            // Neither a panic, nor memory by the gigabyte.
            let _ = read(&bytes);
        }
        assert!(read(b"<html>not found</html>").unwrap_err().contains("no GGUF"));
    }
}
