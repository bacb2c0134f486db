//! A BERT tokenizer: text to token ids, without the truncation and padding that its file may ask for.

use std::path::Path;

use tokenizers::Tokenizer;

/// Bytes of a `tokenizer.json` at most; one with a vocabulary of 250,000 has some 17 MB.
const MAX_BYTES: u64 = 64 << 20;

/// Text to token ids; the special tokens are added by the caller.
pub(crate) struct Tokens {
    tokenizer: Tokenizer,
    /// `[CLS]`.
    pub start: u32,
    /// `[SEP]`.
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
        let special = |name: &str| {
            tokenizer
                .token_to_id(name)
                .ok_or_else(|| line(&format!("has no token {name}, so it is not BERT's")))
        };
        let (start, end) = (special("[CLS]")?, special("[SEP]")?);
        Ok(Self { tokenizer, start, end })
    }

    /// The ids of `text`, without special tokens.
    pub(crate) fn ids(&self, text: &str) -> Result<Vec<u32>, String> {
        let encoding =
            self.tokenizer.encode_fast(text, false).map_err(|e| format!("the tokenizer failed: {e}"))?;
        Ok(encoding.get_ids().to_vec())
    }
}
