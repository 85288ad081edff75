//! Options that `assay audit` had before each of its questions became a command: which one has them now.
//!
//! For one version: then the command line says what it says of every other option that is not known.

use super::{command, has};
use crate::error::Error;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use std::ffi::OsString;

/// The options that chose a question, and the command that asks it.
const QUESTIONS: [(&str, &str); 4] = [
    ("--map", "assay stable"),
    ("--replay", "assay replay"),
    ("--plan", "assay plan FILE"),
    ("--self-test", "assay self-test"),
];

/// The commands that were questions of `assay audit`.
const COMMANDS: [&str; 5] = ["conform", "stable", "replay", "plan", "self-test"];

/// What is said of an option that another command has; `None` of all others.
pub fn said(words: &[OsString], error: &clap::Error) -> Option<Error> {
    if error.kind() != ErrorKind::UnknownArgument || words.get(1)? != "audit" {
        return None;
    }
    let Some(ContextValue::String(option)) = error.get(ContextKind::InvalidArg) else {
        return None;
    };
    if let Some((_, asks)) = QUESTIONS.iter().find(|(question, _)| question == option) {
        return Some(Error::Usage(format!(
            "{option} is a command of its own now: {asks}"
        )));
    }
    let name = option.strip_prefix("--")?;
    let command = command();
    let of = COMMANDS.iter().find(|of| has(&command, of, name))?;
    Some(Error::Usage(format!(
        "{option} is an option of assay {of}, not of assay audit"
    )))
}
