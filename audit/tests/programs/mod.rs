//! Programs of the machine that tests start. What is installed there decides whether a test is left out, with a word on it, and
//! never what it finds.

#![allow(dead_code)] // each test takes what it needs

use std::ffi::OsString;
use std::process::{Command, Stdio};

/// Python without the packages, the settings and the variables of the machine.
pub const PYTHON: &str = "python3 -E -S -B";

/// Whether this program is here, or the word on what is then not tested.
pub fn is_here(program: &str, what: &str) -> bool {
    let found = Command::new(program)
        .args(["-c", ":"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    if found.is_err() {
        eprintln!("{program} is not here: {what} is not tested");
    }
    found.is_ok()
}

pub fn python_is_here(what: &str) -> bool {
    is_here("python3", what)
}

/// The words that start this program.
pub fn words(program: &str) -> Vec<OsString> {
    let start = if program == "python3" {
        PYTHON
    } else {
        program
    };
    start.split(' ').map(OsString::from).collect()
}
