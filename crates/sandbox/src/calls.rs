//! The system calls that each program gives up.
//!
//! The lists name what is forbidden, not what is allowed: what the C library, the allocator and the driver of a graphics card
//! call differs between processors and versions, and only one of them can be tested here. The extractor loses its files by
//! Landlock as well, which needs no list.

use libc::c_long;

use crate::program::Program;

/// The system calls that a program gives up whatever their arguments are.
pub(crate) fn given_up(program: Program) -> Vec<c_long> {
    match program {
        Program::Extractor { .. } => [NEVER, CHANGING, OPENING, CONNECTING, ACCEPTING].concat(),
        Program::Generator => [NEVER, CONNECTING].concat(),
        Program::Client => [NEVER, CHANGING, ACCEPTING].concat(),
        Program::Server => [NEVER, CHANGING, OPENING, CONNECTING].concat(),
    }
}

/// No program needs these: they start programs, reach into other processes, or could do what a filter forbids.
const NEVER: &[c_long] = &[
    libc::SYS_execve,
    libc::SYS_execveat,
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_io_uring_setup,
    libc::SYS_bpf,
    libc::SYS_unshare,
    libc::SYS_setns,
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_listen,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_fork,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_vfork,
];

/// These change files or end processes.
const CHANGING: &[c_long] = &[
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
    libc::SYS_memfd_create,
    libc::SYS_kill,
    libc::SYS_tkill,
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
];

/// These open a file, or two sockets that are connected to one another.
const OPENING: &[c_long] = &[
    libc::SYS_openat,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_open,
    libc::SYS_socketpair,
];

/// These open a socket and connect it.
const CONNECTING: &[c_long] = &[libc::SYS_socket, libc::SYS_connect, libc::SYS_bind];

/// These accept a connection.
const ACCEPTING: &[c_long] = &[libc::SYS_accept, libc::SYS_accept4];
