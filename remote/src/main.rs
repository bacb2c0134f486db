//! `oriel-remote`: downloads files and requests answers from servers; see the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    oriel_remote::answer_requests()
}
