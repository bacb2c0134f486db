//! Plain timings of the generator: `cargo bench -p oriel-models --bench generator -- [THREADS]`.

#![expect(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::time::Instant;

use anyhow::Context;
use oriel_core::{CancelToken, GenerationRequest, Generator};
use oriel_models::{LlamaProcess, LlamaSettings, ModelDirs, Models, WorkerCommand, generate};

const MODEL: &str = "qwen2.5-coder-0.5b-instruct-q4_k_m";

fn main() -> anyhow::Result<()> {
    if std::env::args().nth(1).as_deref() == Some("worker") {
        return Ok(generate::serve(std::io::stdin(), std::io::stdout())?);
    }
    let threads = std::env::args().find_map(|argument| argument.parse().ok());
    let worker = WorkerCommand::new(std::env::current_exe()?, ["worker"]);
    let model = Models::new(ModelDirs::platform()?).find(MODEL)?;
    let path = model.weights_path().context("the model is not installed: run `make models`")?;
    let settings = LlamaSettings { threads, ..LlamaSettings::default() };
    let process = LlamaProcess::new(worker, path, MODEL, settings);
    let start = Instant::now();
    process.context_length(&CancelToken::new())?;
    println!("start and load {:.1?}", start.elapsed());

    let passage = "On day 7 the crew of the ketch wrote down wind, water and mood, and found a page damp. ";
    let ask = |start: &str| GenerationRequest {
        system: "Answer from the passages.".into(),
        user: format!("{start}{}What did the crew write down? Tell everything.", passage.repeat(52)),
        passages: 0,
        max_tokens: 100,
    };
    for (what, request) in [("new prompt", ask("A. ")), ("another", ask("B. ")), ("the same", ask("B. "))] {
        let start = Instant::now();
        let mut first = None;
        let written = process.generate(
            &request,
            &mut |_| _ = first.get_or_insert_with(Instant::now),
            &CancelToken::new(),
        )?;
        let first = first.context("it wrote nothing")?;
        println!(
            "{what}: {} tokens, first token after {:.0?}, then {:.0} tokens/s",
            written.prompt_tokens,
            first - start,
            written.tokens.saturating_sub(1) as f64 / first.elapsed().as_secs_f64()
        );
    }
    Ok(())
}
