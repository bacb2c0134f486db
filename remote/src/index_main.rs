//! `oriel-remote-index`: asks remote indexes; see the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    oriel_remote::answer_index_calls()
}
