//! The child's side: loads one model and answers requests.
//!
//! A thread reads the parent's frames, so that a cancellation is noticed while a token is computed. llama.cpp's own log
//! goes to standard error; the parent keeps its last lines.

use std::io::{self, BufReader, Read, Write};
use std::num::NonZeroU32;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crossbeam_channel::{Receiver, Sender, bounded};
use llama_cpp_2::context::LlamaContext;
use llama_cpp_2::context::params::LlamaContextParams;
use llama_cpp_2::llama_backend::LlamaBackend;
use llama_cpp_2::llama_batch::LlamaBatch;
use llama_cpp_2::model::LlamaModel;
use llama_cpp_2::model::params::LlamaModelParams;
use llama_cpp_2::token::LlamaToken;
use llama_cpp_2::{LlamaBackendDevice, LlamaBackendDeviceType, list_llama_ggml_backend_devices};
use oriel_core::Notice;

use super::frames::{self, Ask, End, Reply};
use super::prompt::{Characters, Template};
use super::sampler::Sampler;
use super::sandbox;
use crate::gguf;

/// Tokens of a prompt computed between two checks for cancellation.
const BATCH: usize = 256;

/// Runs a generator for the parent at the other end of `input` and `output`. Ends the whole process when `input` ends,
/// even in the middle of a token: the parent is gone then. Returns if the model cannot be loaded, after reporting that.
///
/// # Errors
/// If `output` cannot be written.
pub fn serve(input: impl Read + Send + 'static, mut output: impl Write) -> io::Result<()> {
    let failed = |output: &mut dyn Write, why: Notice| frames::write(output, &Reply::Failed { why });
    // A graphics card's driver listens on its own socket from its start on and finds no card without it. So it starts
    // with llama.cpp, before sockets are refused and before anything is read.
    let backend = match LlamaBackend::init() {
        Ok(backend) => backend,
        Err(e) => return failed(&mut output, Notice::LlamaDoesNotStart { error: e.to_string() }),
    };
    if let Err(e) = sandbox::enter() {
        return failed(&mut output, Notice::RunnerNotConfined { error: e.to_string() });
    }
    let cancelled = Arc::new(AtomicU64::new(0));
    let (sender, asks) = bounded(16);
    let seen = Arc::clone(&cancelled);
    std::thread::spawn(move || listen(input, &sender, &seen));
    let Ok(Ask::Load { path, threads, cpu, context_length, repeat_penalty }) = asks.recv() else {
        return failed(&mut output, Notice::text("the first request must be to load"));
    };
    let loaded = load(&backend, Path::new(&path), threads, cpu, context_length);
    let (model, parameters, device) = match loaded {
        Ok(loaded) => loaded,
        Err(why) => return failed(&mut output, why),
    };
    let context = match model.new_context(&backend, parameters) {
        Ok(context) => context,
        Err(e) => return failed(&mut output, Notice::NoMemoryForContext { error: e.to_string() }),
    };
    let template = Template::of(&model);
    let notice = template.notice().map(str::to_owned);
    let context_length = context.n_ctx() as usize;
    frames::write(&mut output, &Reply::Loaded { context_length, device, notice })?;
    let session =
        Session { model: &model, context, template, seen: Vec::new(), repeat_penalty, cancelled: &cancelled };
    session.run(&asks, &mut output)
}

/// Forwards the parent's frames; ends the process when there are no more.
fn listen(input: impl Read, asks: &Sender<Ask>, cancelled: &AtomicU64) {
    let mut input = BufReader::new(input);
    loop {
        match frames::read(&mut input) {
            Ok(Some(Ask::Cancel { number })) => cancelled.store(number, Ordering::Release),
            Ok(Some(ask)) => {
                if asks.send(ask).is_err() {
                    return;
                }
            }
            Ok(None) => std::process::exit(0),
            Err(e) => {
                let _ = writeln!(io::stderr(), "error: the parent's frame cannot be read: {e}");
                std::process::exit(1)
            }
        }
    }
}

fn load(
    backend: &LlamaBackend,
    path: &Path,
    threads: usize,
    cpu: bool,
    context_length: usize,
) -> Result<(LlamaModel, LlamaContextParams, String), Notice> {
    gguf::Header::read(path)?;
    // By default all layers are on the card, if there is one and the program was built for it.
    let open = |cpu: bool| {
        let parameters = LlamaModelParams::default();
        let parameters =
            if cpu { parameters.with_n_gpu_layers(0).with_devices(&[]).ok()? } else { parameters };
        LlamaModel::load_from_file(backend, path, &parameters).ok()
    };
    let (model, cpu) = match open(cpu) {
        Some(model) => (model, cpu),
        // The card may lack room for it.
        None if !cpu && backend.supports_gpu_offload() => (open(true).ok_or(Notice::LlamaCannotLoad)?, true),
        None => return Err(Notice::LlamaCannotLoad),
    };
    let length = context_length.min(model.n_ctx_train() as usize).max(1);
    let length = u32::try_from(length).map_err(|_| Notice::ContextTooLong)?;
    // A prompt is computed in large steps and uses every thread; a token in hundreds of small ones, after each of which
    // all threads wait for the slowest, so one processor is left to other programs.
    let all = i32::try_from(threads).unwrap_or(1);
    let writing = (all - 1).max(1);
    let parameters = LlamaContextParams::default()
        .with_n_ctx(NonZeroU32::new(length))
        .with_n_batch(BATCH as u32)
        .with_n_ubatch(BATCH as u32)
        .with_n_threads(writing)
        .with_n_threads_batch(all)
        .with_offload_kqv(!cpu)
        .with_op_offload(!cpu);
    Ok((model, parameters, device(cpu)))
}

/// The model's device: the first graphics card's name, or `CPU`.
fn device(cpu: bool) -> String {
    let cards = |device: &LlamaBackendDevice| {
        matches!(device.device_type, LlamaBackendDeviceType::Gpu | LlamaBackendDeviceType::IntegratedGpu)
    };
    let card = list_llama_ggml_backend_devices().into_iter().find(cards).filter(|_| !cpu);
    card.map_or_else(|| "CPU".into(), |card| card.description)
}

struct Session<'a> {
    model: &'a LlamaModel,
    context: LlamaContext<'a>,
    template: Template,
    /// The tokens whose keys and values are in the context; a common prefix with a new prompt is not computed again.
    seen: Vec<LlamaToken>,
    repeat_penalty: f32,
    /// The number of the last cancelled generation.
    cancelled: &'a AtomicU64,
}

impl Session<'_> {
    fn run(mut self, asks: &Receiver<Ask>, output: &mut dyn Write) -> io::Result<()> {
        for ask in asks {
            let reply = match ask {
                Ask::Count { system, user } => {
                    Reply::Count { tokens: self.template.tokens(self.model, &system, &user).len() }
                }
                Ask::Generate { number, system, user, passages, max_tokens } => {
                    let prompt = self.template.tokens(self.model, &system, &user);
                    self.generate(number, &prompt, passages, max_tokens, output)?
                }
                Ask::Load { .. } | Ask::Cancel { .. } => {
                    Reply::Failed { why: Notice::text("a request out of turn") }
                }
            };
            frames::write(output, &reply)?;
        }
        Ok(())
    }

    fn generate(
        &mut self,
        number: u64,
        prompt: &[LlamaToken],
        passages: usize,
        max_tokens: usize,
        output: &mut dyn Write,
    ) -> io::Result<Reply> {
        let limit = self.context.n_ctx() as usize;
        let wanted = prompt.len().saturating_add(max_tokens);
        if wanted > limit {
            return Ok(Reply::TooLong { tokens: wanted, limit });
        }
        let done = |tokens, finish| Reply::Done { prompt_tokens: prompt.len(), tokens, finish };
        let Some(last) = prompt.len().checked_sub(1) else {
            return Ok(Reply::Failed { why: Notice::text("the prompt is empty") });
        };
        // Compute the last token again: the answer starts from its logits.
        let shared = prompt[..last].iter().zip(&self.seen).take_while(|(a, b)| a == b).count();
        self.forget_from(shared);
        for part in prompt[self.seen.len()..].chunks(BATCH) {
            if self.is_cancelled(number) {
                return Ok(done(0, End::Cancelled));
            }
            if let Err(why) = self.decode(part) {
                return Ok(Reply::Failed { why });
            }
        }

        let mut sampler = match Sampler::new(self.model, self.repeat_penalty, passages) {
            Ok(sampler) => sampler,
            Err(why) => return Ok(Reply::Failed { why }),
        };
        let mut characters = Characters::default();
        let vocabulary = self.model.vocab();
        for written in 0..max_tokens {
            if self.is_cancelled(number) {
                return Ok(done(written, End::Cancelled));
            }
            let token = sampler.next(&self.context);
            if vocabulary.is_eog(token) {
                return Ok(done(written, End::Stop));
            }
            let text = characters.push(&vocabulary.token_to_piece(token, false, None));
            if !text.is_empty() {
                frames::write(output, &Reply::Piece { text })?;
            }
            if let Err(why) = self.decode(&[token]) {
                return Ok(Reply::Failed { why });
            }
        }
        Ok(done(max_tokens, End::Length))
    }

    fn is_cancelled(&self, number: u64) -> bool {
        self.cancelled.load(Ordering::Acquire) == number
    }

    /// Drops keys and values from position `from` on, or all if the model cannot drop some.
    fn forget_from(&mut self, from: usize) {
        let place = u32::try_from(from).ok();
        if matches!(self.context.clear_kv_cache_seq(Some(0), place, None), Ok(true)) {
            self.seen.truncate(from);
        } else {
            self.context.clear_kv_cache();
            self.seen.clear();
        }
    }

    /// Computes `tokens` after the existing ones, with logits for the last.
    fn decode(&mut self, tokens: &[LlamaToken]) -> Result<(), Notice> {
        let mut batch = LlamaBatch::new(tokens.len(), 1);
        for (n, token) in tokens.iter().enumerate() {
            let place = i32::try_from(self.seen.len() + n).map_err(Notice::text)?;
            batch.add(*token, place, &[0], n + 1 == tokens.len()).map_err(Notice::text)?;
        }
        match self.context.decode(&mut batch) {
            Ok(()) => {
                self.seen.extend_from_slice(tokens);
                Ok(())
            }
            Err(e) => {
                self.context.clear_kv_cache();
                self.seen.clear();
                Err(Notice::LlamaCannotCompute { error: e.to_string() })
            }
        }
    }
}
