//! Memory that is free goes back to the system.

/// Gives back what is free: whoever answers reads and writes whole conversations, on whichever thread is free, and glibc keeps
/// what each of these threads has used for the next time that it works.
pub(crate) fn give_back() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    #[expect(unsafe_code, reason = "the allocator has no safe door")]
    // SAFETY: it takes a number, may be called at any time from any thread, and touches no memory that is in use.
    unsafe {
        libc::malloc_trim(0);
    }
}
