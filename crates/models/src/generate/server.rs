//! A generator on a server that the user connected. The server's model writes; Oriel retrieves, cites and checks as
//! always.

use oriel_core::{
    CancelToken, Finish, Generation, GenerationRequest, Generator, ModelError, Notice, TextForm,
};

use super::written_text::WrittenText;
use crate::servers::Servers;

/// Bytes per token of plain English; other characters count as one token each. This is an estimate: servers count
/// differently or not at all, and asking would send every prompt twice.
const BYTES_OF_TOKEN: usize = 4;
/// Tokens that a chat template adds around the two texts.
const TEMPLATE_TOKENS: usize = 32;

/// A model on a server.
pub struct ServerGenerator {
    servers: Servers,
    id: String,
    context_length: usize,
}

impl ServerGenerator {
    /// The model `id` on one of these servers, with this context length. Nothing is connected yet.
    pub(crate) fn new(servers: Servers, id: &str, context_length: usize) -> Self {
        Self { servers, id: id.to_owned(), context_length }
    }
}

impl Generator for ServerGenerator {
    fn id(&self) -> &str {
        &self.id
    }

    fn context_length(&self, _: &CancelToken) -> Result<usize, ModelError> {
        Ok(self.context_length)
    }

    /// An estimate; nothing is sent to the server.
    fn prompt_tokens(&self, request: &GenerationRequest, _: &CancelToken) -> Result<usize, ModelError> {
        let of = |text: &str| {
            let ascii = text.bytes().filter(u8::is_ascii).count();
            ascii.div_ceil(BYTES_OF_TOKEN) + text.chars().filter(|c| !c.is_ascii()).count()
        };
        Ok(of(&request.system) + of(&request.user) + TEMPLATE_TOKENS)
    }

    fn generate(
        &self,
        request: &GenerationRequest,
        piece: &mut dyn FnMut(&str),
        cancel: &CancelToken,
    ) -> Result<Generation, ModelError> {
        let (prompt_tokens, limit) = (self.prompt_tokens(request, cancel)?, self.context_length);
        if prompt_tokens + request.max_tokens > limit {
            return Err(ModelError::TooLong { tokens: prompt_tokens, limit });
        }
        let sent = GenerationRequest {
            system: without_control_tokens(&request.system),
            user: without_control_tokens(&request.user),
            form: request.form.clone(),
            max_tokens: request.max_tokens,
            refusal: None,
        };
        let passages = match request.form {
            TextForm::Citing(passages) => passages,
            TextForm::Free | TextForm::Grammar(_) => 0,
        };
        let (mut text, mut pieces, mut is_empty) = (WrittenText::new(passages), 0, true);
        let mut give = |written: &str| {
            is_empty &= written.trim().is_empty();
            piece(written);
        };
        let mut add = |received: &str| {
            pieces += 1;
            text.add(received, &mut give);
        };
        let written = self.servers.write(&self.id, &sent, &mut add, cancel);
        if matches!(written, Ok(_) | Err(ModelError::Cancelled(_))) {
            text.end(&mut give);
        }
        match written {
            // All tokens went into reasoning. That does not mean that the documents have no answer.
            Ok(_) if is_empty => Err(ModelError::Died(Notice::ModelWroteNothing { id: self.id.clone() })),
            Ok(written) => Ok(Generation {
                prompt_tokens: written.prompt_tokens.map_or(prompt_tokens, |tokens| tokens as usize),
                tokens: written.tokens.map_or(pieces, |tokens| tokens as usize),
                refusal: None,
                certainties: Vec::new(),
                finish: if written.is_complete { Finish::Stop } else { Finish::Length },
            }),
            Err(ModelError::Cancelled(_)) => Ok(Generation {
                prompt_tokens,
                tokens: pieces,
                refusal: None,
                certainties: Vec::new(),
                finish: Finish::Cancelled,
            }),
            // Whatever is wrong with a server, Oriel can still quote an answer.
            Err(ModelError::Failed(notice)) => Err(ModelError::Died(notice)),
            Err(error) => Err(error),
        }
    }
}

/// Breaks up the control tokens that common chat templates use, since the server's own are unknown. A document must not
/// be able to end its turn in the prompt.
fn without_control_tokens(text: &str) -> String {
    const BEGINNINGS: [&str; 8] = ["<|", "<start_of_", "<end_of_", "[INST", "[/INST", "<s>", "</s>", "<｜"];
    let mut text = text.replace('\0', " ");
    for beginning in BEGINNINGS.iter().filter(|beginning| text.contains(**beginning)).collect::<Vec<_>>() {
        let (first, rest) = beginning.split_at(1);
        text = text.replace(beginning, &format!("{first} {rest}"));
    }
    text
}
