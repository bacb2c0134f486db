//! Restricts the generator's process before it opens a model: on Linux it dies with its parent, and can neither open
//! sockets nor start programs. A model file is untrusted input to a large C++ program.

use std::io;

#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
pub(crate) fn enter() -> io::Result<()> {
    use std::collections::BTreeMap;

    use seccompiler::{BpfProgram, SeccompAction, SeccompFilter, TargetArch};

    rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL))?;
    // io_uring could perform the calls that are refused.
    let network =
        [libc::SYS_socket, libc::SYS_connect, libc::SYS_bind, libc::SYS_listen, libc::SYS_io_uring_setup];
    let programs = [libc::SYS_execve, libc::SYS_execveat];
    let architecture = if cfg!(target_arch = "x86_64") { TargetArch::x86_64 } else { TargetArch::aarch64 };
    let rules: BTreeMap<_, _> = network.into_iter().chain(programs).map(|call| (call, Vec::new())).collect();
    let denied = u32::try_from(libc::EACCES).map_err(io::Error::other)?;
    let filter = SeccompFilter::new(rules, SeccompAction::Allow, SeccompAction::Errno(denied), architecture)
        .map_err(io::Error::other)?;
    let program = BpfProgram::try_from(filter).map_err(io::Error::other)?;
    seccompiler::apply_filter_all_threads(&program).map_err(io::Error::other)
}

#[cfg(not(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64"))))]
pub(crate) fn enter() -> io::Result<()> {
    Ok(())
}
