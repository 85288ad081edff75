//! What a program says on its standard error: passed on as it comes, and the end of it kept for errors.

use super::line::cut;
use crate::input::{LastWords, read_pipe};
use std::io::Write;
use std::ops::ControlFlow;
use std::process::ChildStderr;
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// How long its end is waited for, once the program has ended: a process that it left behind may hold it.
const PATIENCE: Duration = Duration::from_secs(1);

/// The standard error of a program.
#[derive(Debug)]
pub(super) struct Complaints {
    last: Arc<Mutex<LastWords>>,
    // Disconnected at the end.
    end: Receiver<()>,
}

impl Complaints {
    /// Passes on what comes, in a thread of its own.
    pub fn of(errors: Option<ChildStderr>) -> Self {
        let last = Arc::new(Mutex::new(LastWords::default()));
        let (at_end, end) = channel::<()>();
        if let Some(errors) = errors {
            let last = Arc::clone(&last);
            thread::spawn(move || {
                let _at_end = at_end;
                read_pipe(errors, |bytes| {
                    // A closed standard error is no reason to stop.
                    let _ = std::io::stderr().write_all(bytes);
                    let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
                    last.add(bytes);
                    ControlFlow::Continue(())
                });
            });
        }
        Self { last, end }
    }

    /// Waits until all has come, but not long.
    pub fn wait(&self) {
        let _ = self.end.recv_timeout(PATIENCE);
    }

    /// The last line that is not blank, with what a terminal would obey escaped.
    pub fn last_line(&self) -> Option<String> {
        let last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
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
