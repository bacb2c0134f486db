//! Work on a thread of lower priority.

use std::sync::mpsc;

/// Runs `work` on a thread that begins with `begin`, and waits for it. `work` can have `here` run on the calling thread, at
/// that thread's priority: a model that is loaded there starts threads that answer questions too.
pub(crate) fn in_background<L: Send, T: Send>(
    begin: Option<fn()>,
    here: &dyn Fn() -> L,
    work: impl FnOnce(&dyn Fn() -> L) -> T + Send,
) -> T {
    let (wish, wishes) = mpsc::channel();
    let (give, given) = mpsc::channel();
    std::thread::scope(|scope| {
        let started = std::thread::Builder::new().name("indexing".into()).spawn_scoped(scope, move || {
            if let Some(begin) = begin {
                begin();
            }
            work(&|| {
                let answered = wish.send(()).ok().and_then(|()| given.recv().ok());
                answered.expect("who called answers until this work ends")
            })
        });
        let thread = started.expect("the system has a thread left");
        for () in wishes {
            // After a panic nobody waits for the answer.
            let _ = give.send(here());
        }
        thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::thread;

    use super::*;

    thread_local! {
        static HAS_BEGUN: Cell<bool> = const { Cell::new(false) };
    }

    #[test]
    fn work_in_the_background_has_things_done_where_it_was_called() {
        let here = || (thread::current().id(), HAS_BEGUN.get());
        let begin = || HAS_BEGUN.set(true);
        let (called, worked) = in_background(Some(begin), &here, |call| (call(), here()));
        assert_eq!(called, (thread::current().id(), false));
        assert!(worked.0 != called.0 && worked.1, "it runs on a thread of its own");
    }

    #[test]
    fn a_panic_in_the_background_is_one_of_the_caller() {
        let ended = std::panic::catch_unwind(|| in_background(None, &|| (), |_| panic!("seven")));
        assert_eq!(ended.unwrap_err().downcast_ref(), Some(&"seven"));
    }
}
