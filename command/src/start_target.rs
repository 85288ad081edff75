//! Starts the target that an option names.

use crate::error::Error;
use dp_assay_audit::group::kill_groups_on_signals;
use dp_assay_audit::targets::{Settings, Subprocess, meant_for_a_shell, words};

/// Starts a program, given with its arguments as one text. It ends with this command, also if that is interrupted.
///
/// # Errors
/// [`Error::Usage`] if it is no command, or does not start.
pub fn start_target(command: &str, settings: Settings) -> Result<Subprocess, Error> {
    kill_groups_on_signals().map_err(Error::signals)?;
    let words = words(command).map_err(|error| Error::Usage(error.to_string()))?;
    Subprocess::start(&words, settings).map_err(|error| {
        let hint = meant_for_a_shell(&words).map_or(String::new(), |hint| format!("; {hint}"));
        Error::Usage(format!("{error}{hint}"))
    })
}
