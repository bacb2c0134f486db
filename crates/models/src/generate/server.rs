//! A generator on a server that a person named: its model writes, Oriel retrieves, cites and checks as always.

use std::sync::{Mutex, OnceLock, PoisonError};

use oriel_core::{CancelToken, Finish, Generation, GenerationRequest, Generator, ModelError};

use super::written_text::WrittenText;
use crate::servers::Servers;

/// Bytes of a token where the server does not count. Few texts have so many tokens; too high an estimate costs passages,
/// too low a one costs the answer.
const BYTES_OF_TOKEN: usize = 3;
/// Tokens of a chat template around the two texts.
const TEMPLATE_TOKENS: usize = 32;

/// A model of a server.
pub struct ServerGenerator {
    servers: Servers,
    id: String,
    context_length: usize,
    /// Whether the server counts tokens; unknown before it was asked.
    counts: OnceLock<bool>,
    /// The last prompt that was counted, since it is counted again before it is answered.
    counted: Mutex<Option<(GenerationRequest, usize)>>,
}

impl ServerGenerator {
    /// The model called `id` of one of these servers, with so many tokens of context. Nothing is connected yet.
    pub(crate) fn new(servers: Servers, id: &str, context_length: usize) -> Self {
        Self {
            servers,
            id: id.to_owned(),
            context_length,
            counts: OnceLock::new(),
            counted: Mutex::default(),
        }
    }
}

impl Generator for ServerGenerator {
    fn id(&self) -> &str {
        &self.id
    }

    fn context_length(&self, _: &CancelToken) -> Result<usize, ModelError> {
        Ok(self.context_length)
    }

    fn prompt_tokens(&self, request: &GenerationRequest, cancel: &CancelToken) -> Result<usize, ModelError> {
        let mut last = self.counted.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, tokens)) = last.as_ref().filter(|(of, _)| of == request) {
            return Ok(*tokens);
        }
        let counted = match self.counts.get() {
            Some(false) => None,
            _ => self.servers.count(&self.id, request, cancel).map_err(died)?,
        };
        let _ = self.counts.set(counted.is_some());
        let tokens = counted.unwrap_or_else(|| estimated(request));
        *last = Some((request.clone(), tokens));
        Ok(tokens)
    }

    fn generate(
        &self,
        request: &GenerationRequest,
        piece: &mut dyn FnMut(&str),
        cancel: &CancelToken,
    ) -> Result<Generation, ModelError> {
        let cancelled = |tokens| Generation { prompt_tokens: 0, tokens, finish: Finish::Cancelled };
        let limit = self.context_length;
        if estimated(request) + request.max_tokens > limit {
            let tokens = match self.prompt_tokens(request, cancel) {
                Err(ModelError::Cancelled(_)) => return Ok(cancelled(0)),
                tokens => tokens?,
            };
            if tokens + request.max_tokens > limit {
                return Err(ModelError::TooLong { tokens, limit });
            }
        }
        let (mut text, mut pieces) = (WrittenText::new(request.passages), 0);
        let mut add = |received: &str| {
            pieces += 1;
            text.add(received, piece);
        };
        match self.servers.write(&self.id, request, &mut add, cancel) {
            Ok(written) => {
                text.end(piece);
                Ok(Generation {
                    prompt_tokens: written
                        .prompt_tokens
                        .map_or_else(|| estimated(request), |tokens| tokens as usize),
                    tokens: written.tokens.map_or(pieces, |tokens| tokens as usize),
                    finish: if written.is_complete { Finish::Stop } else { Finish::Length },
                })
            }
            Err(ModelError::Cancelled(_)) => {
                text.end(piece);
                Ok(cancelled(pieces))
            }
            Err(error) => Err(died(error)),
        }
    }
}

/// Whatever is wrong with a server, an answer can still be quoted.
fn died(error: ModelError) -> ModelError {
    match error {
        ModelError::Failed(notice) => ModelError::Died(notice),
        other => other,
    }
}

fn estimated(request: &GenerationRequest) -> usize {
    (request.system.len() + request.user.len()) / BYTES_OF_TOKEN + TEMPLATE_TOKENS
}
