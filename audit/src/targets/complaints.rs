//! What a program says on its standard error: passed on as it comes, and the end of it kept for errors.

use super::line::cut;
use std::io::{Read, Write};
use std::process::ChildStderr;
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// So many bytes of the end are kept.
const KEPT: usize = 1 << 12;
/// How long its end is waited for, once the program has ended: a process that it left behind may hold it.
const PATIENCE: Duration = Duration::from_secs(1);

/// The standard error of a program.
#[derive(Debug)]
pub(super) struct Complaints {
    last: Arc<Mutex<Vec<u8>>>,
    // Disconnected at the end.
    end: Receiver<()>,
}

impl Complaints {
    /// Passes on what comes, in a thread of its own.
    pub fn of(errors: Option<ChildStderr>) -> Self {
        let last = Arc::new(Mutex::new(Vec::new()));
        let (at_end, end) = channel::<()>();
        if let Some(mut errors) = errors {
            let last = Arc::clone(&last);
            thread::spawn(move || {
                let _at_end = at_end;
                let mut chunk = [0; KEPT];
                loop {
                    match errors.read(&mut chunk) {
                        Ok(0) => return,
                        Ok(length) => {
                            // A closed standard error is no reason to stop.
                            let _ = std::io::stderr().write_all(&chunk[..length]);
                            let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
                            last.extend_from_slice(&chunk[..length]);
                            let old = last.len().saturating_sub(KEPT);
                            last.drain(..old);
                        }
                        Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                        Err(_) => return,
                    }
                }
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
        let text = String::from_utf8_lossy(&last);
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
