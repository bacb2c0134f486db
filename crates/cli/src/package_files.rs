//! The man pages and shell completions for packages, generated from the arguments.

use std::fs;
use std::path::Path;

use anyhow::Context as _;
use clap::CommandFactory as _;
use clap_complete::{Shell, generate_to};

use crate::arguments::Arguments;

/// The place of each shell's completions, below the prefix's folder `share`.
const COMPLETIONS: [(Shell, &str); 3] = [
    (Shell::Bash, "bash-completion/completions"),
    (Shell::Zsh, "zsh/site-functions"),
    (Shell::Fish, "fish/vendor_completions.d"),
];

/// Writes all files below `share`.
pub(crate) fn write(share: &Path) -> anyhow::Result<()> {
    let folder = |name: &str| {
        let folder = share.join(name);
        fs::create_dir_all(&folder).with_context(|| format!("{} cannot be made", folder.display()))?;
        anyhow::Ok(folder)
    };
    for (shell, name) in COMPLETIONS {
        generate_to(shell, &mut Arguments::command(), "oriel", folder(name)?)?;
    }
    let bash = share.join(COMPLETIONS[0].1);
    fs::rename(bash.join("oriel.bash"), bash.join("oriel"))?;
    clap_mangen::generate_to(Arguments::command().disable_help_subcommand(true), folder("man/man1")?)?;
    Ok(())
}
