//! A request to tokens, through the model's own chat template, and tokens to text.

use llama_cpp_2::model::{LlamaChatMessage, LlamaChatTemplate, LlamaModel};
use llama_cpp_2::token::LlamaToken;

/// How a model wants to be spoken to.
pub(super) struct Template {
    template: Option<LlamaChatTemplate>,
    /// What the vocabulary's control tokens look like as text.
    controls: Vec<String>,
}

impl Template {
    /// The model's template; `ChatML` where it has none but knows its tokens; else plain text.
    pub(super) fn of(model: &LlamaModel) -> Self {
        let vocabulary = model.vocab();
        let controls: Vec<String> = vocabulary
            .tokens()
            .filter(|token| vocabulary.is_control(*token))
            .filter_map(|token| vocabulary.text(token)?.to_str().ok().map(str::to_owned))
            .filter(|text| text.chars().count() > 1)
            .collect();
        let chatml = || {
            let known = controls.iter().any(|text| text == "<|im_start|>");
            if known { LlamaChatTemplate::new("chatml").ok() } else { None }
        };
        let usable = |template: &LlamaChatTemplate| {
            model.apply_chat_template(template, &[message("user", "x")?], true).ok()
        };
        let own = model.chat_template(None).ok().filter(|template| usable(template).is_some());
        Self { template: own.or_else(chatml), controls }
    }

    /// The tokens of the prompt.
    pub(super) fn tokens(&self, model: &LlamaModel, system: &str, user: &str) -> Vec<LlamaToken> {
        let (system, user) = (self.harmless(system), self.harmless(user));
        let joined = self.join(model, &system, &user);
        let vocabulary = model.vocab();
        let mut tokens = vocabulary.tokenize(joined.as_bytes(), true, true);
        // Some templates write the token of beginning that the tokenizer adds as well.
        let begin = vocabulary.bos();
        if tokens.len() > 1 && tokens[0] == begin && tokens[1] == begin {
            tokens.remove(0);
        }
        tokens
    }

    fn join(&self, model: &LlamaModel, system: &str, user: &str) -> String {
        let chat = || {
            let template = self.template.as_ref()?;
            let mut messages = Vec::new();
            if !system.is_empty() {
                messages.push(message("system", system)?);
            }
            messages.push(message("user", user)?);
            model.apply_chat_template(template, &messages, true).ok()
        };
        chat().unwrap_or_else(|| format!("{system}\n\n{user}\n\nAnswer:").trim_start().to_owned())
    }

    /// The text with what looks like a control token broken up: a document must not be able to end its own turn.
    fn harmless(&self, text: &str) -> String {
        let mut text = text.replace('\0', " ");
        for control in &self.controls {
            if text.contains(control.as_str()) {
                let mut broken = control.clone();
                broken.insert(control.chars().next().map_or(0, char::len_utf8), ' ');
                text = text.replace(control.as_str(), &broken);
            }
        }
        text
    }
}

fn message(role: &str, text: &str) -> Option<LlamaChatMessage> {
    LlamaChatMessage::new(role.to_owned(), text.to_owned()).ok()
}

/// Puts the bytes of tokens together to whole characters.
#[derive(Default)]
pub(super) struct Characters {
    /// The start of a character whose end has not come yet.
    waiting: Vec<u8>,
}

impl Characters {
    /// The text that is complete now; bytes that can never become a character are replaced.
    pub(super) fn push(&mut self, bytes: &[u8]) -> String {
        self.waiting.extend_from_slice(bytes);
        let mut text = String::new();
        loop {
            match std::str::from_utf8(&self.waiting) {
                Ok(rest) => {
                    text.push_str(rest);
                    self.waiting.clear();
                    return text;
                }
                Err(e) => {
                    let (whole, rest) = self.waiting.split_at(e.valid_up_to());
                    text.push_str(&String::from_utf8_lossy(whole));
                    let Some(bad) = e.error_len() else {
                        self.waiting = rest.to_vec();
                        return text;
                    };
                    text.push(char::REPLACEMENT_CHARACTER);
                    self.waiting = rest[bad..].to_vec();
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_come_whole_however_their_bytes_are_cut() {
        let text = "a\u{e9}\u{20ac}\u{1F989}z";
        for size in 1..=4 {
            let mut characters = Characters::default();
            let pieces: Vec<String> = text.as_bytes().chunks(size).map(|b| characters.push(b)).collect();
            assert_eq!(pieces.concat(), text);
        }
        let mut characters = Characters::default();
        assert_eq!(characters.push(b"a\xff"), "a\u{fffd}");
        assert_eq!(characters.push(b"\xf0\x9f"), "");
        assert_eq!(characters.push(b"!"), "\u{fffd}!");
    }
}
