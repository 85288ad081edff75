//! Where results go: standard output, or a file that is there as a whole or not at all.

use crate::error::Error;
use dp_assay_audit::ending::before_the_end;
pub use dp_assay_audit::report::printable;
use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
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
    let _ = writeln!(io::stderr(), "warning: {}", printable(text));
}

/// Says on standard error what whoever runs this should know before it is done.
pub fn note(text: &str) {
    // A closed standard error is no reason to stop.
    let _ = writeln!(io::stderr(), "{}", printable(text));
}

/// Says on standard error what is about to be done, if that is a terminal.
pub fn progress(text: &str) {
    let mut error = io::stderr();
    if error.is_terminal() {
        // A closed standard error is no reason to stop.
        let _ = writeln!(error, "{}", printable(text));
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

/// Makes a directory, and those that it is in, if they are not there.
///
/// # Errors
/// [`Error::Destination`] if something else has its name or that of one above it, and what the operating system said.
pub fn make_directory(path: &Path) -> Result<(), Error> {
    fs::create_dir_all(path).map_err(|source| match source.kind() {
        io::ErrorKind::AlreadyExists | io::ErrorKind::NotADirectory => Error::Destination {
            path: path.to_owned(),
            reason:
                "a directory is needed, and something else has its name or that of one above it"
                    .to_owned(),
        },
        _ => Error::write(path, source),
    })
}

/// What is written to a file, so that a file of the same kind may be replaced.
#[derive(Debug)]
pub struct Kind {
    /// Whether the first bytes of a file are those of this kind.
    pub is: fn(&[u8]) -> bool,
    /// What such a file is.
    pub name: &'static str,
}

impl Kind {
    /// How many bytes are looked at: the header of a table with a million columns has fewer.
    const FIRST: u64 = 1 << 24;

    /// Refuses a file that is there, and neither of this kind nor empty.
    fn refuse_another(&self, path: &Path) -> Result<(), Error> {
        let mut first = Vec::new();
        match File::open(path).and_then(|file| file.take(Self::FIRST).read_to_end(&mut first)) {
            Err(source) if source.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(source) => return Err(Error::read(path, source)),
            Ok(_) => {}
        }
        if first.is_empty() || (self.is)(&first) {
            return Ok(());
        }
        Err(Error::Destination {
            path: path.to_owned(),
            reason: format!(
                "it is there already, and is not {} (--force replaces it)",
                self.name
            ),
        })
    }
}

/// A file to be written: everything that can be refused is refused here, before the work.
#[derive(Debug)]
pub struct Destination {
    path: PathBuf,
    directory: PathBuf,
    /// What a file that is there must be, when this is written too.
    kind: Option<&'static Kind>,
}

impl Destination {
    /// Checks that `path` can be written and is none of `inputs`, and leaves nothing behind.
    pub fn new(path: &Path, inputs: &[&Path]) -> Result<Self, Error> {
        let refuse = |reason: &str| Error::Destination {
            path: path.to_owned(),
            reason: reason.to_owned(),
        };
        if path.file_name().is_none() {
            return Err(refuse("a file name is needed"));
        }
        let given = path.as_os_str().as_encoded_bytes();
        if given.ends_with(b"/") || given.ends_with(b"/.") {
            return Err(refuse(
                "a file name is needed, and this is that of a directory",
            ));
        }
        let mut target = path.to_owned();
        match fs::symlink_metadata(path) {
            Ok(found) if found.is_symlink() && !path.exists() => {
                return Err(refuse("it is a link to a file that is not there"));
            }
            Ok(_) => {}
            Err(source) if source.kind() == io::ErrorKind::NotFound => {}
            // A name that is too long, for one.
            Err(source) => return Err(Error::write(path, source)),
        }
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
            kind: None,
        };
        drop(destination.temporary(|path| File::create_new(path))?);
        Ok(destination)
    }

    /// The same for a file of this kind: one that is there already is replaced if it is of this kind, or empty, or with
    /// `force`.
    pub fn of_kind(
        path: &Path,
        inputs: &[&Path],
        kind: &'static Kind,
        force: bool,
    ) -> Result<Self, Error> {
        let destination = Self::new(path, inputs)?;
        if force {
            return Ok(destination);
        }
        kind.refuse_another(path)?;
        Ok(Self {
            kind: Some(kind),
            ..destination
        })
    }

    /// A temporary file beside the target, which is gone when dropped, and when a signal ends the process.
    fn temporary(&self, make: fn(&Path) -> io::Result<File>) -> Result<Temporary, Error> {
        before_the_end(remove_temporaries).map_err(Error::signals)?;
        let mut temporaries = temporaries();
        let file = tempfile::Builder::new()
            .prefix(".assay-")
            .suffix(".tmp")
            .make_in(&self.directory, make)
            .map_err(|source| Error::write(&self.path, source))?;
        temporaries.push(file.path().to_owned());
        Ok(Temporary(file))
    }

    /// Writes the file: to a temporary one beside it, which takes its place when it is complete. What is there by then must
    /// still be of the kind that may be replaced.
    pub fn write(
        &self,
        contents: impl FnOnce(&mut dyn Write) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let temporary = self.complete(contents)?;
        if let Some(kind) = self.kind {
            kind.refuse_another(&self.path)?;
        }
        // The name is gone afterwards; until then an interrupt removes what is there.
        fs::rename(temporary.0.path(), &self.path)
            .map_err(|source| Error::write(&self.path, source))
    }

    /// Writes `text` where nothing is replaced but an empty file: if there is a file of this name by now, that stays, and the new
    /// one is `NAME-2`, or the first after it that is free. Returns its path.
    pub fn write_new(&self, text: &str) -> Result<PathBuf, Error> {
        let wrong = |source| Error::write(&self.path, source);
        let temporary = self.complete(|out| out.write_all(text.as_bytes()).map_err(wrong))?;
        if fs::metadata(&self.path).is_ok_and(|found| found.is_file() && found.len() == 0) {
            fs::remove_file(&self.path).map_err(wrong)?;
        }
        let mut number = 1;
        loop {
            let path = numbered(&self.path, number);
            match take_name(temporary.0.path(), &path) {
                Err(source) if source.kind() == io::ErrorKind::AlreadyExists => number += 1,
                taken => return taken.map(|()| path).map_err(wrong),
            }
        }
    }

    /// A temporary file with these contents, all of them on the disk.
    fn complete(
        &self,
        contents: impl FnOnce(&mut dyn Write) -> Result<(), Error>,
    ) -> Result<Temporary, Error> {
        let wrong = |source| Error::write(&self.path, source);
        // With the permissions of an ordinary new file, not those of a secret one.
        let mut temporary = self.temporary(|path| File::create_new(path))?;
        let mut buffered = BufWriter::new(temporary.0.as_file_mut());
        contents(&mut buffered)?;
        buffered.flush().map_err(wrong)?;
        drop(buffered);
        temporary.0.as_file().sync_all().map_err(wrong)?;
        Ok(temporary)
    }

    /// Writes `text`.
    pub fn write_text(&self, text: &str) -> Result<(), Error> {
        self.write(|out| {
            out.write_all(text.as_bytes())
                .map_err(|source| Error::write(&self.path, source))
        })
    }

    /// Makes the file, for its owner alone: as a whole or not at all, and not if there is one of this name by now. `write` has
    /// it before anybody else can; what is written to it later comes at its end.
    pub fn create_private(
        &self,
        write: impl FnOnce(&mut File) -> Result<(), Error>,
    ) -> Result<File, Error> {
        let wrong = |source| Error::write(&self.path, source);
        let mut temporary = self.temporary(for_its_owner)?;
        write(temporary.0.as_file_mut())?;
        temporary.0.as_file().sync_all().map_err(wrong)?;
        let file = temporary.0.as_file().try_clone().map_err(wrong)?;
        fs::hard_link(temporary.0.path(), &self.path).map_err(|source| match source.kind() {
            io::ErrorKind::AlreadyExists => Error::Destination {
                path: self.path.clone(),
                reason: "there is a file of this name by now".to_owned(),
            },
            _ => wrong(source),
        })?;
        drop(temporary);
        #[cfg(unix)]
        File::open(&self.directory)
            .and_then(|directory| directory.sync_all())
            .map_err(wrong)?;
        Ok(file)
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

/// The path itself, and then `model-2.json`, `model-3.json` and so on.
fn numbered(path: &Path, number: u64) -> PathBuf {
    if number == 1 {
        return path.to_owned();
    }
    let mut name = path.file_stem().unwrap_or_default().to_owned();
    name.push(format!("-{number}"));
    if let Some(extension) = path.extension() {
        name.push(".");
        name.push(extension);
    }
    path.with_file_name(name)
}

/// Gives a complete file this name if no file has it.
fn take_name(complete: &Path, name: &Path) -> io::Result<()> {
    match fs::hard_link(complete, name) {
        // Where files have one name only: the name is taken first, and then what it names is replaced.
        Err(source) if source.kind() != io::ErrorKind::AlreadyExists => {
            File::create_new(name)?;
            fs::rename(complete, name).inspect_err(|_| {
                let _ = fs::remove_file(name);
            })
        }
        done => done,
    }
}

/// A new file that only its owner may read.
fn for_its_owner(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.append(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// A temporary file, which is on the list of [`TEMPORARIES`] as long as it is there.
struct Temporary(NamedTempFile);

impl Drop for Temporary {
    fn drop(&mut self) {
        temporaries().retain(|path| path != self.0.path());
    }
}

/// The temporary files that are there.
static TEMPORARIES: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn temporaries() -> MutexGuard<'static, Vec<PathBuf>> {
    TEMPORARIES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes the temporary files. The lock is kept to the end: none is made any more.
fn remove_temporaries() {
    let temporaries = std::mem::ManuallyDrop::new(temporaries());
    for path in temporaries.iter() {
        let _ = fs::remove_file(path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_private_file_is_whole_and_takes_no_name_that_is_taken() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("state");
        let destination = Destination::new(&path, &[]).unwrap();
        let write = |text: &'static [u8]| {
            let path = path.clone();
            let wrong = move |error| Error::write(&path, error);
            destination.create_private(move |file| file.write_all(text).map_err(wrong))
        };
        let failed = destination.create_private(|file| {
            file.write_all(b"half").unwrap();
            Err(Error::Print(io::Error::other("no room")))
        });
        assert!(failed.is_err() && !path.exists());
        let mut file = write(b"first\n").unwrap();
        let again = write(b"second\n").unwrap_err().to_string();
        assert!(
            again.ends_with("there is a file of this name by now"),
            "{again}"
        );
        file.write_all(b"more\n").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "first\nmore\n");
        // Nothing is left beside it.
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1);
    }

    #[test]
    fn what_came_meanwhile_is_not_replaced() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("model.json");
        let destination = Destination::new(&path, &[]).unwrap();
        fs::write(&path, "").unwrap();
        assert_eq!(destination.write_new("first").unwrap(), path);
        for (number, text) in [(2, "second"), (3, "third")] {
            let other = directory.path().join(format!("model-{number}.json"));
            assert_eq!(destination.write_new(text).unwrap(), other);
            assert_eq!(fs::read_to_string(other).unwrap(), text);
        }
        assert_eq!(fs::read_to_string(&path).unwrap(), "first");
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 3);
        let names = [("a", "a-2"), ("a.b.c", "a.b-2.c"), (".hidden", ".hidden-2")];
        for (name, other) in names {
            assert_eq!(numbered(Path::new(name), 2), Path::new(other));
        }
    }

    #[test]
    fn what_came_meanwhile_and_is_of_another_kind_is_not_replaced_either() {
        static KIND: Kind = Kind {
            is: |first| first.starts_with(b"table"),
            name: "a table",
        };
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("out");
        let destination = Destination::of_kind(&path, &[], &KIND, false).unwrap();
        for (there, is_replaced) in [("thesis", false), ("table one", true), ("", true)] {
            fs::write(&path, there).unwrap();
            assert_eq!(destination.write_text("table two").is_ok(), is_replaced);
            let left = if is_replaced { "table two" } else { there };
            assert_eq!(fs::read_to_string(&path).unwrap(), left);
        }
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1);
    }

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
