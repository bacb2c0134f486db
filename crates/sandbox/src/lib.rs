//! What a program of Oriel gives up before it meets what it does not trust: a document, a model file or a network.
//!
//! On Linux it dies with its parent and starts no other program; `calls` has the system calls
//! that each program loses. Other systems have no such filter: there only the limits of resources apply.

#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
mod calls;
#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
mod linux;
mod program;

use std::io;

pub use program::Program;

/// Gives up everything that a program does not need for its work.
///
/// # Errors
/// If the system refuses any of it; the program must then end.
pub fn enter(program: Program) -> io::Result<()> {
    #[cfg(unix)]
    limit(program)?;
    #[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
    linux::confine(program)?;
    #[cfg(not(unix))]
    let _ = program;
    Ok(())
}

/// Forbids core dumps and files that grow, and limits the memory of the extractor.
#[cfg(unix)]
fn limit(program: Program) -> io::Result<()> {
    use rustix::process::{Resource, Rlimit, setrlimit};
    let at_most = |value| Rlimit { current: Some(value), maximum: Some(value) };
    if program != Program::Generator {
        setrlimit(Resource::Core, at_most(0))?;
        setrlimit(Resource::Fsize, at_most(0))?;
    }
    match program {
        // macOS does not enforce this limit, and refuses values below the current use.
        Program::Extractor { memory } if cfg!(target_os = "linux") => {
            Ok(setrlimit(Resource::As, at_most(memory))?)
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
mod tests;
