//! What a program says on its standard error: passed on as it comes, and the end of it kept for errors.

use super::line::cut;
use crate::input::{LastWords, Reading};
use std::io::Write;
use std::process::ChildStderr;
use std::time::Duration;

/// How long its end is waited for, once the program has ended: a process that it left behind may hold it.
const PATIENCE: Duration = Duration::from_secs(1);

/// The standard error of a program.
#[derive(Debug)]
pub(super) struct Complaints(Reading<LastWords>);

impl Complaints {
    /// Passes on what comes.
    pub fn of(errors: Option<ChildStderr>) -> Self {
        Self(Reading::of(errors, |last: &mut LastWords, bytes| {
            // A closed standard error is no reason to stop.
            let _ = std::io::stderr().write_all(bytes);
            last.add(bytes);
        }))
    }

    /// Waits until all has come, but not long.
    pub fn wait(&self) {
        self.0.wait(PATIENCE);
    }

    /// The last line that is not blank, with what a terminal would obey escaped.
    pub fn last_line(&self) -> Option<String> {
        let last = self.0.kept();
        let text = last.text();
        let line = text.lines().map(str::trim).rfind(|line| !line.is_empty())?;
        let escaped = line.chars().flat_map(|letter| {
            let as_it_is = matches!(letter, '"' | '\'' | '\\');
            let escaped = (!as_it_is).then(|| letter.escape_debug());
            escaped
                .into_iter()
                .flatten()
                .chain(as_it_is.then_some(letter))
        });
        Some(cut(escaped.collect()))
    }
}
