//! The command in a directory of its own, run as its users run it.

#![allow(dead_code)] // each test takes what it needs

use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tempfile::TempDir;

/// A directory of its own, in which the command runs.
pub struct Room {
    pub directory: TempDir,
}

impl Room {
    pub fn new() -> Self {
        Self {
            directory: tempfile::tempdir().unwrap(),
        }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    pub fn with(self, name: &str, text: &str) -> Self {
        fs::write(self.path(name), text).unwrap();
        self
    }

    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_assay"));
        command.current_dir(self.directory.path()).args(arguments);
        command
    }

    pub fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    /// Runs the command, expects status 0, and returns what it printed.
    pub fn prints(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert_eq!(
            output.status.code(),
            Some(0),
            "{arguments:?}: {}",
            text(&output.stderr)
        );
        text(&output.stdout)
    }

    /// Runs the command, expects status 2, nothing printed and nothing left behind, and returns the message.
    pub fn refuses(&self, arguments: &[&str]) -> String {
        let before = listing(self.directory.path());
        let output = self.run(arguments);
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {message}");
        assert_eq!(text(&output.stdout), "", "{arguments:?}");
        assert_eq!(listing(self.directory.path()), before, "{arguments:?}");
        assert!(message.starts_with("error: "), "{message}");
        message
    }
}

pub fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// Every file below `directory`, with its contents.
pub fn listing(directory: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut files = Vec::new();
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(listing(&path));
            files.push((path, Vec::new()));
        } else {
            // A link may lead nowhere.
            let contents = fs::read(&path).unwrap_or_default();
            files.push((path, contents));
        }
    }
    files.sort();
    files
}

pub fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}
