//! Turns text into token ids, without the truncation and padding that a tokenizer's file may request.

use std::path::Path;

use tokenizers::{EncodeInput, Tokenizer};

/// Maximum bytes of a `tokenizer.json`; one with a vocabulary of 250,000 has some 17 MB.
const MAX_BYTES: u64 = 64 << 20;
/// Names of the start and end tokens, for files that do not add them.
const SPECIAL: [(&str, &str); 2] = [("[CLS]", "[SEP]"), ("<s>", "</s>")];

/// The token ids of a text, and the byte range of each.
pub(crate) type PlacedTokens = (Vec<u32>, Vec<(usize, usize)>);

/// Converts text to token ids; the caller adds the special tokens.
pub(crate) struct Tokens {
    tokenizer: Tokenizer,
    /// `[CLS]`, or `<s>`.
    pub start: u32,
    /// Between the texts of a pair: `[SEP]`, or `</s></s>`.
    pub between: Vec<u32>,
    /// `[SEP]`, or `</s>`.
    pub end: u32,
}

impl Tokens {
    /// Reads a `tokenizer.json`; an error is one line that names the file.
    pub(crate) fn load(path: &Path) -> Result<Self, String> {
        let line = |what: &dyn std::fmt::Display| format!("{}: {what}", path.display());
        if path.metadata().map_err(|e| line(&e))?.len() > MAX_BYTES {
            return Err(line(&"is too large for a tokenizer"));
        }
        let mut tokenizer =
            Tokenizer::from_file(path).map_err(|e| line(&format!("is no tokenizer ({e})")))?;
        tokenizer.with_padding(None);
        tokenizer.with_truncation(None).map_err(|e| line(&e))?;
        let template = special(&tokenizer, "").zip(special(&tokenizer, ("", "")));
        if let Some((single, pair)) = template
            && let ([start, end], [first, between @ .., last]) = (single.as_slice(), pair.as_slice())
            && (start, end) == (first, last)
            && !between.is_empty()
        {
            let (start, between, end) = (*start, between.to_vec(), *end);
            return Ok(Self { tokenizer, start, between, end });
        }
        for (start, end) in SPECIAL {
            if let Some((start, end)) = tokenizer.token_to_id(start).zip(tokenizer.token_to_id(end)) {
                return Ok(Self { tokenizer, start, between: vec![end], end });
            }
        }
        Err(line(&"names no tokens for the start and the end of a text"))
    }

    /// The ids of `text`, without special tokens.
    pub(crate) fn ids(&self, text: &str) -> Result<Vec<u32>, String> {
        let encoding = self.tokenizer.encode_fast(text, false).map_err(|e| failed(&e))?;
        Ok(encoding.get_ids().to_vec())
    }

    /// The ids of `text` without special tokens, each with its byte range in `text`.
    pub(crate) fn ids_and_places(&self, text: &str) -> Result<PlacedTokens, String> {
        let encoding = self.tokenizer.encode(text, false).map_err(|e| failed(&e))?;
        Ok((encoding.get_ids().to_vec(), encoding.get_offsets().to_vec()))
    }

    /// The number of special tokens in a pair.
    pub(crate) fn special_of_pair(&self) -> usize {
        2 + self.between.len()
    }

    /// The tokens of a pair, and where its second text starts.
    pub(crate) fn pair(&self, first: &[u32], second: &[u32]) -> (Vec<u32>, usize) {
        let mut pair = Vec::with_capacity(first.len() + second.len() + self.special_of_pair());
        pair.push(self.start);
        pair.extend_from_slice(first);
        pair.extend_from_slice(&self.between);
        let at = pair.len();
        pair.extend_from_slice(second);
        pair.push(self.end);
        (pair, at)
    }
}

/// The special tokens that the file adds to an empty text or pair.
fn special<'a>(tokenizer: &Tokenizer, input: impl Into<EncodeInput<'a>>) -> Option<Vec<u32>> {
    let encoding = tokenizer.encode(input, true).ok()?;
    let ids = encoding.get_ids().iter().zip(encoding.get_special_tokens_mask());
    Some(ids.filter(|(_, special)| **special == 1).map(|(id, _)| *id).collect())
}

fn failed(error: &dyn std::fmt::Display) -> String {
    format!("the tokenizer failed: {error}")
}
