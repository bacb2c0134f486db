//! Returns freed memory to the system.

/// How many arenas glibc may use.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const MAX_ARENAS: libc::c_int = 2;

/// Limits glibc to a few arenas, so that threads reuse what others have freed. By default there are up to eight per
/// processor. Call it before there are threads. 100 questions then leave 3 MB in the app instead of 11; reading documents
/// takes as long as before.
pub(crate) fn limit_arenas() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    #[expect(unsafe_code, reason = "the allocator has no safe interface")]
    // SAFETY: it takes two numbers and touches no memory in use.
    let is_set = unsafe { libc::mallopt(libc::M_ARENA_MAX, MAX_ARENAS) } == 1;
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    if !is_set {
        tracing::debug!("the number of arenas is not limited");
    }
}

/// Returns free memory to the system. Answering reads and writes whole conversations on any free thread, and glibc keeps
/// what each of these threads has freed.
pub(crate) fn release_free() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    #[expect(unsafe_code, reason = "the allocator has no safe interface")]
    // SAFETY: it takes a number, may be called at any time from any thread, and touches no memory in use.
    unsafe {
        libc::malloc_trim(0);
    }
}

#[cfg(test)]
#[cfg(all(target_os = "linux", target_env = "gnu"))]
mod tests {
    use std::sync::Barrier;

    use super::*;

    /// glibc's arenas beside the main one: each begins a reservation of 64 MiB, at a multiple of it.
    fn arenas() -> usize {
        let maps = std::fs::read_to_string("/proc/self/maps").unwrap();
        let begins = |line: &str| usize::from_str_radix(line.split('-').next()?, 16).ok();
        let is_arena = |line: &&str| {
            line.split_whitespace().count() == 5
                && begins(line).is_some_and(|begin| begin.is_multiple_of(64 << 20))
        };
        maps.lines().filter(is_arena).count()
    }

    #[test]
    fn many_threads_share_few_arenas() {
        limit_arenas();
        // Other tests of this process may have made more before.
        let before = arenas();
        let all_hold_some = Barrier::new(9);
        let found = std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    let held = std::hint::black_box(vec![1_u8; 4096]);
                    all_hold_some.wait();
                    all_hold_some.wait();
                    drop(held);
                });
            }
            all_hold_some.wait();
            let found = arenas();
            all_hold_some.wait();
            found
        });
        let most = usize::try_from(MAX_ARENAS).unwrap();
        assert!(found < most.max(before + 1), "{found} beside the main one, {before} before");
    }
}
