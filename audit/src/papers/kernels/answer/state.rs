//! The state file of a session: what it was opened with, and a line for each answer, on the disk before the answer is told.
//!
//! It has the records that the minimiser is made of, and the hidden threshold, so it is **private**. It is locked while a session runs. A copy of it that
//! is put back after more answers were told spends the budget twice: nothing can prevent that.
//!
//! Whether the answer of a last line that is not whole was told cannot be seen in the file: if the computer stopped while it was
//! written it was not, if somebody cut the file it was. Such a file is refused, and the budget is not spent twice.

use super::question::{Question, in_hexadecimal};
use crate::error::Error;
use crate::output::{self, Destination};
use crate::table::{Columns, Label};
use dp_assay::geometry::Point;
use dp_assay::kernels::session::Answered;
use dp_assay::kernels::{Dataset, Optimum};
use dp_assay::number::rational::parse;
use dp_assay::number::shortened;
use num_bigint::BigInt;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// The format that is written and read.
const FORMAT: &str = "dp-assay-session-1";

/// What writes a state, and alone goes on with it.
const SOFTWARE: &str = concat!("dp-assay ", env!("CARGO_PKG_VERSION"));

/// So long is the line of an answer at least beyond its query. Whether a line can be written must not depend on what was drawn:
/// noise has a scale below `10^40` steps, as epsilon is at least 1e-9, B at most `2^40` and a sensitivity some thousand steps; so an
/// answer, of at most 98 digits here, is longer with a probability below `e^-(10^50)`.
const ANSWER: usize = 100;

/// The first line.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Opening {
    format: String,
    // The version that wrote it: another one may choose other coordinates, which would be released beside the old ones.
    software: String,
    // That the file is private, for who looks into it.
    private: String,
    algorithm: String,
    // All that was asked for, and the numbers of the plan.
    parameters: BTreeMap<String, String>,
    columns: Columns,
    label: Label,
    // The SHA-256 of the placed records.
    data: String,
    // The hidden threshold of the sparse vector technique, in steps.
    threshold: Option<String>,
    // The points of the minimiser and their coefficients: another run of the solver may find another one.
    fit: Vec<(Vec<(u32, i32)>, String)>,
}

const PRIVATE: &str = "PRIVATE: this file has records, those that the minimiser is made of";

/// A line of its own for each answer.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    query: Vec<(u32, i32)>,
    // The answer from the data, in steps; null: the public model answered.
    told: Option<String>,
}

/// What a session is about: a state of another is refused.
pub struct About<'a> {
    /// The name of its algorithm.
    pub algorithm: &'static str,
    /// All that was asked for, and the numbers of the plan.
    pub parameters: &'a [(&'static str, String)],
    /// The records, the columns and the kernel.
    pub question: &'a Question,
}

/// The state file of a session that runs: locked, once it is there.
#[derive(Debug)]
pub struct StateFile {
    path: PathBuf,
    destination: Option<Destination>,
    file: Option<File>,
    // How long the file is, whole lines only.
    length: u64,
    /// The session as it was left, if it is not a new one.
    pub kept: Option<Kept>,
}

/// A session as it was left.
#[derive(Debug)]
pub struct Kept {
    /// The minimiser.
    pub fit: Optimum,
    /// The hidden threshold.
    pub threshold: Option<BigInt>,
    /// What was answered.
    pub answered: Vec<Answered>,
}

impl StateFile {
    /// Opens, locks and reads the file, if it is there. Otherwise only tries whether it can be written.
    pub fn open(path: &Path, about: &About<'_>) -> Result<Self, Error> {
        match fs::metadata(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Ok(Self {
                    path: path.to_owned(),
                    destination: Some(Destination::new(path, &[])?),
                    file: None,
                    length: 0,
                    kept: None,
                });
            }
            Err(error) => return Err(Error::read(path, error)),
            Ok(found) if !found.is_file() => {
                return Err(Error::data(
                    path,
                    "a state is a regular file, which this is not",
                ));
            }
            Ok(found) => warn_of_readers(path, &found),
        }
        let file = OpenOptions::new()
            .read(true)
            .append(true)
            .open(path)
            .map_err(|error| Error::write(path, error))?;
        lock(&file, path)?;
        let mut text = Vec::new();
        (&file)
            .read_to_end(&mut text)
            .map_err(|error| Error::read(path, error))?;
        let kept = read(&text, about).map_err(|reason| Error::data(path, reason))?;
        Ok(Self {
            path: path.to_owned(),
            destination: None,
            file: Some(file),
            length: text.len() as u64,
            kept: Some(kept),
        })
    }

    /// Makes the file, and sets down what a new session is opened with.
    pub fn begin(
        &mut self,
        about: &About<'_>,
        fit: &Optimum,
        threshold: Option<&BigInt>,
    ) -> Result<(), Error> {
        let wrong = |error| Error::write(&self.path, error);
        let mut options = OpenOptions::new();
        options.append(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let file = options.open(&self.path).map_err(wrong)?;
        lock(&file, &self.path)?;
        self.file = Some(file);
        let term = |(x, mu): (&Point, _)| (x.coordinates().to_vec(), ToString::to_string(&mu));
        let parameters = about.parameters.iter();
        let opening = Opening {
            format: FORMAT.to_owned(),
            software: SOFTWARE.to_owned(),
            private: PRIVATE.to_owned(),
            algorithm: about.algorithm.to_owned(),
            parameters: parameters
                .map(|(name, value)| ((*name).to_owned(), value.clone()))
                .collect(),
            columns: about.question.columns.clone(),
            label: about.question.label.clone(),
            data: digest(&about.question.data),
            threshold: threshold.map(BigInt::to_string),
            fit: fit.terms().map(term).collect(),
        };
        let written = self
            .append(&opening, 0)
            .and_then(|()| self.sync_directory());
        if written.is_err() {
            // Nothing was told yet.
            let _ = fs::remove_file(&self.path);
        }
        written
    }

    /// Sets down an answer, before it is told.
    pub fn enter(&mut self, answered: &Answered) -> Result<(), Error> {
        let told = answered.told.as_ref().map(BigInt::to_string);
        let short =
            ANSWER.saturating_sub(told.as_ref().map_or("null".len(), |told| told.len() + 2));
        let query = answered.query.coordinates().to_vec();
        self.append(&Line { query, told }, short)
    }

    /// Writes a line with spaces after it, and returns when it is on the disk. Of one that cannot be written nothing is left, if possible: it is not
    /// told.
    fn append(&mut self, value: &impl Serialize, spaces: usize) -> Result<(), Error> {
        let wrong = |error| Error::write(&self.path, error);
        let Some(file) = &mut self.file else {
            return Err(wrong(io::Error::other("it is not there")));
        };
        let mut text = serde_json::to_vec(value).map_err(|error| wrong(error.into()))?;
        text.resize(text.len() + spaces, b' ');
        text.push(b'\n');
        let written = file.write_all(&text).and_then(|()| file.sync_data());
        if let Err(error) = written {
            let _ = file.set_len(self.length);
            return Err(wrong(error));
        }
        self.length += text.len() as u64;
        Ok(())
    }

    /// That the name of a new file is on the disk too.
    fn sync_directory(&self) -> Result<(), Error> {
        #[cfg(unix)]
        if let Some(destination) = &self.destination {
            File::open(destination.directory())
                .and_then(|directory| directory.sync_all())
                .map_err(|error| Error::write(&self.path, error))?;
        }
        Ok(())
    }
}

/// Says that others than the owner may read the file.
fn warn_of_readers(path: &Path, found: &fs::Metadata) {
    #[cfg(not(unix))]
    let _ = (path, found);
    #[cfg(unix)]
    {
        let mode = std::os::unix::fs::PermissionsExt::mode(&found.permissions());
        if mode & 0o077 != 0 {
            output::warn(&format!(
                "{}: others may read or write it, and it is PRIVATE: chmod 600",
                path.display()
            ));
        }
    }
}

fn lock(file: &File, path: &Path) -> Result<(), Error> {
    match file.try_lock() {
        Ok(()) => Ok(()),
        Err(TryLockError::WouldBlock) => Err(Error::data(
            path,
            "another session uses it: two would spend one budget twice",
        )),
        Err(TryLockError::Error(error)) => Err(Error::write(path, error)),
    }
}

fn read(text: &[u8], about: &About<'_>) -> Result<Kept, String> {
    if text.is_empty() {
        return Err("it is empty: a state has at least a line".to_owned());
    }
    let lines: Vec<&[u8]> = text.split_inclusive(|&byte| byte == b'\n').collect();
    let strange = |number: usize| format!("line {number} is no line of a session's state");
    let whole_lines = text.last() == Some(&b'\n');
    if lines.len() == 1 && !whole_lines {
        return Err("line 1 is not whole: no session can go on with it".to_owned());
    }
    let opening: Opening = serde_json::from_slice(lines[0]).map_err(|_| strange(1))?;
    if opening.format != FORMAT {
        return Err(format!(
            "its format must be \"{FORMAT}\", which this version writes"
        ));
    }
    if opening.software != SOFTWARE {
        return Err(format!(
            "it was written by {}, and only that version goes on with it; this is {SOFTWARE}",
            shortened(&opening.software)
        ));
    }
    check(&opening, about)?;
    // 1. The minimiser.
    let mut terms = Vec::new();
    for (coordinates, mu) in opening.fit {
        let point = Point::new(coordinates).map_err(|error| error.to_string())?;
        let mu = parse(&mu).map_err(|_| strange(1))?;
        terms.push((point, mu));
    }
    let kernel = about.question.kernel.clone();
    let fit = Optimum::restored(kernel, terms).map_err(|error| error.to_string())?;
    let whole = |text: String, number| text.parse::<BigInt>().map_err(|_| strange(number));
    let threshold = opening.threshold.map(|text| whole(text, 1)).transpose()?;
    // 2. What was answered.
    let mut answered = Vec::new();
    for (number, line) in (1..).zip(&lines).skip(1) {
        if number == lines.len() && !whole_lines {
            return Err(format!(
                "line {number} is not whole. If the computer stopped while it was written, its answer was never printed: remove \
                 this line, and the session goes on. If the file was cut otherwise, answers that it lacks were told, and the \
                 session is over: to go on would spend its budget twice"
            ));
        }
        let line: Line = serde_json::from_slice(line).map_err(|_| strange(number))?;
        answered.push(Answered {
            query: Point::new(line.query).map_err(|error| error.to_string())?,
            told: line.told.map(|text| whole(text, number)).transpose()?,
        });
    }
    Ok(Kept {
        fit,
        threshold,
        answered,
    })
}

/// Refuses the state of another session, and says what differs.
fn check(opening: &Opening, about: &About<'_>) -> Result<(), String> {
    if opening.algorithm != about.algorithm {
        return Err(format!(
            "it is of a session {}, not {}",
            opening.algorithm, about.algorithm
        ));
    }
    for (name, value) in about.parameters {
        let other = opening.parameters.get(*name);
        if other != Some(value) {
            let other = other.map_or("none", String::as_str);
            return Err(format!(
                "it is of a session with another {name}: {other}, not {value}"
            ));
        }
    }
    if opening.columns != about.question.columns || opening.label != about.question.label {
        return Err(
            "it is of a session with other columns, intervals, categories or labels".to_owned(),
        );
    }
    if opening.data != digest(&about.question.data) {
        return Err("it is of a session on other records".to_owned());
    }
    Ok(())
}

/// The SHA-256 of the placed records.
fn digest(data: &Dataset) -> String {
    let mut hash = Sha256::new();
    for (record, count) in data.records() {
        for (index, v) in record.point.coordinates() {
            hash.update(index.to_le_bytes());
            hash.update(v.to_le_bytes());
        }
        // No index of a coordinate.
        hash.update(u32::MAX.to_le_bytes());
        hash.update(record.label.to_le_bytes());
        hash.update(count.to_le_bytes());
    }
    in_hexadecimal(&hash.finalize())
}
