//! The child's side: loads one model and answers requests.
//!
//! A thread reads the parent's frames, so that a cancellation is noticed while a token is computed. llama.cpp's log
//! goes to standard error; the parent keeps its last lines.

use std::io::{self, BufReader, Read, Write};
use std::num::NonZeroU32;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use crossbeam_channel::{Receiver, Sender, bounded};
use llama_cpp_2::context::LlamaContext;
use llama_cpp_2::context::params::LlamaContextParams;
use llama_cpp_2::llama_backend::LlamaBackend;
use llama_cpp_2::llama_batch::LlamaBatch;
use llama_cpp_2::model::params::LlamaModelParams;
use llama_cpp_2::model::{LlamaLoraAdapter, LlamaModel};
use llama_cpp_2::token::LlamaToken;
use oriel_core::{Notice, Refusal, TextForm};
use oriel_sandbox::Program;
use oriel_wire::generator::{self as frames, Ask, End, Reply, VERSION};

use crate::cards;
use crate::certainty::{Certainty, chance};
use crate::draft::{MAX_DRAFT, Pace, draft};
use crate::prompt::{Characters, Template};
use crate::sampler::Sampler;

/// Tokens of a prompt computed between two checks for cancellation.
const BATCH: usize = 256;

/// The device of a model that uses no graphics card.
const CPU: &str = "CPU";

/// Serves the parent at the other end of `input` and `output`. Ends the whole process when `input` ends, even in the
/// middle of a token, because the parent is gone then. Returns if the model cannot be loaded, after reporting that.
///
/// # Errors
/// If `output` cannot be written.
pub(crate) fn serve(input: impl Read + Send + 'static, mut output: impl Write) -> io::Result<()> {
    let failed = |output: &mut dyn Write, why: Notice| frames::write(output, &Reply::Failed { why });
    // A graphics card's driver listens on its own socket from its start and finds no card without it. So it starts with
    // llama.cpp, before sockets are refused and before anything is read.
    let backend = match LlamaBackend::init() {
        Ok(backend) => backend,
        Err(e) => return failed(&mut output, Notice::LlamaDoesNotStart { error: e.to_string() }),
    };
    if let Err(e) = oriel_sandbox::enter(Program::Generator) {
        return failed(&mut output, Notice::RunnerNotConfined { error: e.to_string() });
    }
    let cancelled = Arc::new(AtomicU64::new(0));
    let (sender, asks) = bounded(16);
    let seen = Arc::clone(&cancelled);
    std::thread::spawn(move || listen(input, &sender, &seen));
    let Ok(Ask::Load { version, path, adapter, threads, cpu, context_length, repeat_penalty }) = asks.recv()
    else {
        return failed(&mut output, Notice::text("the first request must be to load"));
    };
    if version != VERSION {
        return failed(&mut output, Notice::RunnerOfVersion { version: VERSION.to_owned() });
    }
    let loaded = load(&backend, Path::new(&path), threads, cpu, context_length);
    let (mut model, parameters, device) = match loaded {
        Ok(loaded) => loaded,
        Err(why) => return failed(&mut output, why),
    };
    let adapter = match adapter.map(|path| model.lora_adapter_init(path)).transpose() {
        Ok(adapter) => adapter,
        Err(e) => return failed(&mut output, Notice::text(e)),
    };
    let pads = device == CPU && parameters.n_threads() < parameters.n_threads_batch();
    let context = match model.new_context(&backend, parameters) {
        Ok(context) => context,
        Err(e) => return failed(&mut output, Notice::NoMemoryForContext { error: e.to_string() }),
    };
    let template = Template::of(&model);
    let notice = template.notice().map(str::to_owned);
    let context_length = context.n_ctx() as usize;
    frames::write(&mut output, &Reply::Loaded { context_length, device, notice })?;
    let session = Session {
        model: &model,
        context,
        template,
        seen: Vec::new(),
        adapter,
        is_adapted: false,
        repeat_penalty,
        // Such models cannot take back a wrong draft.
        can_draft: !model.is_recurrent() && !model.is_hybrid(),
        pads,
        pace: Pace::default(),
        cancelled: &cancelled,
    };
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
    // By default all layers are on the card, if there is one and the program supports it.
    let open = |cpu: bool| {
        let parameters = LlamaModelParams::default();
        let parameters =
            if cpu { parameters.with_n_gpu_layers(0).with_devices(&[]).ok()? } else { parameters };
        LlamaModel::load_from_file(backend, path, &parameters).ok()
    };
    let (model, cpu) = match open(cpu) {
        Some(model) => (model, cpu),
        // The card may not have enough memory for it.
        None if !cpu && backend.supports_gpu_offload() => (open(true).ok_or(Notice::LlamaCannotLoad)?, true),
        None => return Err(Notice::LlamaCannotLoad),
    };
    let length = context_length.min(model.n_ctx_train() as usize).max(1);
    let length = u32::try_from(length).map_err(|_| Notice::ContextTooLong)?;
    // A prompt is computed in large steps and uses all threads. A token is computed in hundreds of small steps, after
    // each of which all threads wait for the slowest, so one processor is left to other programs.
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
    let device = cards::first().filter(|_| !cpu).unwrap_or_else(|| CPU.to_owned());
    Ok((model, parameters, device))
}

struct Session<'a> {
    model: &'a LlamaModel,
    context: LlamaContext<'a>,
    template: Template,
    /// The tokens whose keys and values are in the context; the prefix that a new prompt shares with them is not
    /// computed again.
    seen: Vec<LlamaToken>,
    adapter: Option<LlamaLoraAdapter>,
    /// Whether the adapter is active; it was for the keys and values in the context.
    is_adapted: bool,
    repeat_penalty: f32,
    /// Whether a step may use a draft.
    can_draft: bool,
    /// Whether to use a draft that is probably wrong rather than none: llama.cpp uses fewer threads for a step of one
    /// token.
    pads: bool,
    pace: Pace,
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
                Ask::Generate { number, system, user, form, max_tokens, refusal } => {
                    let prompt = self.template.tokens(self.model, &system, &user);
                    match self.adapt(refusal.is_some()) {
                        Ok(()) => {
                            self.generate(number, &prompt, &form, max_tokens, refusal.as_ref(), output)?
                        }
                        Err(why) => Reply::Failed { why },
                    }
                }
                Ask::Load { .. } | Ask::Cancel { .. } => {
                    Reply::Failed { why: Notice::text("a request out of turn") }
                }
            };
            frames::write(output, &reply)?;
        }
        Ok(())
    }

    /// Activates or deactivates the adapter. Keys and values computed the other way are dropped.
    fn adapt(&mut self, wanted: bool) -> Result<(), Notice> {
        let Some(adapter) = self.adapter.as_mut().filter(|_| wanted != self.is_adapted) else {
            return Ok(());
        };
        match wanted {
            true => self.context.lora_adapter_set(adapter, 1.0).map_err(Notice::text)?,
            false => self.context.lora_adapter_remove(adapter).map_err(Notice::text)?,
        }
        self.is_adapted = wanted;
        self.forget_from(0);
        Ok(())
    }

    fn generate(
        &mut self,
        number: u64,
        prompt: &[LlamaToken],
        form: &TextForm,
        max_tokens: usize,
        refusal: Option<&Refusal>,
        output: &mut dyn Write,
    ) -> io::Result<Reply> {
        let limit = self.context.n_ctx() as usize;
        let wanted = prompt.len().saturating_add(max_tokens);
        if wanted > limit {
            return Ok(Reply::TooLong { tokens: wanted, limit });
        }
        let done = |tokens, refusal, certainties, finish| Reply::Done {
            prompt_tokens: prompt.len(),
            tokens,
            refusal,
            certainties,
            finish,
        };
        let Some(last) = prompt.len().checked_sub(1) else {
            return Ok(Reply::Failed { why: Notice::text("the prompt is empty") });
        };
        // The last token is computed again, because the answer starts from its logits.
        let shared = prompt[..last].iter().zip(&self.seen).take_while(|(a, b)| a == b).count();
        self.forget_from(shared);
        for part in prompt[self.seen.len()..].chunks(BATCH) {
            if self.is_cancelled(number) {
                return Ok(done(0, None, Vec::new(), End::Cancelled));
            }
            if let Err(why) = self.decode(part, 1) {
                return Ok(Reply::Failed { why });
            }
        }

        // The adapter was trained to repeat the passages' words.
        let penalty = if self.is_adapted { 1.0 } else { self.repeat_penalty };
        let mut sampler = match Sampler::new(self.model, penalty, form) {
            Ok(sampler) => sampler,
            Err(why) => return Ok(Reply::Failed { why }),
        };
        let mut characters = Characters::default();
        let vocabulary = self.model.vocab();
        // The draft in the last step, and how many of its tokens were right.
        let (mut drafted, mut right) = (Vec::new(), 0);
        let mut step = None;
        let (mut written, mut doubt) = (0, None);
        let mut certainty = Certainty::default();
        let finish = loop {
            if written == max_tokens {
                break End::Length;
            }
            if self.is_cancelled(number) {
                break End::Cancelled;
            }
            // The logits for the next token: those after the last right token of the step, or after the prompt.
            let place = if step.is_some() { right as i32 } else { -1 };
            let mut barred = None;
            if written == 0
                && let Some(refusal) = refusal
                && let Some(&first) = vocabulary.tokenize(refusal.text.as_bytes(), false, false).first()
            {
                let chance = chance(self.context.get_logits_ith(place), first);
                doubt = Some(chance);
                if chance >= refusal.from {
                    frames::write(output, &Reply::Piece { text: refusal.text.clone() })?;
                    break End::Stop;
                }
                barred = Some(first);
            }
            let token = sampler.next(&self.context, place, barred);
            if vocabulary.is_eog(token) {
                break End::Stop;
            }
            written += 1;
            let piece = vocabulary.token_to_piece(token, false, None);
            if refusal.is_some() {
                certainty.add(chance(self.context.get_logits_ith(place), token), &piece);
            }
            let text = characters.push(&piece);
            if !text.is_empty() {
                frames::write(output, &Reply::Piece { text })?;
            }
            if written == max_tokens {
                break End::Length;
            }
            if drafted.get(right) == Some(&token) {
                right += 1;
                continue;
            }
            if let Some(begun) = step.replace(Instant::now()) {
                let seconds = Instant::elapsed(&begun).as_secs_f32();
                self.pace.took(!drafted.is_empty(), seconds, right + 1);
            }
            if !self.forget_from(self.seen.len() - (drafted.len() - right)) {
                let error = "it cannot forget a draft".to_owned();
                return Ok(Reply::Failed { why: Notice::LlamaCannotCompute { error } });
            }
            drafted = self.next_draft(token, max_tokens - written);
            right = 0;
            if let Err(why) = self.decode(&[&[token], drafted.as_slice()].concat(), drafted.len() + 1) {
                return Ok(Reply::Failed { why });
            }
        };
        self.forget_from(self.seen.len() - (drafted.len() - right));
        Ok(done(written, doubt, certainty.means(), finish))
    }

    /// A draft of at most `most` tokens after `token`. Empty if a step without a draft is faster.
    fn next_draft(&mut self, token: LlamaToken, most: usize) -> Vec<LlamaToken> {
        if !self.can_draft || most == 0 || !self.pace.drafts() {
            return Vec::new();
        }
        self.seen.push(token);
        let found = draft(&self.seen, most.min(MAX_DRAFT)).to_vec();
        self.seen.pop();
        if found.is_empty() && self.pads { vec![token] } else { found }
    }

    fn is_cancelled(&self, number: u64) -> bool {
        self.cancelled.load(Ordering::Acquire) == number
    }

    /// Drops keys and values from position `from` on; drops all if the model cannot drop some. Returns whether the
    /// earlier ones are left.
    fn forget_from(&mut self, from: usize) -> bool {
        if from == self.seen.len() {
            return true;
        }
        let place = u32::try_from(from).ok();
        let is_kept = matches!(self.context.clear_kv_cache_seq(Some(0), place, None), Ok(true));
        if is_kept {
            self.seen.truncate(from);
        } else {
            self.context.clear_kv_cache();
            self.seen.clear();
        }
        is_kept
    }

    /// Computes `tokens` after the existing ones, with logits for the last `logits` of them.
    fn decode(&mut self, tokens: &[LlamaToken], logits: usize) -> Result<(), Notice> {
        let mut batch = LlamaBatch::new(tokens.len(), 1);
        for (n, token) in tokens.iter().enumerate() {
            let place = i32::try_from(self.seen.len() + n).map_err(Notice::text)?;
            batch.add(*token, place, &[0], n + logits >= tokens.len()).map_err(Notice::text)?;
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
