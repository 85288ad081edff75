//! The command `assay`, which this program is too: the tables of learners run it as its users do.

use dp_assay_cli::error::Error;
use std::process::Command;

/// The first word with which this program is the command `assay`.
pub const WORD: &str = "assay";

/// That command, to which arguments are added.
pub fn command() -> Result<Command, Error> {
    let program = std::env::current_exe()
        .map_err(|error| Error::Usage(format!("this program was not found again: {error}")))?;
    let mut command = Command::new(program);
    command.arg(WORD);
    Ok(command)
}
