//! Restricts a program before it uses the network: on Linux it dies with its parent, starts no other program, and
//! writes, creates, changes or removes no file.
//!
//! A program that connects accepts no connections, and can still read the system's certificates and name servers. A
//! program that accepts connections can open neither files nor sockets from then on, so it connects to nobody.

use std::io;

/// How a program uses the network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Network {
    /// It connects to servers.
    Connect,
    /// It accepts connections at a socket that already listens.
    Accept,
}

/// Gives up everything that the program does not need for its use of the network.
///
/// # Errors
/// If the system refuses any of it; the program must then end.
#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
pub fn enter(network: Network) -> io::Result<()> {
    use std::collections::BTreeMap;

    use rustix::process::{Resource, Rlimit, Signal, set_parent_process_death_signal, setrlimit};
    use seccompiler::{BpfProgram, SeccompAction, SeccompFilter, TargetArch};

    let nothing = || Rlimit { current: Some(0), maximum: Some(0) };
    setrlimit(Resource::Core, nothing())?;
    setrlimit(Resource::Fsize, nothing())?;
    set_parent_process_death_signal(Some(Signal::KILL))?;
    let architecture = if cfg!(target_arch = "x86_64") { TargetArch::x86_64 } else { TargetArch::aarch64 };
    let other = match network {
        Network::Connect => SERVING,
        Network::Accept => CONNECTING,
    };
    let mut rules: BTreeMap<_, _> = FORBIDDEN.iter().chain(other).map(|&call| (call, Vec::new())).collect();
    if network == Network::Connect {
        rules.insert(libc::SYS_openat, opens_for_writing(2).map_err(io::Error::other)?);
        #[cfg(target_arch = "x86_64")]
        rules.insert(libc::SYS_open, opens_for_writing(1).map_err(io::Error::other)?);
    }
    let denied = u32::try_from(libc::EACCES).map_err(io::Error::other)?;
    let filter = SeccompFilter::new(rules, SeccompAction::Allow, SeccompAction::Errno(denied), architecture)
        .map_err(io::Error::other)?;
    let program = BpfProgram::try_from(filter).map_err(io::Error::other)?;
    seccompiler::apply_filter_all_threads(&program).map_err(io::Error::other)
}

/// Does nothing: this system has no such filter.
///
/// # Errors
/// Never.
#[cfg(not(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64"))))]
pub fn enter(_network: Network) -> io::Result<()> {
    Ok(())
}

/// Matches an open call that could change or create a file; argument number `flags` has its flags.
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

/// System calls for accepting connections.
#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
const SERVING: &[libc::c_long] = &[libc::SYS_listen, libc::SYS_accept, libc::SYS_accept4];

/// System calls for connecting, or for opening a file.
#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
const CONNECTING: &[libc::c_long] = &[
    libc::SYS_socket,
    libc::SYS_socketpair,
    libc::SYS_connect,
    libc::SYS_bind,
    libc::SYS_listen,
    libc::SYS_openat,
    libc::SYS_kill,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_open,
];

/// System calls that neither kind of program needs.
#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
const FORBIDDEN: &[libc::c_long] = &[
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
    use std::fs::{self, OpenOptions};
    use std::io::{ErrorKind, Write as _};
    use std::net::{TcpListener, TcpStream};
    use std::path::PathBuf;
    use std::process::Command;

    use super::*;

    fn is_denied(what: io::Result<()>) -> bool {
        what.is_err_and(|error| error.kind() == ErrorKind::PermissionDenied)
    }

    fn changes_nothing(folder: &std::path::Path) {
        assert!(is_denied(fs::write(folder.join("new"), "x")));
        assert!(is_denied(fs::write(folder.join("there"), "x")));
        assert!(is_denied(OpenOptions::new().append(true).open(folder.join("there")).map(drop)));
        assert!(is_denied(fs::remove_file(folder.join("there"))));
        assert!(is_denied(fs::rename(folder.join("there"), folder.join("new"))));
        assert!(is_denied(Command::new("true").status().map(drop)));
    }

    /// The actual test; its process gives up these rights.
    #[test]
    #[ignore = "run by the test below in a process of its own"]
    fn connecting() {
        let folder = PathBuf::from(std::env::var_os("TEST_FOLDER").unwrap());
        enter(Network::Connect).unwrap();
        changes_nothing(&folder);
        assert!(fs::read(folder.join("there")).is_ok(), "it reads, as certificates must be");
        assert!(is_denied(TcpListener::bind("127.0.0.1:0").map(drop)));
    }

    /// The actual test; its process gives up these rights.
    #[test]
    #[ignore = "run by the test below in a process of its own"]
    fn accepting() {
        let folder = PathBuf::from(std::env::var_os("TEST_FOLDER").unwrap());
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let mut client = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        enter(Network::Accept).unwrap();
        changes_nothing(&folder);
        assert!(is_denied(fs::read(folder.join("there")).map(drop)), "it reads no file");
        assert!(is_denied(TcpStream::connect(listener.local_addr().unwrap()).map(drop)));
        assert!(is_denied(TcpListener::bind("127.0.0.1:0").map(drop)));
        let (mut accepted, _) = listener.accept().unwrap();
        accepted.write_all(b"x").unwrap();
        io::Read::read_exact(&mut client, &mut [0]).unwrap();
    }

    #[test]
    fn it_changes_no_file_starts_no_program_and_uses_the_network_one_way() {
        for test in ["tests::connecting", "tests::accepting"] {
            let folder = tempfile::tempdir().unwrap();
            fs::write(folder.path().join("there"), "there").unwrap();
            let output = Command::new(std::env::current_exe().unwrap())
                .args(["--exact", test, "--ignored", "--nocapture"])
                .env("TEST_FOLDER", folder.path())
                .output()
                .unwrap();
            let said = String::from_utf8_lossy(&output.stdout);
            let complaint = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success() && said.contains("1 passed"), "{test}: {said}{complaint}");
            let left: Vec<_> =
                fs::read_dir(folder.path()).unwrap().flatten().map(|item| item.file_name()).collect();
            assert_eq!(left, ["there"]);
            assert_eq!(fs::read(folder.path().join("there")).unwrap(), b"there");
        }
    }
}
