//! The state file of a session: its format, what it was opened with, and a line for each answer, on the disk before the answer is
//! told.
//!
//! It has the records that the minimiser is made of, and the hidden threshold, so it is **private**. It is locked while a session
//! runs. Each line begins with a SHA-256 of two things: the SHA-256 of the line before, and its own content. So no line but the last
//! can be changed, moved or removed without a trace. A copy of it that is put back after more answers were told spends the budget twice:
//! nothing can prevent that.
//!
//! Whether the answer of a last line that is not whole was told cannot be seen in the file: if the computer stopped while it was
//! written it was not, if somebody cut the file it was. Such a file is refused, and the budget is not spent twice.

use super::question::Question;
use crate::error::Error;
use crate::output::{self, Destination};
use crate::table::{Columns, Label};
use dp_assay::geometry::Point;
use dp_assay::kernels::session::Answered;
use dp_assay::kernels::{Dataset, Optimum};
use dp_assay::number::rational::parse;
use dp_assay::number::shortened;
use dp_assay_audit::hexadecimal::hexadecimal;
use num_bigint::BigInt;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// The first line: the format that is written and read.
const FORMAT: &str = "dp-assay-session-2";

/// What the first line of every state begins with, of other formats too.
const STATE: &str = "dp-assay-session-";

/// No format has a longer first line.
const FIRST: u64 = 40;

/// What writes a state, and alone goes on with it.
const SOFTWARE: &str = concat!("dp-assay ", env!("CARGO_PKG_VERSION"));

/// No file is larger.
const LARGEST: u64 = 1 << 28;

/// So long is the line of an answer at least beyond its query. Whether a line can be written must not depend on what was drawn:
/// noise has a scale below `10^40` steps, as epsilon is at least 1e-9, B at most `2^40` and a sensitivity some thousand steps; so an
/// answer, of at most 98 digits here, is longer with a probability below `e^-(10^50)`.
const ANSWER: usize = 100;

/// The most letters of a number from noise.
const DIGITS: usize = ANSWER - 2;

/// The most letters of a coefficient: a numerator and a denominator, beside a lambda of 300 digits.
const COEFFICIENT: usize = 2000;

/// What is read of the second line before the rest, which another version may write otherwise.
#[derive(Deserialize)]
struct Stamp {
    software: String,
}

/// The second line.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Opening {
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
    /// All that was asked for, and the numbers of the plan, in the order in which they are compared.
    pub parameters: &'a [(&'static str, String)],
    /// The records, the columns and the kernel.
    pub question: &'a Question,
}

/// The state file of a session that runs, locked.
#[derive(Debug)]
pub struct StateFile {
    path: PathBuf,
    file: File,
    // How long the file is, whole lines only, and the digest of the last.
    length: u64,
    last: String,
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
    /// Opens, locks and reads the file, if it is there. Otherwise only tries whether it can be made.
    pub fn open(path: &Path, about: &About<'_>) -> Result<Option<(Self, Kept)>, Error> {
        match fs::metadata(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                Destination::new(path, &[])?;
                return Ok(None);
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
        let wrong = |reason| Error::data(path, reason);
        let text = text_of(&file).map_err(|error| Error::read(path, error))?;
        let (kept, last) = read(&text.map_err(wrong)?, about).map_err(wrong)?;
        let state = Self {
            path: path.to_owned(),
            length: file
                .metadata()
                .map_err(|error| Error::read(path, error))?
                .len(),
            file,
            last,
        };
        Ok(Some((state, kept)))
    }

    /// Makes the file of a new session, whole, with what it is opened with.
    pub fn create(
        path: &Path,
        about: &About<'_>,
        (fit, threshold): (&Optimum, Option<&BigInt>),
    ) -> Result<Self, Error> {
        let wrong = |error| Error::write(path, error);
        let term = |(x, mu): (&Point, _)| (x.coordinates().to_vec(), ToString::to_string(&mu));
        let parameters = about.parameters.iter();
        let opening = Opening {
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
        let content = serde_json::to_string(&opening).map_err(|error| wrong(error.into()))?;
        let last = chained(FORMAT, &content);
        let text = format!("{FORMAT}\n{last} {content}\n");
        let length = text.len() as u64;
        if length > LARGEST {
            return Err(Error::data(path, too_large()));
        }
        let file = Destination::new(path, &[])?.create_private(|file| {
            lock(file, path)?;
            file.write_all(text.as_bytes()).map_err(wrong)
        })?;
        Ok(Self {
            path: path.to_owned(),
            file,
            length,
            last,
        })
    }

    /// That the answer to this query can be set down, before it is drawn: the file is still at its path, as it was left, and has
    /// room.
    pub fn require_place(&self, query: &Point) -> Result<(), Error> {
        let lost = |what| {
            Error::data(
                &self.path,
                format!(
                    "it was {what} while the session ran, which stops here: an answer could not be kept in it"
                ),
            )
        };
        if !is_at(&self.file, &self.path) {
            return Err(lost("removed or replaced"));
        }
        let found = self.file.metadata();
        let found = found.map_err(|error| Error::read(&self.path, error))?;
        if found.len() != self.length {
            return Err(lost("changed"));
        }
        // A digest, a space and the end of the line.
        let line = self.line(query, None)?.len() as u64 + 66;
        if self.length + line > LARGEST {
            return Err(Error::data(&self.path, too_large()));
        }
        Ok(())
    }

    /// Sets down an answer, before it is told. Of a line that cannot be written nothing is left, if possible: it is not told.
    pub fn enter(&mut self, answered: &Answered) -> Result<(), Error> {
        let content = self.line(&answered.query, answered.told.as_ref())?;
        let last = chained(&self.last, &content);
        let text = format!("{last} {content}\n");
        let file = &mut self.file;
        let written = file
            .write_all(text.as_bytes())
            .and_then(|()| file.sync_data());
        if let Err(error) = written {
            let _ = file.set_len(self.length);
            return Err(Error::write(&self.path, error));
        }
        self.length += text.len() as u64;
        self.last = last;
        Ok(())
    }

    /// The content of the line of an answer, equally long for all answers.
    fn line(&self, query: &Point, told: Option<&BigInt>) -> Result<String, Error> {
        let told = told.map(BigInt::to_string);
        let short =
            ANSWER.saturating_sub(told.as_ref().map_or("null".len(), |told| told.len() + 2));
        let query = query.coordinates().to_vec();
        let line = serde_json::to_string(&Line { query, told });
        let line = line.map_err(|error| Error::write(&self.path, error.into()))?;
        Ok(line + &" ".repeat(short))
    }
}

/// The SHA-256 that a line begins with: of the SHA-256 of the line before, and of its content.
fn chained(before: &str, content: &str) -> String {
    let mut hash = Sha256::new();
    hash.update(before);
    hash.update(content);
    hexadecimal(&hash.finalize())
}

fn too_large() -> String {
    format!("a state has at most {LARGEST} bytes: nothing more can be kept in it")
}

/// Whether an open file is the one at a path.
fn is_at(file: &File, path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let place = |found: fs::Metadata| (found.dev(), found.ino());
        let (open, named) = (file.metadata().map(place), fs::metadata(path).map(place));
        matches!((open, named), (Ok(open), Ok(named)) if open == named)
    }
    #[cfg(not(unix))]
    {
        let _ = file;
        path.is_file()
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

/// The text of a file of this format, which its first bytes tell; or why it is none.
fn text_of(file: &File) -> io::Result<Result<String, String>> {
    let mut first = Vec::new();
    file.take(FIRST).read_to_end(&mut first)?;
    if first.is_empty() {
        let reason = "it is empty: name a file that is not there, or the state of a session";
        return Ok(Err(reason.to_owned()));
    }
    if !first.starts_with(format!("{FORMAT}\n").as_bytes()) {
        let first = String::from_utf8_lossy(&first);
        let other = first.lines().next();
        let other = other.filter(|line| line.starts_with(STATE) && *line != FORMAT);
        return Ok(Err(match other {
            Some(other) => format!(
                "its first line must be {FORMAT}, got {other:?}: only the version that wrote it goes on with it"
            ),
            None => format!(
                "it is no session's state, or one of another version: its first line must be {FORMAT}"
            ),
        }));
    }
    if file.metadata()?.len() > LARGEST {
        return Ok(Err(too_large()));
    }
    let mut rest = first;
    file.take(LARGEST).read_to_end(&mut rest)?;
    let text = String::from_utf8(rest);
    Ok(text.map_err(|_| "it is no session's state: it has bytes that are no text".to_owned()))
}

/// What a state has of its session, and the digest of its last line.
fn read(text: &str, about: &About<'_>) -> Result<(Kept, String), String> {
    let mut lines: Vec<&str> = text.split('\n').collect();
    // What is after the last line.
    let rest = lines.pop().unwrap_or_default();
    if !rest.is_empty() {
        return Err(not_whole(lines.len() + 1));
    }
    let mut lines = (2..).zip(lines.into_iter().skip(1));
    let (number, line) = lines.next().ok_or("it has its first line only")?;
    let (content, mut last) = unchained(number, FORMAT, line)?;
    let stamp: Stamp = serde_json::from_str(content).map_err(|_| strange(number))?;
    check_software(&stamp.software)?;
    let opening: Opening = serde_json::from_str(content).map_err(|_| strange(number))?;
    check(&opening, about)?;
    // 1. The minimiser.
    let mut terms = Vec::new();
    for (coordinates, mu) in opening.fit {
        let point = Point::new(coordinates).map_err(|error| error.to_string())?;
        let mu = parse(not_longer(number, &mu, COEFFICIENT)?).map_err(|_| strange(number))?;
        terms.push((point, mu));
    }
    let kernel = about.question.kernel.clone();
    let fit = Optimum::restored(kernel, terms).map_err(|error| error.to_string())?;
    let whole = |text: String, number| {
        let digits = not_longer(number, &text, DIGITS)?;
        digits.parse::<BigInt>().map_err(|_| strange(number))
    };
    let threshold = opening.threshold.map(|text| whole(text, number));
    let threshold = threshold.transpose()?;
    // 2. What was answered.
    let mut answered = Vec::new();
    for (number, line) in lines {
        let (content, digest) = unchained(number, &last, line)?;
        last = digest;
        let line: Line = serde_json::from_str(content).map_err(|_| strange(number))?;
        answered.push(Answered {
            query: Point::new(line.query).map_err(|error| error.to_string())?,
            told: line.told.map(|text| whole(text, number)).transpose()?,
        });
    }
    let kept = Kept {
        fit,
        threshold,
        answered,
    };
    Ok((kept, last))
}

/// The content and the digest of a line, which must follow that with the digest `before`.
fn unchained<'a>(number: usize, before: &str, line: &'a str) -> Result<(&'a str, String), String> {
    let (digest, content) = line.split_once(' ').ok_or_else(|| strange(number))?;
    if digest != chained(before, content) {
        return Err(format!(
            "line {number} is not what the session wrote there: it, or a line before it, was changed, moved or removed"
        ));
    }
    Ok((content, digest.to_owned()))
}

fn strange(number: usize) -> String {
    format!("line {number} is no line of a session's state")
}

fn not_longer(number: usize, text: &str, most: usize) -> Result<&str, String> {
    match text.len() > most {
        true => Err(format!(
            "line {number} has a number of {} letters, where a session's have at most {most}",
            text.len()
        )),
        false => Ok(text),
    }
}

/// Why a last line without its end is refused.
fn not_whole(number: usize) -> String {
    if number <= 2 {
        return format!("line {number} is not whole: no session can go on with it");
    }
    format!(
        "line {number} is not whole. If the computer stopped while it was written, its answer was never printed: remove \
         this line, and the session goes on. If the file was cut otherwise, answers that it lacks were told, and the \
         session is over: to go on would spend its budget twice"
    )
}

/// Refuses the state of another version.
fn check_software(software: &str) -> Result<(), String> {
    match software == SOFTWARE {
        true => Ok(()),
        false => Err(format!(
            "it was written by {}, and only that version goes on with it; this is {SOFTWARE}",
            shortened(software)
        )),
    }
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
    hexadecimal(&hash.finalize())
}
