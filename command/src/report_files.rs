//! The files of `--report DIR`: all of this run, or none.

use crate::error::Error;
use crate::output::{self, Destination};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

/// The files of a report.
pub struct ReportFiles {
    /// Dropped with the rest: see there.
    _made: MadeDirectories,
    files: Vec<Destination>,
}

impl ReportFiles {
    /// Makes the directory, if it is not there, and checks that all can be written and are none of `inputs`. A report that is
    /// there is removed, all that can be removed of it: if this run does not come to an end, or is refused, it must not be
    /// taken for the report of this run. So this comes first.
    pub fn new(directory: &Path, names: &[&str], inputs: &[&Path]) -> Result<Self, Error> {
        let _made = MadeDirectories::new(directory)?;
        let file = |name: &&str| {
            let path = directory.join(name);
            remove_link(&path, inputs)?;
            Destination::new(&path, inputs)
        };
        let files: Vec<Result<Destination, Error>> = names.iter().map(file).collect();
        let removed: Vec<_> = files.iter().flatten().map(Destination::remove).collect();
        let files = files.into_iter().collect::<Result<_, _>>()?;
        removed.into_iter().collect::<Result<(), _>>()?;
        Ok(Self { _made, files })
    }

    /// The same, if there is to be a report.
    pub fn asked(
        directory: Option<&Path>,
        names: &[&str],
        inputs: &[&Path],
    ) -> Result<Option<Self>, Error> {
        directory
            .map(|directory| Self::new(directory, names, inputs))
            .transpose()
    }

    /// Writes these texts, in the order of the names: each as a whole or not at all, and all were made before the first.
    pub fn write(&self, texts: &[String]) -> Result<(), Error> {
        for (file, text) in self.files.iter().zip(texts) {
            file.write_text(text)?;
        }
        Ok(())
    }
}

/// Removes the report of a run before, whose files have these names, where the words of this run could not be understood: their
/// report must not be taken for its own. What another word names may be read, and stays.
pub fn forget(words: &[OsString], names: &[&str]) {
    for directory in directories(words) {
        for name in names {
            let is_named = words
                .iter()
                .any(|word| word.to_string_lossy().contains(name));
            if !is_named {
                // There may be none, and the wrong usage is what is said.
                let _ = fs::remove_file(directory.join(name));
            }
        }
    }
}

/// What `--report` names among these words.
fn directories(words: &[OsString]) -> Vec<PathBuf> {
    let after = words.windows(2).filter(|pair| pair[0] == "--report");
    let joined = words
        .iter()
        .filter_map(|word| word.to_str()?.strip_prefix("--report="));
    after
        .map(|pair| PathBuf::from(&pair[1]))
        .chain(joined.map(PathBuf::from))
        .collect()
}

/// Removes what is only a link: what it leads to is of others, and stays.
fn remove_link(path: &Path, inputs: &[&Path]) -> Result<(), Error> {
    let leads_to = path.canonicalize().ok();
    let is_read = |input: &&Path| {
        input
            .canonicalize()
            .is_ok_and(|input| Some(input) == leads_to)
    };
    if !path.is_symlink() || inputs.iter().any(is_read) {
        return Ok(());
    }
    fs::remove_file(path).map_err(|source| Error::write(path, source))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_of_a_run_before_is_gone_and_directories_without_one_are_removed_again() {
        let above = tempfile::tempdir().unwrap();
        let deep = above.path().join("a/b");
        let new = |path: &Path| ReportFiles::new(path, &["one", "two"], &[]);
        drop(new(&deep).unwrap());
        assert!(!above.path().join("a").exists());
        // Those that were there, or that hold something, stay.
        fs::create_dir(above.path().join("a")).unwrap();
        let files = new(&deep).unwrap();
        files.write(&["1".to_owned(), "2".to_owned()]).unwrap();
        drop(files);
        assert_eq!(fs::read_to_string(deep.join("two")).unwrap(), "2");
        drop(new(above.path()).unwrap());
        assert!(deep.exists());
        // But the report of a run before is gone as soon as the next one begins; other files stay.
        fs::write(deep.join("three"), "").unwrap();
        drop(new(&deep).unwrap());
        assert_eq!(fs::read_dir(&deep).unwrap().count(), 1);
        // Nor is anything left where a file cannot be written.
        let taken = above.path().join("file");
        fs::write(&taken, "").unwrap();
        assert!(new(&taken.join("a/b")).is_err() && taken.exists());
    }

    #[test]
    fn one_file_that_cannot_be_written_keeps_none_of_the_others() {
        let names = ["one", "two", "three"];
        for wrong in names {
            let room = tempfile::tempdir().unwrap();
            let path = |name: &str| room.path().join(name);
            for name in names {
                match name == wrong {
                    true => fs::create_dir(path(name)).unwrap(),
                    false => fs::write(path(name), "of yesterday").unwrap(),
                }
            }
            assert!(ReportFiles::new(room.path(), &names, &[]).is_err());
            let left: Vec<_> = fs::read_dir(room.path()).unwrap().collect();
            assert_eq!(left.len(), 1);
            assert_eq!(left[0].as_ref().unwrap().file_name(), wrong);
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_link_is_removed_and_not_what_it_leads_to() {
        let room = tempfile::tempdir().unwrap();
        let path = |name: &str| room.path().join(name);
        fs::write(path("other"), "of others").unwrap();
        std::os::unix::fs::symlink(path("other"), path("one")).unwrap();
        std::os::unix::fs::symlink(path("nowhere"), path("two")).unwrap();
        let files = ReportFiles::new(room.path(), &["one", "two"], &[]).unwrap();
        assert!(!path("one").is_symlink() && !path("two").is_symlink());
        files.write(&["1".to_owned(), "2".to_owned()]).unwrap();
        assert_eq!(fs::read_to_string(path("other")).unwrap(), "of others");
        assert_eq!(fs::read_to_string(path("two")).unwrap(), "2");
        assert!(!path("nowhere").exists());
    }

    #[test]
    fn words_that_are_not_understood_leave_no_report_of_a_run_before() {
        for written in ["--report DIR", "--report=DIR"] {
            let room = tempfile::tempdir().unwrap();
            let path = |name: &str| room.path().join(name);
            for name in ["one", "two", "three"] {
                fs::write(path(name), "of yesterday").unwrap();
            }
            let directory = room.path().to_str().unwrap();
            let words = written.replace("DIR", directory) + " audit --pair two,b.json --runs 3";
            let words: Vec<OsString> = words.split(' ').map(OsString::from).collect();
            forget(&words, &["one", "two"]);
            assert!(!path("one").exists());
            // The second may be what is read, and the third is no file of a report.
            assert!(path("two").exists() && path("three").exists());
        }
    }

    #[test]
    fn what_is_read_is_not_removed() {
        let room = tempfile::tempdir().unwrap();
        let input = room.path().join("one");
        fs::write(&input, "records").unwrap();
        assert!(ReportFiles::new(room.path(), &["one", "two"], &[&input]).is_err());
        assert_eq!(fs::read_to_string(&input).unwrap(), "records");
    }
}
