//! `assay vectors`: the certified values and vectors of `spec/vectors/v1`.

use crate::error::Error;
use crate::output;
use crate::vectors::{Class, File, files};
use clap::{Args, ValueEnum};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Write the certified values and the vectors that other test suites adopt: always the same bytes.
///
/// A folder of JSON files and MANIFEST.json, which lists them with their hashes. spec/vectors/README.md says what they
/// are; spec/vectors/v1 is what this command writes. The accounts take many minutes: --only leaves them out.
#[derive(Debug, Args)]
pub struct Arguments {
    /// The folder to write: one that is not there yet, or is empty
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// These classes alone; the manifest lists no others
    #[arg(long, value_enum, value_name = "CLASS", value_delimiter = ',')]
    only: Vec<Class>,
}

/// Runs `assay vectors`.
pub fn run(arguments: &Arguments) -> Result<(), Error> {
    let destination = Folder::new(&arguments.out)?;
    let chosen = |class: &Class| arguments.only.is_empty() || arguments.only.contains(class);
    let classes: Vec<Class> = Class::value_variants()
        .iter()
        .copied()
        .filter(chosen)
        .collect();
    output::progress(&progress(&classes));
    let files = files(&classes)?;
    destination.write(&files)?;
    let bytes: usize = files.iter().map(|file| file.text.len()).sum();
    output::print(&format!(
        "{}: {} files, {bytes} bytes\n",
        output::printable(&arguments.out.display().to_string()),
        files.len()
    ))
}

/// What is being done. How long it takes depends on the machine, and is not said.
fn progress(classes: &[Class]) -> String {
    let names: Vec<String> = classes
        .iter()
        .filter_map(|class| Some(class.to_possible_value()?.get_name().to_owned()))
        .collect();
    format!("computing {} ...", names.join(", "))
}

/// A folder that is there as a whole, or not at all.
struct Folder<'a> {
    path: &'a Path,
    /// Where it is made, on the same disk.
    parent: PathBuf,
}

impl<'a> Folder<'a> {
    /// Checks before the work that the folder can be made.
    fn new(path: &'a Path) -> Result<Self, Error> {
        let refuse = |reason: &str| Error::Destination {
            path: path.to_owned(),
            reason: reason.to_owned(),
        };
        if path.file_name().is_none() {
            return Err(refuse("--out needs the name of a folder"));
        }
        match fs::symlink_metadata(path) {
            Ok(found) if !found.is_dir() => {
                return Err(refuse("it is there already, and is no folder"));
            }
            Ok(_) => {
                let mut entries = fs::read_dir(path).map_err(|source| Error::read(path, source))?;
                if entries.next().is_some() {
                    return Err(refuse(
                        "it is there already, and is not empty: name a new folder",
                    ));
                }
            }
            Err(source) if source.kind() == io::ErrorKind::NotFound => {}
            Err(source) => return Err(Error::write(path, source)),
        }
        let parent = match path.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent.to_owned(),
            _ => PathBuf::from("."),
        };
        if !parent.is_dir() {
            return Err(refuse("the folder that it would be in is not there"));
        }
        let folder = Self { path, parent };
        drop(folder.temporary()?);
        if path.is_dir() {
            folder.try_to_move()?;
        }
        Ok(folder)
    }

    /// Moves the empty folder away and back: what can't be moved, as a mount point, can't be replaced after the work either.
    fn try_to_move(&self) -> Result<(), Error> {
        let refuse = |source: io::Error| Error::Destination {
            path: self.path.to_owned(),
            reason: format!(
                "it is there already, and cannot be replaced ({source}): name a new folder"
            ),
        };
        let away = self.temporary()?.path().with_extension("moved");
        fs::rename(self.path, &away).map_err(refuse)?;
        fs::rename(&away, self.path).map_err(refuse)
    }

    fn temporary(&self) -> Result<tempfile::TempDir, Error> {
        tempfile::Builder::new()
            .prefix(".assay-")
            .suffix(".tmp")
            .tempdir_in(&self.parent)
            .map_err(|source| Error::write(self.path, source))
    }

    /// Writes the files beside the folder, and puts them in its place when they are complete.
    fn write(&self, files: &[File]) -> Result<(), Error> {
        let wrong = |source| Error::write(self.path, source);
        let temporary = self.temporary()?;
        // With the permissions of an ordinary new folder, not those of a secret one.
        let whole = temporary.path().join("whole");
        fs::create_dir(&whole).map_err(wrong)?;
        for file in files {
            let path = whole.join(&file.path);
            if let Some(folder) = path.parent() {
                fs::create_dir_all(folder).map_err(wrong)?;
            }
            fs::write(&path, &file.text).map_err(wrong)?;
        }
        // An empty folder is replaced; one that has been filled meanwhile is not.
        match fs::remove_dir(self.path) {
            Err(source) if source.kind() != io::ErrorKind::NotFound => return Err(wrong(source)),
            _ => {}
        }
        fs::rename(&whole, self.path).map_err(wrong)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_progress_names_the_classes_and_promises_no_time() {
        assert_eq!(
            progress(&[Class::Values, Class::SelfTest]),
            "computing values, self-test ..."
        );
    }

    #[test]
    fn an_empty_folder_is_tried_before_the_work_and_stays_as_it_was() {
        let room = tempfile::tempdir().unwrap();
        let path = room.path().join("empty");
        fs::create_dir(&path).unwrap();
        Folder::new(&path).unwrap();
        assert!(path.is_dir());
        assert_eq!(fs::read_dir(room.path()).unwrap().count(), 1);
    }
}
