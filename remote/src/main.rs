//! `oriel-remote`: downloads files and asks servers for answers; see the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    oriel_remote::answer_requests()
}
