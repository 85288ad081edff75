//! `assay completions` and `assay manual`: what a shell and `man` want to know of the command.

use super::{Outcome, command};
use crate::error::Error;
use crate::output;
use clap::Args;
use clap_complete::Shell;
use std::path::PathBuf;

/// Print completions for a shell.
///
/// For bash: assay completions bash > ~/.local/share/bash-completion/completions/assay
#[derive(Debug, Args)]
pub struct Completions {
    /// The shell
    shell: Shell,
}

/// Print the manual page, or write one page a command.
#[derive(Debug, Args)]
pub struct Manual {
    /// Write assay.1, assay-verify.1 and so on into this directory, which must exist
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// Runs `assay completions`.
pub fn complete(arguments: &Completions) -> Result<Outcome, Error> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut command(), "assay", &mut script);
    output::print(&String::from_utf8_lossy(&script))?;
    Ok(Outcome::AsExpected)
}

/// Runs `assay manual`.
pub fn write(arguments: &Manual) -> Result<Outcome, Error> {
    match &arguments.out {
        Some(directory) => clap_mangen::generate_to(command(), directory)
            .map_err(|source| Error::write(directory, source))?,
        None => {
            let mut page = Vec::new();
            clap_mangen::Man::new(command())
                .render(&mut page)
                .map_err(Error::Print)?;
            output::print(&String::from_utf8_lossy(&page))?;
        }
    }
    Ok(Outcome::AsExpected)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_has_a_page_and_completions() {
        let directory = tempfile::tempdir().unwrap();
        clap_mangen::generate_to(command(), directory.path()).unwrap();
        for subcommand in command().get_subcommands() {
            let name = subcommand.get_name();
            let page = directory.path().join(format!("assay-{name}.1"));
            assert!(page.is_file(), "no page for {name}");
        }
        let mut script = Vec::new();
        clap_complete::generate(Shell::Bash, &mut command(), "assay", &mut script);
        assert!(String::from_utf8(script).unwrap().contains("assay"));
    }
}
