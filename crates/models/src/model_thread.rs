//! One thread owns each Candle model. It answers requests in order until its handle is dropped.
//!
//! This module knows nothing about the content of requests.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread::JoinHandle;

use crossbeam_channel::{Receiver, Sender, bounded};
use oriel_core::{CancelToken, Cancelled, ModelError, Notice};
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::CandleSettings;

/// Tokens in a batch on the CPU. The throughput hardly differs between 256 and 4,096; this size takes some tens of
/// milliseconds between two checks for cancellation.
const CPU_BATCH: usize = 1024;
/// Tokens of a batch on a GPU.
const GPU_BATCH: usize = 16_384;
/// Maximum number of waiting requests; further callers block.
const WAITING: usize = 8;

/// A request and the channel for its answer.
struct Request<Q, A> {
    question: Q,
    answer: Sender<Result<A, ModelError>>,
}

/// The handle of a model's thread. Dropping it ends the thread.
pub(crate) struct ModelThread<Q, A> {
    requests: Option<Sender<Request<Q, A>>>,
    thread: Option<JoinHandle<()>>,
    id: Arc<str>,
}

impl<Q: Send + 'static, A: Send + 'static> ModelThread<Q, A> {
    /// Starts the thread with `settings`. `answer` owns the model.
    pub(crate) fn start(
        id: &str,
        settings: &CandleSettings,
        answer: impl Fn(Q) -> Result<A, ModelError> + Send + 'static,
    ) -> Result<Self, ModelError> {
        let (requests, incoming): (_, Receiver<Request<Q, A>>) = bounded(WAITING);
        let (name, begin) = (id.to_owned(), settings.begin);
        let thread = std::thread::Builder::new()
            .name(format!("{id} model"))
            .spawn(move || {
                if let Some(begin) = begin {
                    begin();
                }
                // After a panic the model is not used again, but the thread continues to answer: otherwise a queued
                // request would wait for ever.
                let mut sound = true;
                for request in incoming {
                    let answered = if sound {
                        catch_unwind(AssertUnwindSafe(|| answer(request.question))).ok()
                    } else {
                        None
                    };
                    sound = answered.is_some();
                    // The caller may be gone and need no answer.
                    let _ = request.answer.send(answered.unwrap_or_else(|| Err(died(&name))));
                }
            })
            .map_err(|e| {
                ModelError::Failed(Notice::about(id, Notice::ThreadCannotStart { error: e.to_string() }))
            })?;
        Ok(Self { requests: Some(requests), thread: Some(thread), id: id.into() })
    }

    /// Sends a request and waits for the answer.
    pub(crate) fn ask(&self, question: Q) -> Result<A, ModelError> {
        let died = || died(&self.id);
        let (answer, wait) = bounded(1);
        let requests = self.requests.as_ref().ok_or_else(died)?;
        requests.send(Request { question, answer }).map_err(|_| died())?;
        wait.recv().map_err(|_| died())?
    }
}

fn died(id: &str) -> ModelError {
    ModelError::Died(Notice::about(id, Notice::ModelBrokeDown))
}

impl<Q, A> Drop for ModelThread<Q, A> {
    fn drop(&mut self) {
        self.requests = None;
        if let Some(thread) = self.thread.take() {
            // The thread catches the model's panics and has none of its own.
            let _ = thread.join();
        }
    }
}

/// The thread pool of one model. With separate pools, background work can use fewer threads than a model that answers a
/// question, and models do not occupy the engine's pool.
pub(crate) fn pool(id: &str, settings: &CandleSettings) -> Result<ThreadPool, ModelError> {
    let (name, begin) = (id.to_owned(), settings.begin);
    ThreadPoolBuilder::new()
        .num_threads(crate::backend::threads(settings.threads))
        .thread_name(move |n| format!("{name} {n}"))
        .start_handler(move |_| {
            if let Some(begin) = begin {
                begin();
            }
        })
        .build()
        .map_err(|e| {
            ModelError::Failed(Notice::about(id, Notice::ThreadsCannotStart { error: e.to_string() }))
        })
}

/// Groups inputs of these lengths into batches of at most `budget` tokens (but at least one input), with similar
/// lengths together, longest first, and if possible at least one batch per thread. If `padded`, each input counts as
/// the longest of its batch.
fn batches(lengths: &[usize], padded: bool, budget: usize, threads: usize) -> Vec<Vec<usize>> {
    let mut order: Vec<usize> = (0..lengths.len()).collect();
    order.sort_by_key(|at| std::cmp::Reverse(lengths[*at]));
    let share = lengths.iter().sum::<usize>().div_ceil(threads).max(1);
    let budget = budget.min(share);
    let mut batches: Vec<Vec<usize>> = Vec::new();
    let mut left = 0;
    let mut longest = 0;
    for at in order {
        let cost = if padded { longest } else { lengths[at] };
        match batches.last_mut() {
            Some(batch) if cost <= left => {
                batch.push(at);
                left -= cost;
            }
            _ => {
                batches.push(vec![at]);
                longest = lengths[at];
                left = budget.saturating_sub(longest);
            }
        }
    }
    batches
}

/// Runs `work` on batches of inputs of these lengths, in parallel on the CPU, and returns the results in the order of
/// the inputs.
pub(crate) fn run_batches<T: Send>(
    pool: &ThreadPool,
    lengths: &[usize],
    padded: bool,
    cpu: bool,
    cancel: &CancelToken,
    work: impl Fn(&[usize]) -> Result<Vec<T>, ModelError> + Sync,
) -> Result<Vec<T>, ModelError> {
    let (budget, threads) = if cpu { (CPU_BATCH, pool.current_num_threads()) } else { (GPU_BATCH, 1) };
    let batches = batches(lengths, padded, budget, threads);
    let checked = |batch: &Vec<usize>| {
        cancel.check().map_err(|Cancelled| Cancelled)?;
        work(batch)
    };
    let done: Vec<Vec<T>> = pool.install(|| {
        if cpu {
            batches.par_iter().with_max_len(1).map(checked).collect::<Result<_, _>>()
        } else {
            batches.iter().map(checked).collect::<Result<_, ModelError>>()
        }
    })?;
    let mut placed: Vec<Option<T>> = lengths.iter().map(|_| None).collect();
    for (batch, results) in batches.iter().zip(done) {
        for (at, result) in batch.iter().zip(results) {
            placed[*at] = Some(result);
        }
    }
    Ok(placed.into_iter().flatten().collect())
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn every_input_is_in_one_batch_and_batches_keep_the_budget() {
        let lengths = [5, 300, 7, 7, 2, 90, 41, 1000, 3];
        let batches = batches(&lengths, false, 100, 1);
        let mut seen: Vec<usize> = batches.iter().flatten().copied().collect();
        seen.sort_unstable();
        assert_eq!(seen, (0..lengths.len()).collect::<Vec<_>>());
        for batch in &batches {
            let tokens: usize = batch.iter().map(|at| lengths[*at]).sum();
            assert!(tokens <= 100 || batch.len() == 1, "{tokens} tokens");
        }
        let batches = super::batches(&lengths, true, 100, 1);
        assert_eq!(batches.iter().map(Vec::len).sum::<usize>(), lengths.len());
        for batch in &batches {
            let padded = batch.iter().map(|at| lengths[*at]).max().unwrap() * batch.len();
            assert!(padded <= 100 || batch.len() == 1, "{padded} tokens with the padding");
        }
    }

    #[test]
    fn dropping_the_handle_ends_the_thread() {
        let alive = Arc::new(());
        let inside = Arc::clone(&alive);
        let owner = ModelThread::start("test", &CandleSettings::default(), move |n: usize| {
            let _ = &inside;
            Ok(n + 1)
        })
        .unwrap();
        assert_eq!(owner.ask(1).unwrap(), 2);
        drop(owner);
        assert_eq!(Arc::strong_count(&alive), 1);
    }

    #[test]
    fn every_thread_of_a_model_begins_as_it_is_told() {
        thread_local!(static BEGUN: Cell<bool> = const { Cell::new(false) });
        let settings =
            CandleSettings { threads: Some(3), begin: Some(|| BEGUN.set(true)), ..CandleSettings::default() };
        let owner = ModelThread::start("test", &settings, |()| Ok(BEGUN.get())).unwrap();
        assert!(owner.ask(()).unwrap());
        let pool = pool("test", &settings).unwrap();
        assert_eq!(pool.broadcast(|_| BEGUN.get()), [true; 3]);
        assert!(!BEGUN.get(), "whoever asks is left alone");
    }

    #[test]
    fn a_panic_is_an_error_of_the_caller() {
        let owner =
            ModelThread::start("test", &CandleSettings::default(), |n: usize| -> Result<usize, ModelError> {
                assert!(n != 7, "seven");
                Ok(n)
            })
            .unwrap();
        assert!(matches!(owner.ask(7), Err(ModelError::Died(_))));
        assert!(matches!(owner.ask(1), Err(ModelError::Died(_))));
    }
}
