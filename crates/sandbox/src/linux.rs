//! How a program gives up system calls on Linux: by a seccomp filter, and the extractor by Landlock too.

use std::collections::BTreeMap;
use std::io;

use rustix::process::{Signal, set_parent_process_death_signal};
use seccompiler::{
    BackendError, BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule, TargetArch,
};

use crate::calls;
use crate::program::Program;

/// Confines all threads of this process for good.
pub(crate) fn confine(program: Program) -> io::Result<()> {
    set_parent_process_death_signal(Some(Signal::KILL))?;
    if matches!(program, Program::Extractor { .. }) {
        close_files().map_err(io::Error::other)?;
    }
    let mut rules: BTreeMap<_, _> =
        calls::given_up(program).into_iter().map(|call| (call, Vec::new())).collect();
    if program == Program::Client {
        rules.insert(libc::SYS_openat, opens_for_writing(2).map_err(io::Error::other)?);
        #[cfg(target_arch = "x86_64")]
        rules.insert(libc::SYS_open, opens_for_writing(1).map_err(io::Error::other)?);
    }
    let architecture = if cfg!(target_arch = "x86_64") { TargetArch::x86_64 } else { TargetArch::aarch64 };
    let denied = u32::try_from(libc::EACCES).map_err(io::Error::other)?;
    let filter = SeccompFilter::new(rules, SeccompAction::Allow, SeccompAction::Errno(denied), architecture)
        .map_err(io::Error::other)?;
    let filter = BpfProgram::try_from(filter).map_err(io::Error::other)?;
    seccompiler::apply_filter_all_threads(&filter).map_err(io::Error::other)
}

/// Matches an open call that could change or create a file; argument number `flags` has its flags.
fn opens_for_writing(flags: u8) -> Result<Vec<SeccompRule>, BackendError> {
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

/// Denies files, network and other processes to this thread and its children with Landlock, as far as the kernel
/// supports it.
pub(crate) fn close_files() -> Result<landlock::RestrictionStatus, landlock::RulesetError> {
    use landlock::{ABI, Access as _, AccessFs, AccessNet, Ruleset, RulesetAttr as _, Scope};

    let version = ABI::V6;
    Ruleset::default()
        .handle_access(AccessFs::from_all(version))?
        .handle_access(AccessNet::from_all(version))?
        .scope(Scope::from_all(version))?
        .create()?
        .restrict_self()
}
