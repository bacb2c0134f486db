//! Asks before another computer receives anything.

use std::io::IsTerminal as _;

use anyhow::bail;
use oriel_engine::ServerAddress;

/// Asks whether the computer at an address may receive data; does not ask for this computer.
///
/// # Errors
/// If the user declines, or cannot be asked.
pub(crate) fn confirm(address: &ServerAddress, receives: &str, question: &str) -> anyhow::Result<()> {
    let host = address.host();
    let plainly = if address.is_encrypted() { "" } else { " The connection is not encrypted." };
    eprintln!("{host} would receive {receives}. Whoever runs it can read what it receives.{plainly}");
    if !std::io::stdin().is_terminal() {
        bail!("{host} is not this computer; run the command with --yes to allow it");
    }
    eprint!("{question} {host}? [y/N] ");
    let mut answer = String::new();
    std::io::stdin().read_line(&mut answer)?;
    match answer.trim() {
        "y" | "Y" | "yes" => Ok(()),
        _ => bail!("nothing was connected"),
    }
}
