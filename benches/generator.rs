//! Plain timings of the generator: `cargo bench -p oriel-models --bench generator -- [THREADS]`.

#![expect(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::time::{Duration, Instant};

use anyhow::Context;
use oriel_core::{CancelToken, GenerationRequest, Generator, TextForm};
use oriel_models::{LlamaProcess, LlamaSettings, ModelDirs, Models, generator_program};
use serde_json::json;

#[path = "figures.rs"]
mod figures;

const MODEL: &str = "qwen2.5-coder-0.5b-instruct-q4_k_m";
const SYSTEM: &str = "Answer from the passages.";
const MAX_TOKENS: usize = 100;
/// Prompts per length; the median is reported.
const PROMPTS: usize = 3;

/// Times of one generation.
struct Timing {
    prompt_tokens: usize,
    first_token: Duration,
    tokens_per_second: f64,
}

fn main() -> anyhow::Result<()> {
    let threads = std::env::args().find_map(|argument| argument.parse().ok());
    let model = Models::new(ModelDirs::platform()?).find(MODEL)?;
    let path = model.weights_path().context("the model is not installed: run `make models`")?;
    let settings = LlamaSettings { threads, ..LlamaSettings::default() };
    let process = LlamaProcess::new(generator_program(None), path.clone(), MODEL, settings);
    let start = Instant::now();
    process.context_length(&CancelToken::new())?;
    println!("start and load {:.1?}", start.elapsed());

    let passage = "On day 7 the crew of the ketch wrote down wind, water and mood, and found a page damp. ";
    // The prompts share only the system prompt.
    let prompts = |starts: [&str; PROMPTS], passages: usize| {
        let passages = passage.repeat(passages);
        starts
            .map(|start| format!("{start}. {passages}Write a long story about this crew, with many details."))
    };
    // About 1,280 tokens and about 400.
    let lengths =
        [("long prompt", prompts(["A", "B", "C"], 52)), ("short prompt", prompts(["D", "E", "F"], 15))];
    if let Some(file) = figures::input("prompts.json") {
        let prompts: Vec<_> =
            lengths.iter().map(|(what, users)| json!({ "figure": what, "users": users })).collect();
        let input = json!({ "model": path, "system": SYSTEM, "max_tokens": MAX_TOKENS, "prompts": prompts });
        std::fs::write(file, input.to_string())?;
    }
    for (what, users) in &lengths {
        let mut timings = Vec::new();
        for user in users {
            timings.push(generation(&process, user)?);
        }
        let again = generation(&process, &users[PROMPTS - 1])?;
        timings.sort_by_key(|timing| timing.first_token);
        let Timing { prompt_tokens, first_token, .. } = timings[PROMPTS / 2];
        let first_token = first_token.as_secs_f64();
        let prompt_speed = prompt_tokens as f64 / first_token;
        timings.sort_by(|a, b| a.tokens_per_second.total_cmp(&b.tokens_per_second));
        let speed = timings[PROMPTS / 2].tokens_per_second;
        println!(
            "{what}: {prompt_tokens} tokens, {prompt_speed:.0} tokens/s, first token after {first_token:.2} s \
             (the same prompt again: {:.2} s), then {speed:.1} tokens/s",
            again.first_token.as_secs_f64()
        );
        figures::record("generator", &format!("{what}, first token"), first_token, "s", "less")?;
        figures::record("generator", &format!("{what}, prompt tokens"), prompt_speed, "1/s", "more")?;
        figures::record("generator", &format!("{what}, written tokens"), speed, "1/s", "more")?;
    }
    Ok(())
}

fn generation(process: &LlamaProcess, user: &str) -> anyhow::Result<Timing> {
    let request = GenerationRequest {
        system: SYSTEM.into(),
        user: user.into(),
        form: TextForm::Free,
        max_tokens: MAX_TOKENS,
        refusal: None,
    };
    let start = Instant::now();
    let mut first = None;
    let written = process.generate(
        &request,
        &mut |_| _ = first.get_or_insert_with(Instant::now),
        &CancelToken::new(),
    )?;
    let first = first.context("it wrote nothing")?;
    Ok(Timing {
        prompt_tokens: written.prompt_tokens,
        first_token: first - start,
        tokens_per_second: written.tokens.saturating_sub(1) as f64 / first.elapsed().as_secs_f64(),
    })
}
