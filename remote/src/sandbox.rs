//! What the process gives up before it connects: on Linux it dies with its parent, starts no other program, writes,
//! creates, changes or removes no file, and accepts no connections. It can still open sockets, and read the system's
//! certificates and name servers.

use std::io;

#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
pub(crate) fn enter() -> io::Result<()> {
    use std::collections::BTreeMap;

    use rustix::process::{Resource, Rlimit, Signal, set_parent_process_death_signal, setrlimit};
    use seccompiler::{BpfProgram, SeccompAction, SeccompFilter, TargetArch};

    let nothing = || Rlimit { current: Some(0), maximum: Some(0) };
    setrlimit(Resource::Core, nothing())?;
    setrlimit(Resource::Fsize, nothing())?;
    set_parent_process_death_signal(Some(Signal::KILL))?;
    let architecture = if cfg!(target_arch = "x86_64") { TargetArch::x86_64 } else { TargetArch::aarch64 };
    let mut rules: BTreeMap<_, _> = FORBIDDEN.iter().map(|&call| (call, Vec::new())).collect();
    rules.insert(libc::SYS_openat, opens_for_writing(2).map_err(io::Error::other)?);
    #[cfg(target_arch = "x86_64")]
    rules.insert(libc::SYS_open, opens_for_writing(1).map_err(io::Error::other)?);
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

/// Matches an open call, with its flags in argument `flags`, that could change or create a file.
#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
fn opens_for_writing(flags: u8) -> Result<Vec<seccompiler::SeccompRule>, seccompiler::BackendError> {
    use seccompiler::{SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompRule};

    [libc::O_WRONLY, libc::O_RDWR, libc::O_CREAT, libc::O_TRUNC]
        .into_iter()
        .map(|flag| {
            let bit = u64::from(flag.unsigned_abs());
            let is_set =
                SeccompCondition::new(flags, SeccompCmpArgLen::Dword, SeccompCmpOp::MaskedEq(bit), bit)?;
            SeccompRule::new(vec![is_set])
        })
        .collect()
}

/// System calls that a download never needs.
#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
const FORBIDDEN: &[libc::c_long] = &[
    // serving
    libc::SYS_listen,
    libc::SYS_accept,
    libc::SYS_accept4,
    // files
    libc::SYS_openat2,
    libc::SYS_unlinkat,
    libc::SYS_renameat,
    libc::SYS_renameat2,
    libc::SYS_linkat,
    libc::SYS_symlinkat,
    libc::SYS_mkdirat,
    libc::SYS_mknodat,
    libc::SYS_fchmod,
    libc::SYS_fchmodat,
    libc::SYS_fchown,
    libc::SYS_fchownat,
    libc::SYS_truncate,
    libc::SYS_ftruncate,
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_memfd_create,
    // other programs and processes
    libc::SYS_execve,
    libc::SYS_execveat,
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_io_uring_setup,
    libc::SYS_bpf,
    libc::SYS_unshare,
    libc::SYS_setns,
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
    use std::process::Command;

    /// The actual test: its process gives up these rights.
    #[test]
    #[ignore = "run by the test below in a process of its own"]
    fn inside() {
        let folder = std::path::PathBuf::from(std::env::var_os("TEST_FOLDER").unwrap());
        super::enter().unwrap();
        assert!(std::fs::read(folder.join("there")).is_ok(), "it reads, as certificates must be");
        let denied =
            |what: std::io::Result<()>| what.unwrap_err().kind() == std::io::ErrorKind::PermissionDenied;
        assert!(denied(std::fs::write(folder.join("new"), "x")));
        assert!(denied(std::fs::write(folder.join("there"), "x")));
        assert!(denied(std::fs::OpenOptions::new().append(true).open(folder.join("there")).map(drop)));
        assert!(denied(std::fs::remove_file(folder.join("there"))));
        assert!(denied(std::fs::rename(folder.join("there"), folder.join("new"))));
        assert!(denied(Command::new("true").status().map(drop)));
        assert!(denied(std::net::TcpListener::bind("127.0.0.1:0").map(drop)));
    }

    #[test]
    fn it_changes_no_file_starts_no_program_and_serves_nobody() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("there"), "there").unwrap();
        let output = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "sandbox::tests::inside", "--ignored", "--nocapture"])
            .env("TEST_FOLDER", folder.path())
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stdout);
        let complaint = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && said.contains("1 passed"), "{said}{complaint}");
        let left: Vec<_> =
            std::fs::read_dir(folder.path()).unwrap().flatten().map(|item| item.file_name()).collect();
        assert_eq!(left, ["there"]);
        assert_eq!(std::fs::read(folder.path().join("there")).unwrap(), b"there");
    }
}
