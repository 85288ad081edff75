//! Where results go: standard output, or a file that is there as a whole or not at all.

use crate::error::Error;
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// Prints `text` on standard output, as it is.
pub fn print(text: &str) -> Result<(), Error> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())
        .and_then(|()| out.flush())
        .map_err(Error::Print)
}

/// Prints a value as JSON, on several lines.
pub fn print_json(value: &impl serde::Serialize) -> Result<(), Error> {
    print(&json(value)?)
}

/// A value as JSON, on several lines, with a newline at the end.
pub fn json(value: &impl serde::Serialize) -> Result<String, Error> {
    let mut text = serde_json::to_string_pretty(value)
        .map_err(|error| Error::Print(io::Error::other(error)))?;
    text.push('\n');
    Ok(text)
}

/// Prints a warning on standard error.
pub fn warn(text: &str) {
    // A closed standard error is no reason to stop.
    let _ = writeln!(io::stderr(), "warning: {text}");
}

/// Says on standard error what is about to be done, if that is a terminal.
pub fn progress(text: &str) {
    let mut error = io::stderr();
    if error.is_terminal() {
        // A closed standard error is no reason to stop.
        let _ = writeln!(error, "{text}");
    }
}

/// Whether standard output may be coloured: it is a terminal that is not dumb, and `NO_COLOR` is not set.
pub fn colour() -> bool {
    may_colour(io::stdout().is_terminal(), |name| std::env::var_os(name))
}

fn may_colour(is_terminal: bool, variable: impl Fn(&str) -> Option<OsString>) -> bool {
    let is_set = |name| variable(name).is_some_and(|value| !value.is_empty());
    is_terminal && !is_set("NO_COLOR") && variable("TERM").is_none_or(|term| term != "dumb")
}

/// A file to be written: everything that can be refused is refused here, before the work.
#[derive(Debug)]
pub struct Destination {
    path: PathBuf,
    directory: PathBuf,
}

impl Destination {
    /// Checks that `path` can be written and is none of `inputs`, and leaves nothing behind.
    pub fn new(path: &Path, inputs: &[&Path]) -> Result<Self, Error> {
        let refuse = |reason| Error::Destination {
            path: path.to_owned(),
            reason,
        };
        if path.file_name().is_none() {
            return Err(refuse("a file name is needed"));
        }
        let mut target = path.to_owned();
        // A link is followed: what it leads to is replaced, not the link.
        if let Ok(existing) = path.canonicalize() {
            if !existing.is_file() {
                return Err(refuse("it is there already, and is not a regular file"));
            }
            if inputs
                .iter()
                .any(|input| input.canonicalize().is_ok_and(|input| input == existing))
            {
                return Err(refuse("it is an input of this command"));
            }
            target = existing;
        }
        let directory = match target.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent.to_owned(),
            _ => PathBuf::from("."),
        };
        let destination = Self {
            path: target,
            directory,
        };
        drop(destination.temporary()?);
        Ok(destination)
    }

    /// A temporary file beside the target, which is gone when dropped.
    fn temporary(&self) -> Result<NamedTempFile, Error> {
        tempfile::Builder::new()
            .prefix(".assay-")
            .suffix(".tmp")
            // With the permissions of an ordinary new file, not those of a secret one.
            .make_in(&self.directory, |path| File::create_new(path))
            .map_err(|source| Error::write(&self.path, source))
    }

    /// Writes the file: to a temporary one beside it, which takes its place when it is complete.
    pub fn write(
        &self,
        contents: impl FnOnce(&mut dyn Write) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let wrong = |source| Error::write(&self.path, source);
        let mut temporary = self.temporary()?;
        let mut buffered = BufWriter::new(temporary.as_file_mut());
        contents(&mut buffered)?;
        buffered.flush().map_err(wrong)?;
        drop(buffered);
        temporary.as_file().sync_all().map_err(wrong)?;
        temporary
            .persist(&self.path)
            .map_err(|error| wrong(error.error))?;
        Ok(())
    }

    /// Writes `text`.
    pub fn write_text(&self, text: &str) -> Result<(), Error> {
        self.write(|out| {
            out.write_all(text.as_bytes())
                .map_err(|source| Error::write(&self.path, source))
        })
    }

    /// Removes the file that is there, if there is one.
    pub fn remove(&self) -> Result<(), Error> {
        match std::fs::remove_file(&self.path) {
            Err(source) if source.kind() != io::ErrorKind::NotFound => {
                Err(Error::write(&self.path, source))
            }
            _ => Ok(()),
        }
    }

    /// The file's path, links followed.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_terminal_that_can_and_may_is_coloured() {
        for (is_terminal, variables, expected) in [
            (true, vec![], true),
            (true, vec![("TERM", "xterm"), ("NO_COLOR", "")], true),
            (true, vec![("TERM", "dumb")], false),
            (true, vec![("NO_COLOR", "1")], false),
            (false, vec![("TERM", "xterm")], false),
        ] {
            let variable = |wanted: &str| {
                let found = variables.iter().find(|(name, _)| *name == wanted);
                found.map(|(_, value)| OsString::from(value))
            };
            assert_eq!(may_colour(is_terminal, variable), expected);
        }
    }
}
