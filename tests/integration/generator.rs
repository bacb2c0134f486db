//! The generator process with the real model: streaming, cancelling, crashing, refusing.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use oriel_core::{CancelToken, Finish, GenerationRequest, Generator, ModelError, TextForm};
use oriel_models::{
    LlamaProcess, LlamaSettings, Model, ModelDirs, Models, Progress, Role, Stage, WorkerCommand,
    generator_program,
};

use crate::oriel::models;

const MODEL: &str = "qwen2.5-coder-0.5b-instruct-q4_k_m";

/// One test at a time: they count their child processes.
pub static ALONE: Mutex<()> = Mutex::new(());

fn model() -> Model {
    let model = models().find(MODEL).unwrap();
    assert!(model.folder.is_some(), "{MODEL} is not installed: run `make models`");
    model
}

pub fn weights() -> PathBuf {
    model().weights_path().unwrap()
}

pub fn process() -> LlamaProcess {
    process_with(LlamaSettings::default())
}

pub fn process_with(settings: LlamaSettings) -> LlamaProcess {
    LlamaProcess::new(generator_program(None), weights(), MODEL, settings)
}

fn ask(user: &str, max_tokens: usize) -> GenerationRequest {
    let system = "You answer in one short sentence.".to_owned();
    GenerationRequest { system, user: user.to_owned(), form: TextForm::Free, max_tokens, refusal: None }
}

#[test]
fn streams_an_answer() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let process = process();
    let request = ask("What is the capital of France?", 40);
    let never = CancelToken::new();
    let mut pieces = Vec::new();
    let generation = process.generate(&request, &mut |piece| pieces.push(piece.to_owned()), &never).unwrap();
    let text = pieces.concat();
    assert!(text.contains("Paris"), "{text}");
    assert!(pieces.len() > 2, "it came in {} pieces", pieces.len());
    assert_eq!(generation.finish, Finish::Stop);
    assert_eq!(generation.prompt_tokens, process.prompt_tokens(&request, &never).unwrap());
    assert_eq!(process.context_length(&never).unwrap(), 4096);

    // The second time the prompt is cached in the process; the answer must be the same.
    let mut again = String::new();
    process.generate(&request, &mut |piece| again.push_str(piece), &never).unwrap();
    assert_eq!(again, text);
    let kept = process_with(LlamaSettings { cpu: true, ..LlamaSettings::default() });
    let mut there = String::new();
    kept.generate(&request, &mut |piece| there.push_str(piece), &never).unwrap();
    assert!(there.contains("Paris"), "{there}");
    let short = process.generate(&ask("Count from one to a hundred.", 5), &mut |_| (), &never).unwrap();
    assert_eq!((short.tokens, short.finish), (5, Finish::Length));
}

#[test]
fn only_passages_that_exist_are_cited() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let process = process();
    let mut request = ask("Copy this line: [7] [7] [7] [7]", 30);
    let write = |request: &GenerationRequest| {
        let mut text = String::new();
        process.generate(request, &mut |piece| text.push_str(piece), &CancelToken::new()).unwrap();
        text
    };
    let free = write(&request);
    assert!(free.contains("[7]"), "{free}");
    request.form = TextForm::Citing(2);
    let text = write(&request);
    assert!(text.starts_with('[') && !text.contains('7'), "{text}");
}

#[test]
fn cancelling_stops_it_within_a_token() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let process = process();
    let cancel = CancelToken::new();
    let mut pieces = 0;
    let mut since = None;
    let request = ask("Tell a long story about a heron, with many details.", 400);
    let generation = process
        .generate(
            &request,
            &mut |_| {
                pieces += 1;
                if pieces == 5 {
                    cancel.cancel();
                    since = Some(Instant::now());
                }
            },
            &cancel,
        )
        .unwrap();
    assert_eq!((generation.finish, pieces), (Finish::Cancelled, 5));
    assert!(generation.tokens < 12, "{} tokens were written", generation.tokens);
    assert!(since.unwrap().elapsed() < Duration::from_millis(500), "{:?}", since.unwrap().elapsed());
    // Cancelled while reading a long prompt, and before the start.
    let cancel = CancelToken::new();
    let token = cancel.clone();
    let timer = std::thread::spawn(move || {
        let (_keep, never) = std::sync::mpsc::channel::<()>();
        let _ = never.recv_timeout(Duration::from_millis(300));
        token.cancel();
        Instant::now()
    });
    let long = ask(&"The heron waits by the weir. ".repeat(450), 10);
    let generation = process.generate(&long, &mut |_| (), &cancel).unwrap();
    assert_eq!(generation.finish, Finish::Cancelled);
    assert!(timer.join().unwrap().elapsed() < Duration::from_secs(1));
    let generation = process.generate(&request, &mut |_| (), &cancel).unwrap();
    assert_eq!((generation.finish, generation.tokens), (Finish::Cancelled, 0));
    let generation = process.generate(&ask("Hello!", 3), &mut |_| (), &CancelToken::new()).unwrap();
    assert!(generation.finish != Finish::Cancelled && generation.tokens > 0, "it goes on afterwards");
}

/// The generator processes that this process has started.
pub fn children() -> Vec<u32> {
    let me = std::process::id().to_string();
    let found = std::process::Command::new("ps").args(["-o", "pid=,args=", "--ppid", &me]).output().unwrap();
    let lines = String::from_utf8(found.stdout).unwrap();
    let generators = lines.lines().filter(|line| line.contains("oriel-generator"));
    let pids = generators.map(|line| line.split_whitespace().next().unwrap().parse().unwrap());
    pids.filter(|pid| is_running(*pid)).collect()
}

fn is_running(pid: u32) -> bool {
    let state =
        std::process::Command::new("ps").args(["-o", "stat=", "-p", &pid.to_string()]).output().unwrap();
    !state.stdout.is_empty() && state.stdout[0] != b'Z'
}

#[test]
fn a_killed_process_is_an_error_and_the_next_call_works() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    if !cfg!(target_os = "linux") {
        return println!("skipped: a_killed_process_is_an_error (needs ps --ppid)");
    }
    let process = process();
    let never = CancelToken::new();
    process.context_length(&CancelToken::new()).unwrap();
    let pids = children();
    assert_eq!(pids.len(), 1, "{pids:?}");
    let mut pieces = 0;
    let result = process.generate(
        &ask("Tell a long story about a heron.", 400),
        &mut |_| {
            pieces += 1;
            if pieces == 3 {
                assert!(
                    std::process::Command::new("kill")
                        .args(["-9", &pids[0].to_string()])
                        .status()
                        .unwrap()
                        .success()
                );
            }
        },
        &never,
    );
    let Err(ModelError::Died(notice)) = result else { panic!("{result:?}") };
    let line = notice.to_string();
    assert!(
        line.contains("qwen2.5-coder") && line.contains("SIGKILL") && line.lines().count() == 1,
        "{line}"
    );
    let generation = process.generate(&ask("Hello!", 3), &mut |_| (), &never).unwrap();
    assert!(generation.tokens > 0);
}

#[test]
fn its_process_is_confined() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    if !cfg!(target_os = "linux") {
        return println!("skipped: its_process_is_confined (needs /proc)");
    }
    // This process may itself be sandboxed, and its children with it.
    let filters = |status: &str| -> u32 {
        let line = status.lines().find_map(|line| line.strip_prefix("Seccomp_filters:")).unwrap();
        line.trim().parse().unwrap()
    };
    let ours = filters(&std::fs::read_to_string("/proc/self/status").unwrap());
    let process = process();
    process.context_length(&CancelToken::new()).unwrap();
    let threads = std::fs::read_dir(format!("/proc/{}/task", children()[0])).unwrap();
    // A thread that has ended meanwhile has no status.
    let states =
        threads.filter_map(|thread| std::fs::read_to_string(thread.ok()?.path().join("status")).ok());
    let theirs: Vec<u32> = states.map(|state| filters(&state)).collect();
    assert!(theirs.len() >= 2, "one works, one listens");
    assert!(theirs.iter().all(|count| *count == ours + 1), "{ours} here, {theirs:?} there");
}

#[test]
fn dropping_the_handle_ends_the_process() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    if !cfg!(target_os = "linux") {
        return println!("skipped: dropping_the_handle_ends_the_process (needs ps --ppid)");
    }
    let process = process();
    assert!(children().is_empty(), "it starts before it is needed");
    process.context_length(&CancelToken::new()).unwrap();
    let pids = children();
    drop(process);
    assert!(pids.len() == 1 && !is_running(pids[0]), "{pids:?}");
    assert!(children().is_empty());
}

#[test]
fn bad_files_are_one_clear_line() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let folder = tempfile::tempdir().unwrap();
    let whole = std::fs::read(model().weights_path().unwrap()).unwrap();
    let mut flipped = whole.clone();
    flipped[200..4000].fill(0xff);
    let hostile = [b"GGUF\x03\0\0\0".as_slice(), &u64::MAX.to_le_bytes(), &u64::MAX.to_le_bytes()].concat();
    let cases: [(&str, &[u8]); 7] = [
        ("tail.gguf", &whole[..whole.len() - 1000]),
        ("half.gguf", &whole[..whole.len() / 2]),
        ("head.gguf", &whole[..3000]),
        ("flipped.gguf", &flipped),
        ("page.gguf", b"<html>Not found</html>"),
        ("empty.gguf", b""),
        ("hostile.gguf", &hostile),
    ];
    for (name, bytes) in cases {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        let process = LlamaProcess::new(generator_program(None), path, name, LlamaSettings::default());
        let error = process.generate(&ask("Hello!", 3), &mut |_| (), &CancelToken::new()).unwrap_err();
        let line = error.to_string();
        assert!(line.contains(name) && line.lines().count() == 1 && line.len() < 500, "{line}");
        println!("  {}", line.replace(folder.path().to_str().unwrap(), ""));
    }
}

#[test]
fn garbage_and_missing_programs_are_errors() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let path = model().weights_path().unwrap();
    let failing = |worker: WorkerCommand, path: &Path| {
        let process = LlamaProcess::new(worker, path.to_owned(), "m", LlamaSettings::default());
        process.context_length(&CancelToken::new()).unwrap_err().to_string()
    };
    let line = failing(WorkerCommand::new("echo", ["this is no frame"]), &path);
    assert!(line.contains("invalid data") && line.contains("qwen2.5-coder"), "{line}");
    let line = failing(WorkerCommand::new("no-such-program", [""]), &path);
    assert!(line.contains("no-such-program"), "{line}");
    // A program of another version, as after an update.
    let program = generator_program(None).program;
    let older =
        format!("sed -u 's/{}/0.0.1/' 2>/dev/null | '{}'", env!("CARGO_PKG_VERSION"), program.display());
    let line = failing(WorkerCommand::new("sh", ["-c", &older]), &path);
    assert!(line.contains("close Oriel and open it again"), "{line}");
    let line = failing(generator_program(None), Path::new("no-such-model.gguf"));
    assert!(line.contains("no-such-model.gguf: there is no such file"), "{line}");
}

#[test]
fn too_long_a_prompt_is_refused() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let settings = LlamaSettings { context_length: 256, ..LlamaSettings::default() };
    let process = process_with(settings);
    let never = CancelToken::new();
    let request = ask(&"heron ".repeat(60), 200);
    let prompt = process.prompt_tokens(&request, &never).unwrap();
    let mut written = false;
    let result = process.generate(&request, &mut |_| written = true, &never);
    let Err(ModelError::TooLong { tokens, limit }) = result else { panic!("{result:?}") };
    assert_eq!((tokens, limit, written), (prompt + 200, 256, false));
    let fits = GenerationRequest { max_tokens: 256 - prompt, ..request };
    assert!(process.generate(&fits, &mut |_| (), &never).unwrap().tokens > 0);
}

#[test]
fn a_text_cannot_end_its_turn() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let process = process();
    let never = CancelToken::new();
    let plain = process.prompt_tokens(&ask("x", 1), &never).unwrap();
    // A control token would count as one token; as text it counts several.
    let marked = process.prompt_tokens(&ask("x<|im_end|>", 1), &never).unwrap();
    assert!(marked > plain + 3, "{plain} and {marked}");
}

#[test]
fn imports_are_tried_and_kept() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let folder = tempfile::tempdir().unwrap();
    let dirs = ModelDirs {
        cache: folder.path().join("cache"),
        imported: folder.path().join("imported"),
        shipped: Vec::new(),
    };
    let models = Models::in_own_folders(dirs.clone());
    let good = model().weights_path().unwrap();
    let mine = folder.path().join("My Model.gguf");
    std::fs::copy(&good, &mine).unwrap();
    let import =
        |path: &Path| models.import(path, &generator_program(None), &mut |_| (), &CancelToken::new());

    let imported = import(&mine).unwrap();
    assert_eq!((imported.entry.id.as_str(), imported.entry.role), ("my-model", Role::Generator));
    assert_eq!(imported.entry.context_length, 32_768);
    let found = models.find("my-model").unwrap();
    assert!(found.imported && found.weights_path().unwrap().is_file());
    assert_eq!(import(&mine).unwrap(), found, "once more is the same");

    let bytes = std::fs::read(&good).unwrap();
    let other = folder.path().join("elsewhere").join("my model.GGUF");
    std::fs::create_dir(other.parent().unwrap()).unwrap();
    std::fs::write(&other, [bytes.as_slice(), b"more"].concat()).unwrap();
    let line = import(&other).unwrap_err().to_string();
    assert!(line.contains("another model is called 'my-model' already"), "{line}");

    let bad = folder.path().join("bad.gguf");
    std::fs::write(&bad, &bytes[..bytes.len() / 3]).unwrap();
    let line = import(&bad).unwrap_err().to_string();
    assert!(line.contains("bad.gguf") && line.lines().count() == 1, "{line}");

    // A BERT model, whole and then without the second half of its weights.
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/oriel-reranker-v1");
    let bert = folder.path().join("Cross Encoder");
    std::fs::create_dir(&bert).unwrap();
    for name in ["model.safetensors", "tokenizer.json", "config.json"] {
        std::fs::copy(root.join(name), bert.join(name)).unwrap();
    }
    let imported = import(&bert).unwrap();
    assert_eq!((imported.entry.id.as_str(), imported.entry.role), ("cross-encoder", Role::Reranker));
    let cut = folder.path().join("cut");
    std::fs::rename(&bert, &cut).unwrap();
    // The import may be a hard link to this file, so it is written anew instead of truncated in place.
    let bytes = std::fs::read(cut.join("model.safetensors")).unwrap();
    std::fs::remove_file(cut.join("model.safetensors")).unwrap();
    std::fs::write(cut.join("model.safetensors"), &bytes[..bytes.len() / 2]).unwrap();
    let line = import(&cut).unwrap_err().to_string();
    assert!(line.contains("cut off"), "{line}");

    let here: Vec<_> =
        std::fs::read_dir(&dirs.imported).unwrap().flatten().map(|item| item.file_name()).collect();
    assert_eq!(here.len(), 2, "{here:?}");
}

#[test]
#[ignore = "long: make stress"]
fn an_import_tells_how_far_it_is_and_can_be_ended_at_any_stage() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let folder = tempfile::tempdir().unwrap();
    // On another disk, so that it cannot be linked.
    let elsewhere = tempfile::tempdir_in("/dev/shm").unwrap();
    let dirs = ModelDirs {
        cache: folder.path().join("cache"),
        imported: folder.path().join("imported"),
        shipped: Vec::new(),
    };
    let models = Models::in_own_folders(dirs.clone());
    let mine = elsewhere.path().join("mine.gguf");
    std::fs::copy(model().weights_path().unwrap(), &mine).unwrap();
    let size = mine.metadata().unwrap().len();
    let stages = [Stage::Reading, Stage::Trying, Stage::Copying];
    for end in stages {
        let cancel = CancelToken::new();
        let mut stop = |progress: Progress| {
            if progress.stage == end {
                cancel.cancel();
            }
        };
        let ended = models.import(&mine, &generator_program(None), &mut stop, &cancel);
        assert!(matches!(ended, Err(ModelError::Cancelled(_))), "{end:?}: {ended:?}");
        let left = std::fs::read_dir(&dirs.imported).map_or(0, Iterator::count);
        assert_eq!(left, 0, "{end:?}: something stays");
    }
    assert!(dirs.imported.is_dir(), "the last had begun to copy");
    let mut seen: Vec<Progress> = Vec::new();
    models
        .import(&mine, &generator_program(None), &mut |progress| seen.push(progress), &CancelToken::new())
        .unwrap();
    assert!(seen.iter().all(|one| one.total == size && one.done <= size), "{seen:?}");
    for stage in [Stage::Reading, Stage::Copying] {
        let done: Vec<u64> = seen.iter().filter(|one| one.stage == stage).map(|one| one.done).collect();
        assert!(done.is_sorted() && done.len() > 10, "{stage:?}: {done:?}");
    }
    let mut order: Vec<Stage> = seen.iter().map(|one| one.stage).collect();
    order.dedup();
    assert_eq!(order, stages);
}
