//! What `assay audit` had before each of its questions became a command: which one has it now.
//!
//! For one version: then the command line says what it says of every other option that is not known.

use super::{command, has};
use crate::error::Error;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use std::ffi::OsString;

/// The options that chose a question, and the command that asks it.
const QUESTIONS: [(&str, &str); 5] = [
    ("--map", "stable"),
    ("--law", "conform"),
    ("--replay", "replay"),
    ("--plan", "plan"),
    ("--self-test", "self-test"),
];

/// The commands that were questions of `assay audit`.
const COMMANDS: [&str; 5] = ["conform", "stable", "replay", "plan", "self-test"];

/// The words of `assay audit --map ...` are those of `assay stable ...`, and so on: for one version both are understood, and
/// the note says which stays.
pub fn forwarded(mut words: Vec<OsString>) -> (Vec<OsString>, Option<String>) {
    if words.get(1).is_none_or(|command| command != "audit") {
        return (words, None);
    }
    let Some((at, option, asks)) = QUESTIONS.iter().find_map(|(option, asks)| {
        let at = words.iter().position(|word| word == option)?;
        Some((at, *option, *asks))
    }) else {
        return (words, None);
    };
    let note = format!(
        "note: assay audit {option} is assay {asks} now; the old spelling goes with the next version"
    );
    words[1] = asks.into();
    // The law is an option of `conform`; the others said no more than which question it is.
    if option != "--law" {
        words.remove(at);
    }
    (words, Some(note))
}

/// What is said of an option that another command has; `None` of all others.
pub fn said(words: &[OsString], error: &clap::Error) -> Option<Error> {
    if error.kind() != ErrorKind::UnknownArgument || words.get(1)? != "audit" {
        return None;
    }
    let Some(ContextValue::String(option)) = error.get(ContextKind::InvalidArg) else {
        return None;
    };
    let name = option.strip_prefix("--")?;
    let command = command();
    let of = COMMANDS.iter().find(|of| has(&command, of, name))?;
    Some(Error::Usage(format!(
        "{option} is an option of assay {of}, not of assay audit"
    )))
}
