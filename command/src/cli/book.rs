//! `assay book`: the ledger as static pages.

use super::Outcome;
use super::verify::whole_report;
use crate::book::{Book, Run, Stamp};
use crate::error::Error;
use crate::options::whole;
use crate::output;
use crate::papers::figures;
use clap::Args;
use dp_assay_ledger::claim::Effort;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

/// Make a book of the ledger: static pages, of every claim, paper and erratum, from one run.
///
/// Without --from it re-checks all claims first, as `assay verify` does. No page needs a network, and none but the one that checks
/// needs a script.
///
/// Exit status: 0 every claim is as expected, 1 a claim is not, 2 a check or this command could not be run.
#[derive(Debug, Args)]
pub struct Arguments {
    /// The directory for the pages: a new or empty one, or one of a book, which is replaced
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Take the run from this file, written by `assay verify --format json`, and check nothing again
    #[arg(long, value_name = "FILE", conflicts_with = "seed")]
    from: Option<PathBuf>,
    /// Check smaller instances; with --from, take a report of such a run
    #[arg(long)]
    quick: bool,
    /// The seed of the statistical tests
    #[arg(long, value_name = "N", value_parser = whole, allow_hyphen_values = true, default_value_t = Effort::default().seed)]
    seed: u64,
    /// The commit of the sources, which the pages then name
    #[arg(long, value_name = "ID", value_parser = commit)]
    commit: Option<String>,
    /// The exact core as WebAssembly, for the page that checks: `make site` builds it
    #[arg(long, value_name = "FILE")]
    core: Option<PathBuf>,
}

/// No core is larger, in bytes: 2 MiB.
const LARGEST_CORE: u64 = 2 << 20;

/// The core: a module of WebAssembly that a page can hold.
fn read_core(path: &Path) -> Result<Vec<u8>, Error> {
    let file = std::fs::File::open(path).map_err(|source| Error::read(path, source))?;
    let mut bytes = Vec::new();
    let mut few = file.take(LARGEST_CORE + 1);
    few.read_to_end(&mut bytes)
        .map_err(|source| Error::read(path, source))?;
    // The magic number, and version 1.
    if !bytes.starts_with(b"\0asm\x01\0\0\0") {
        return Err(Error::data(
            path,
            "--core is a module of WebAssembly, as 'make site' builds it",
        ));
    }
    if bytes.len() as u64 > LARGEST_CORE {
        return Err(Error::data(
            path,
            format!("--core has at most {LARGEST_CORE} bytes, so that a page can hold it"),
        ));
    }
    Ok(bytes)
}

/// A commit: hexadecimal digits.
fn commit(text: &str) -> Result<String, String> {
    let is_id = (7..=64).contains(&text.len()) && text.chars().all(|sign| sign.is_ascii_hexdigit());
    match is_id {
        true => Ok(text.to_owned()),
        false => Err(
            "a commit has 7 to 64 hexadecimal digits, as 'git rev-parse HEAD' prints them"
                .to_owned(),
        ),
    }
}

/// Runs `assay book`.
pub fn run(arguments: &Arguments) -> Result<Outcome, Error> {
    let named = [&arguments.from, &arguments.core].into_iter().flatten();
    let inputs: Vec<&Path> = named.map(PathBuf::as_path).collect();
    let destination = Destination::new(&arguments.out, &inputs)?;
    let core = arguments.core.as_deref().map(read_core).transpose()?;
    let (text, time, origin) = match &arguments.from {
        Some(path) => {
            let read = |source| Error::read(path, source);
            let text = std::fs::read_to_string(path).map_err(read)?;
            let time = std::fs::metadata(path)
                .and_then(|it| it.modified())
                .map_err(read)?;
            (text, time, path.clone())
        }
        None => {
            let effort = Effort {
                quick: arguments.quick,
                seed: arguments.seed,
                ..Effort::default()
            };
            (
                whole_report(effort)?,
                SystemTime::now(),
                PathBuf::from("the run"),
            )
        }
    };
    let refused = |reason| Error::Data {
        path: origin.clone(),
        reason,
    };
    let run = Run::read(&text).map_err(refused)?;
    if run.summary.quick && !arguments.quick {
        return Err(refused(
            "the report is of a run with --quick, of smaller instances: write it again without, or pass --quick to take it".to_owned(),
        ));
    }
    let stamp = Stamp {
        commit: arguments.commit.clone(),
        date: date(time),
    };
    let book = Book::new(&run, stamp, figures(), core.as_deref())?;
    destination.write(&book)?;
    output::print(&said(&book, &arguments.out))?;
    Ok(
        match (run.summary.could_not_run, run.summary.not_as_expected) {
            (0, 0) => Outcome::AsExpected,
            (0, _) => Outcome::NotAsExpected,
            _ => Outcome::CouldNotRun,
        },
    )
}

/// What was made.
fn said(book: &Book, out: &Path) -> String {
    let bytes: usize = book.files.iter().map(|(_, text)| text.len()).sum();
    let mut text = format!(
        "{} files, {:.1} MB: open {}\n",
        book.files.len(),
        bytes as f64 / 1e6,
        out.join("index.html").display()
    );
    if !book.unread.is_empty() {
        text += &format!(
            "{} formulas could not be read, and stand as they are written\n",
            book.unread.len()
        );
    }
    text
}

/// The day of a time, in UTC.
fn date(time: SystemTime) -> String {
    let seconds = time
        .duration_since(UNIX_EPOCH)
        .map_or(0, |since| since.as_secs());
    let (year, month, day) = civil(seconds / 86_400);
    format!("{year}-{month:02}-{day:02}")
}

/// The year, month and day that many days after 1970-01-01: years begin in March, so that a leap day is the last.
fn civil(days: u64) -> (u64, u64, u64) {
    let days = days + 719_468;
    let (era, of_era) = (days / 146_097, days % 146_097);
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let march = (5 * of_year + 2) / 153;
    let day = of_year - (153 * march + 2) / 5 + 1;
    let month = if march < 10 { march + 3 } else { march - 9 };
    (era * 400 + year + u64::from(month <= 2), month, day)
}

/// The folder of a book.
struct Destination {
    path: PathBuf,
}

/// A file that only a book has: a folder with it may be replaced.
const SEAL: &str = ".assay-book";

impl Destination {
    /// Refuses a place where something else is, before anything is run.
    fn new(path: &Path, inputs: &[&Path]) -> Result<Self, Error> {
        let refused = |reason: &str| Error::Destination {
            path: path.to_owned(),
            reason: reason.to_owned(),
        };
        let inside = |input: &&Path| {
            let (input, own) = (input.canonicalize().ok(), path.canonicalize().ok());
            matches!((input, own), (Some(input), Some(own)) if input.starts_with(&own))
        };
        if inputs.iter().any(inside) {
            return Err(refused(
                "the file of --from or of --core is in it: take another directory for --out",
            ));
        }
        match std::fs::read_dir(path) {
            Err(source) if source.kind() == std::io::ErrorKind::NotFound => {}
            Err(source) if source.kind() == std::io::ErrorKind::NotADirectory => {
                return Err(refused("it is a file, and --out needs a directory"));
            }
            Err(source) => return Err(Error::write(path, source)),
            Ok(entries) => {
                if entries.count() > 0 && !path.join(SEAL).is_file() {
                    return Err(refused(
                        "it is not empty and no book: take a new directory for --out, or empty this one",
                    ));
                }
            }
        }
        Ok(Self {
            path: path.to_owned(),
        })
    }

    /// Writes the book beside its place, and puts it there when it is whole: in the place of an older one.
    fn write(&self, book: &Book) -> Result<(), Error> {
        let above = match self.path.parent() {
            Some(above) if !above.as_os_str().is_empty() => above,
            _ => Path::new("."),
        };
        output::make_directory(above)?;
        let failed = |source| Error::write(&self.path, source);
        let made = tempfile::Builder::new()
            .prefix(".book-")
            .tempdir_in(above)
            .map_err(failed)?;
        let whole = made.path().join("new");
        for (name, text) in &book.files {
            let path = whole.join(name);
            path.parent()
                .map_or(Ok(()), std::fs::create_dir_all)
                .map_err(failed)?;
            std::fs::write(&path, text).map_err(failed)?;
        }
        std::fs::write(whole.join(SEAL), "made by assay book\n").map_err(failed)?;
        if self.path.exists() {
            std::fs::rename(&self.path, made.path().join("old")).map_err(failed)?;
        }
        std::fs::rename(&whole, &self.path).map_err(failed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_is_that_of_the_calendar() {
        for (days, day) in [
            (0, (1970, 1, 1)),
            (59, (1970, 3, 1)),
            (11_016, (2000, 2, 29)),
            (19_782, (2024, 2, 29)),
            (20_784, (2026, 11, 27)),
        ] {
            assert_eq!(civil(days), day);
        }
    }
}
