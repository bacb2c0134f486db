//! Converts a request to tokens with the model's own chat template, and tokens to text.

use llama_cpp_2::model::LlamaModel;
use llama_cpp_2::token::LlamaToken;

use crate::chat_template::ChatTemplate;

/// The template for models that have none, but whose vocabulary has its tokens.
const CHATML: &str = "{% for m in messages %}{{ '<|im_start|>' + m.role + '\\n' + m.content + '<|im_end|>\\n' }}\
                      {% endfor %}{{ '<|im_start|>assistant\\n' }}";

/// How a model is prompted.
pub(crate) struct Template {
    template: Option<ChatTemplate>,
    /// The control tokens of the vocabulary as text.
    controls: Vec<String>,
    /// Why the model's own chat template is not used, in one line.
    notice: Option<String>,
}

impl Template {
    /// The model's template; otherwise ChatML if the vocabulary has its tokens; otherwise plain text.
    pub(crate) fn of(model: &LlamaModel) -> Self {
        let vocabulary = model.vocab();
        // For a token that is missing in the vocabulary llama.cpp would return a negative id, at which it aborts.
        let text = |token: LlamaToken| {
            let token = Some(token).filter(|token| token.0 >= 0)?;
            vocabulary.text(token)?.to_str().ok().map(str::to_owned)
        };
        let controls: Vec<String> = vocabulary
            .tokens()
            .filter(|token| vocabulary.is_control(*token))
            .filter_map(text)
            .filter(|text| text.chars().count() > 1)
            .collect();
        let parse = |source: &str| {
            let (bos, eos) = (text(vocabulary.bos()), text(vocabulary.eos()));
            ChatTemplate::new(source, bos.unwrap_or_default(), eos.unwrap_or_default())
        };
        let own = model.chat_template(None).ok().and_then(|template| template.to_string().ok());
        let (template, why) = match own.as_deref().map(parse) {
            Some(Ok(template)) => (Some(template), None),
            Some(Err(error)) => (None, Some(format!("its chat template does not render ({error})"))),
            None => (None, Some("it has no chat template".to_owned())),
        };
        let chatml = || {
            let known = controls.iter().any(|text| text == "<|im_start|>");
            if known { parse(CHATML).ok() } else { None }
        };
        let template = template.or_else(chatml);
        let form = if template.is_some() { "ChatML" } else { "plain text" };
        Self { template, controls, notice: why.map(|why| format!("{why}; it is asked in {form}")) }
    }

    /// Why the model's own chat template is not used; `None` if it is used.
    pub(crate) fn notice(&self) -> Option<&str> {
        self.notice.as_deref()
    }

    pub(crate) fn tokens(&self, model: &LlamaModel, system: &str, user: &str) -> Vec<LlamaToken> {
        let (system, user) = (self.harmless(system), self.harmless(user));
        let joined = self.join(&system, &user);
        let vocabulary = model.vocab();
        let mut tokens = vocabulary.tokenize(joined.as_bytes(), true, true);
        // Some templates write the begin token, which the tokenizer adds as well.
        let begin = vocabulary.bos();
        if tokens.len() > 1 && tokens[0] == begin && tokens[1] == begin {
            tokens.remove(0);
        }
        tokens
    }

    fn join(&self, system: &str, user: &str) -> String {
        let chat = self.template.as_ref().and_then(|template| template.render(system, user).ok());
        chat.unwrap_or_else(|| format!("{system}\n\n{user}\n\nAnswer:").trim_start().to_owned())
    }

    /// Breaks up everything that looks like a control token, so that a document cannot end its turn in the prompt.
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

/// Joins the bytes of tokens to whole characters.
#[derive(Default)]
pub(crate) struct Characters {
    /// The bytes of an incomplete character.
    waiting: Vec<u8>,
}

impl Characters {
    /// Returns the complete characters so far; replaces bytes that cannot become a character.
    pub(crate) fn push(&mut self, bytes: &[u8]) -> String {
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
