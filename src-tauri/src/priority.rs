//! What computes yields to what is drawn: on a machine with few processors the window stays fluid while documents are
//! read and an answer is written.
//!
//! A thread or process can yield more, never less: raising a priority takes a privilege. On Linux threads and processes
//! inherit the priority of the thread that starts them, so what yields starts nothing that must not ([`in_background`]).
//! On macOS the workers' processes yield, and threads in the background; on Windows, which favours the window in front by
//! itself, nothing is done. The command `oriel` draws nothing and yields to nobody.

use std::sync::mpsc;

/// Niceness of what a person waits for: about a third of a processor's time beside a thread of the window that wants all
/// of it, and of what other programs leave no less.
#[cfg(unix)]
const ASKED: i32 = 5;
/// Niceness of what nobody waits for: a thirtieth, and a tenth beside an answer that is being written.
#[cfg(target_os = "linux")]
const BACKGROUND: i32 = 15;

/// This thread yields as one whose result a person waits for.
pub(crate) fn asked() {
    #[cfg(target_os = "linux")]
    yield_at_least(ASKED);
}

/// This thread yields as one whose result nobody waits for.
pub(crate) fn background() {
    #[cfg(target_os = "linux")]
    yield_at_least(BACKGROUND);
    #[cfg(target_os = "macos")]
    #[expect(unsafe_code, reason = "neither std nor rustix knows macOS's classes of threads")]
    // SAFETY: it takes two numbers and touches nothing but this thread's class.
    unsafe {
        libc::pthread_set_qos_class_self_np(libc::qos_class_t::QOS_CLASS_UTILITY, 0);
    }
}

/// This process yields as one whose result a person waits for; to be called before it has a second
/// thread that works. A process that was started in the background stays there.
pub(crate) fn asked_process() {
    #[cfg(unix)]
    yield_at_least(ASKED);
}

/// On Linux this is the calling thread, elsewhere the whole process.
#[cfg(unix)]
fn yield_at_least(niceness: i32) {
    use rustix::process::{getpriority_process, setpriority_process};
    let set = getpriority_process(None)
        .and_then(|now| if now < niceness { setpriority_process(None, niceness) } else { Ok(()) });
    if let Err(error) = set {
        tracing::debug!(%error, niceness, "the priority stays as it is");
    }
}

/// Runs `work` on a thread that yields as one in the background, and waits for it. What `work` asks for through the
/// function that it is given is done by `here` on the thread that called, at its priority: models start threads that
/// answer questions too.
pub(crate) fn in_background<L: Send, T: Send>(
    here: &dyn Fn() -> L,
    work: impl FnOnce(&dyn Fn() -> L) -> T + Send,
) -> T {
    let (wish, wishes) = mpsc::channel();
    let (give, given) = mpsc::channel();
    std::thread::scope(|scope| {
        let started = std::thread::Builder::new().name("indexing".into()).spawn_scoped(scope, move || {
            background();
            work(&|| {
                let answered = wish.send(()).ok().and_then(|()| given.recv().ok());
                answered.expect("who called answers until this work ends")
            })
        });
        let thread = started.expect("the system has a thread left");
        for () in wishes {
            // A work that panicked waits for nothing.
            let _ = give.send(here());
        }
        thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use rustix::process::getpriority_process;

    use super::*;

    fn niceness() -> i32 {
        getpriority_process(None).unwrap()
    }

    fn beside<T: Send>(work: impl FnOnce() -> T + Send) -> T {
        std::thread::scope(|scope| scope.spawn(work).join().unwrap())
    }

    #[test]
    fn a_thread_yields_more_but_never_less_and_hands_it_on() {
        let before = niceness();
        let seen = beside(|| {
            asked();
            let first = niceness();
            background();
            let second = niceness();
            asked();
            [first, second, niceness(), beside(niceness)]
        });
        let most = BACKGROUND.max(before);
        assert_eq!(seen, [ASKED.max(before), most, most, most]);
        assert_eq!(niceness(), before, "other threads stay as they are");
    }

    #[test]
    fn work_in_the_background_has_things_done_where_it_was_called() {
        let before = niceness();
        let (here, own) = in_background(&|| beside(niceness), |here| (here(), niceness()));
        assert_eq!((here, own), (before, BACKGROUND.max(before)));
    }

    #[test]
    fn a_panic_in_the_background_is_one_of_the_caller() {
        let ended = std::panic::catch_unwind(|| in_background(&|| (), |_| panic!("seven")));
        assert_eq!(ended.unwrap_err().downcast_ref(), Some(&"seven"));
    }
}
