//! The files of `--report`, each written as a whole or not at all.

use crate::error::Error;
use crate::output::{self, Destination};
use dp_assay_audit::report::AuditReport;
use dp_assay_audit::targets::quoted;
use serde_json::Value;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The files of `--report`.
pub struct ReportFiles {
    /// Dropped with the rest: see there.
    _made: MadeDirectories,
    json: Destination,
    html: Destination,
    junit: Destination,
    sarif: Destination,
}

impl ReportFiles {
    /// Makes the directory, if it is not there, and checks that it can be written. A report that is there is removed: if
    /// this run does not come to an end, it must not be taken for the report of this run.
    pub fn new(directory: &Path) -> Result<Self, Error> {
        let made = MadeDirectories::new(directory)?;
        let file = |name| Destination::new(&directory.join(name), &[]);
        let files = Self {
            _made: made,
            json: file("report.json")?,
            html: file("report.html")?,
            junit: file("report.xml")?,
            sarif: file("report.sarif")?,
        };
        for file in [&files.json, &files.html, &files.junit, &files.sarif] {
            file.remove()?;
        }
        Ok(files)
    }

    /// Writes them, each as a whole or not at all.
    pub fn write(&self, report: &AuditReport) -> Result<(), Error> {
        let replay = replay(std::env::args_os().map(|word| word.to_string_lossy().into_owned()));
        let mut json = report.json.clone();
        if let Some(fields) = json.as_object_mut() {
            fields.insert("replay".to_owned(), Value::from(replay.clone()));
        }
        let html = report.html(&replay);
        // All are made before the first is written.
        let junit = report.junit(&replay);
        let junit = junit.map_err(|error| Error::Print(io::Error::other(error)))?;
        let json = output::json(&json)?;
        // Where there is no current directory, no script is found in it.
        let directory = std::env::current_dir().unwrap_or_default();
        let sarif = output::json(&report.sarif(&replay, &directory))?;
        self.json.write_text(&json)?;
        self.html.write_text(&html)?;
        self.junit.write_text(&junit)?;
        self.sarif.write_text(&sarif)
    }
}

/// Directories that were made for a report, the deepest first. Those in which nothing was written are removed again.
struct MadeDirectories(Vec<PathBuf>);

impl MadeDirectories {
    /// Makes `directory`, and those that it is in.
    fn new(directory: &Path) -> Result<Self, Error> {
        let missing = directory.ancestors().filter(|above| !above.exists());
        let made = Self(missing.map(Path::to_owned).collect());
        output::make_directory(directory)?;
        Ok(made)
    }
}

impl Drop for MadeDirectories {
    fn drop(&mut self) {
        for directory in &self.0 {
            // One that is not empty stays: this removes no files.
            let _ = fs::remove_dir(directory);
        }
    }
}

/// The command that repeats this one, for a shell. The directory of the report is left out.
fn replay(arguments: impl Iterator<Item = String>) -> String {
    let mut words = vec!["assay".to_owned()];
    let mut arguments = arguments.skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--report" => drop(arguments.next()),
            _ if argument.starts_with("--report=") => {}
            _ => words.push(quoted(&[argument])),
        }
    }
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report() -> AuditReport {
        AuditReport::inconclusive(
            "the program is (1, 0)-private".to_owned(),
            "sh",
            "it coughs",
            None,
        )
    }

    #[test]
    fn directories_without_a_report_are_removed_again() {
        let above = tempfile::tempdir().unwrap();
        let deep = above.path().join("a/b");
        drop(ReportFiles::new(&deep).unwrap());
        assert!(!above.path().join("a").exists());
        // Those that were there, or that hold something, stay.
        fs::create_dir(above.path().join("a")).unwrap();
        let files = ReportFiles::new(&deep).unwrap();
        files.write(&report()).unwrap();
        drop(files);
        assert!(deep.join("report.json").exists());
        drop(ReportFiles::new(above.path()).unwrap());
        assert!(deep.exists());
        // But the report of a run before is gone as soon as the next one begins.
        drop(ReportFiles::new(&deep).unwrap());
        assert_eq!(fs::read_dir(&deep).unwrap().count(), 0);
        // Nor is anything left where a file cannot be written.
        let taken = above.path().join("file");
        fs::write(&taken, "").unwrap();
        assert!(ReportFiles::new(&taken.join("a/b")).is_err() && taken.exists());
    }

    #[test]
    fn the_replay_is_quoted_for_a_shell_and_leaves_the_report_out() {
        let words = "x|audit|--report|out|--target|sh -c 'a'|--report=b|--law|".split('|');
        let command = replay(words.map(ToOwned::to_owned));
        assert_eq!(command, r"assay audit --target 'sh -c '\''a'\''' --law ''");
    }
}
