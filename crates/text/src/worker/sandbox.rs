//! Restricts the extractor process before it sees a byte of a document.

use std::io;

/// Limits memory to `memory` bytes of address space, and forbids core dumps and writing files. On Linux the process
/// also dies with its parent and loses every system call that opens, creates, changes or runs a file, or uses the
/// network. If the kernel has Landlock, that also denies access to files, network and other processes.
///
/// # Errors
/// If the system refuses any of it. Then no document may be read.
#[cfg(unix)]
pub(super) fn enter(memory: u64) -> io::Result<()> {
    use rustix::process::{Resource, Rlimit, setrlimit};
    let at_most = |value| Rlimit { current: Some(value), maximum: Some(value) };
    setrlimit(Resource::Core, at_most(0))?;
    setrlimit(Resource::Fsize, at_most(0))?;
    // macOS does not enforce this limit, and refuses values below the current use.
    if cfg!(target_os = "linux") {
        setrlimit(Resource::As, at_most(memory))?;
    }
    confine()
}

#[cfg(not(unix))]
pub(super) fn enter(_memory: u64) -> io::Result<()> {
    Ok(())
}

#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
fn confine() -> io::Result<()> {
    use std::collections::BTreeMap;

    use seccompiler::{BpfProgram, SeccompAction, SeccompFilter, TargetArch};

    rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL))?;
    close_files().map_err(io::Error::other)?;
    let architecture = if cfg!(target_arch = "x86_64") { TargetArch::x86_64 } else { TargetArch::aarch64 };
    let rules = FORBIDDEN.iter().map(|&call| (call, Vec::new())).collect::<BTreeMap<_, _>>();
    let denied = u32::try_from(libc::EACCES).map_err(io::Error::other)?;
    let filter = SeccompFilter::new(rules, SeccompAction::Allow, SeccompAction::Errno(denied), architecture)
        .map_err(io::Error::other)?;
    let program = BpfProgram::try_from(filter).map_err(io::Error::other)?;
    seccompiler::apply_filter_all_threads(&program).map_err(io::Error::other)
}

/// Denies files, network and other processes to this thread and its children with Landlock, as far as the kernel
/// supports it.
#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
fn close_files() -> Result<landlock::RestrictionStatus, landlock::RulesetError> {
    use landlock::{ABI, Access as _, AccessFs, AccessNet, Ruleset, RulesetAttr as _, Scope};

    let version = ABI::V6;
    Ruleset::default()
        .handle_access(AccessFs::from_all(version))?
        .handle_access(AccessNet::from_all(version))?
        .scope(Scope::from_all(version))?
        .create()?
        .restrict_self()
}

#[cfg(all(unix, not(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))))]
fn confine() -> io::Result<()> {
    Ok(())
}

/// System calls that are not needed to read bytes and write text.
#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
const FORBIDDEN: &[libc::c_long] = &[
    // the network
    libc::SYS_socket,
    libc::SYS_socketpair,
    libc::SYS_connect,
    libc::SYS_bind,
    libc::SYS_listen,
    libc::SYS_accept,
    libc::SYS_accept4,
    // files
    libc::SYS_openat,
    libc::SYS_openat2,
    libc::SYS_unlinkat,
    libc::SYS_renameat,
    libc::SYS_renameat2,
    libc::SYS_linkat,
    libc::SYS_symlinkat,
    libc::SYS_mkdirat,
    libc::SYS_mknodat,
    libc::SYS_fchmodat,
    libc::SYS_fchownat,
    libc::SYS_truncate,
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_memfd_create,
    // other programs and processes
    libc::SYS_execve,
    libc::SYS_execveat,
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_kill,
    libc::SYS_tkill,
    libc::SYS_io_uring_setup,
    libc::SYS_bpf,
    libc::SYS_unshare,
    libc::SYS_setns,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_open,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_creat,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_unlink,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_rename,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_mkdir,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_rmdir,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_link,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_symlink,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_chmod,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_chown,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_fork,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_vfork,
];

#[cfg(all(test, target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
mod tests {
    use std::io::ErrorKind;

    use super::close_files;

    #[test]
    fn landlock_alone_closes_every_file() {
        let own = std::env::current_exe().unwrap();
        let restricted = std::thread::spawn({
            let own = own.clone();
            move || (close_files().unwrap().ruleset, std::fs::File::open(own).map(drop))
        });
        let (status, opened) = restricted.join().unwrap();
        if status != landlock::RulesetStatus::NotEnforced {
            assert_eq!(opened.unwrap_err().kind(), ErrorKind::PermissionDenied);
        }
        assert!(std::fs::File::open(own).is_ok(), "another thread is not restricted");
    }
}
