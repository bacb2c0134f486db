//! Computation yields to drawing: on a machine with few processors the window stays fluid while documents are read and
//! an answer is written.
//!
//! A thread or process can lower its priority but not raise it again: that takes a privilege. On Linux threads and
//! processes inherit the priority of the thread that starts them, so a background thread must not start anything that
//! serves questions too. On macOS the worker processes and background threads yield. Windows favours
//! the window in front by itself, so nothing is done there. The command `oriel` draws nothing and yields to nobody.
//!
//! A scheduling class of its own would not help: at this distance in niceness a thread that wakes does not displace one
//! of the UI anyway, and a thread in the idle class could hold a lock for as long as anything else runs.

/// Niceness of work that a user waits for: it gets about a third of a processor beside a busy thread of the window.
pub(crate) const INTERACTIVE_NICENESS: i32 = 5;
/// Niceness of work that nobody waits for: a thirtieth, and a tenth beside an answer that is being written.
#[cfg(target_os = "linux")]
const BACKGROUND_NICENESS: i32 = 15;

/// Sets this thread's priority for work that a user waits for.
pub(crate) fn set_interactive() {
    #[cfg(target_os = "linux")]
    yield_at_least(INTERACTIVE_NICENESS);
}

/// Sets this thread's priority for work that nobody waits for.
pub(crate) fn set_background() {
    #[cfg(target_os = "linux")]
    yield_at_least(BACKGROUND_NICENESS);
    #[cfg(target_os = "macos")]
    #[expect(unsafe_code, reason = "neither std nor rustix knows macOS's classes of threads")]
    // SAFETY: it takes two numbers and touches nothing but this thread's class.
    unsafe {
        libc::pthread_set_qos_class_self_np(libc::qos_class_t::QOS_CLASS_UTILITY, 0);
    }
}

/// Sets this process's priority for work that a user waits for. Call it before there is a second thread. A process that
/// was started in the background stays there.
pub(crate) fn set_interactive_process() {
    #[cfg(unix)]
    yield_at_least(INTERACTIVE_NICENESS);
}

/// Sets the niceness of the calling thread on Linux, of the whole process elsewhere.
#[cfg(unix)]
fn yield_at_least(niceness: i32) {
    use rustix::process::{getpriority_process, setpriority_process};
    let set = getpriority_process(None)
        .and_then(|now| if now < niceness { setpriority_process(None, niceness) } else { Ok(()) });
    if let Err(error) = set {
        tracing::debug!(%error, niceness, "the priority stays as it is");
    }
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
            set_interactive();
            let first = niceness();
            set_background();
            let second = niceness();
            set_interactive();
            [first, second, niceness(), beside(niceness)]
        });
        let most = BACKGROUND_NICENESS.max(before);
        assert_eq!(seen, [INTERACTIVE_NICENESS.max(before), most, most, most]);
        assert_eq!(niceness(), before, "other threads stay as they are");
    }
}
