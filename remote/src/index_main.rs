//! `oriel-remote-index`: sends calls to remote indexes; see the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    oriel_remote::answer_index_calls()
}
