//! Why a command could not be carried out: exit status 2.

use dp_assay::coins::CoinsError;
use dp_assay::law::named::LawError;
use dp_assay::number::shortened;
use dp_assay::number::{NumberError, OutOfRange};
use dp_assay::privacy::PrivacyError;
#[cfg(feature = "papers")]
use dp_assay_ledger::LedgerError;
use std::io;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// An error of the command. Each names the option or the place in the file, the value there and the right form. A
/// value of the data is private, and is never shown.
#[derive(Debug, Error)]
pub enum Error {
    /// A command line that could not be read, or that asks for help.
    #[error(transparent)]
    CommandLine(#[from] clap::Error),
    /// An option outside its range.
    #[error(transparent)]
    OutOfRange(OutOfRange),
    /// An option that is missing, or that contradicts another.
    #[error("{0}")]
    Usage(String),
    /// A program that failed, so that nothing is known.
    #[error("{0}")]
    Inconclusive(String),
    /// A number that could not be read or computed.
    #[error(transparent)]
    Number(#[from] NumberError),
    /// A draw that failed.
    #[error(transparent)]
    Coins(#[from] CoinsError),
    /// A text that names no law.
    #[error(transparent)]
    Law(LawError),
    /// A paper's learner or bound that failed.
    #[error(transparent)]
    Paper(Box<dyn std::error::Error + Send + Sync>),
    /// A budget that cannot be.
    #[error(transparent)]
    Privacy(#[from] PrivacyError),
    /// A pattern without a claim.
    #[cfg(feature = "papers")]
    #[error(transparent)]
    Ledger(#[from] LedgerError),

    /// A file that could not be read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the operating system said.
        source: io::Error,
    },
    /// A file that could not be written.
    #[error("cannot write {}: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What the operating system said.
        source: io::Error,
    },
    /// An output that would replace what it must not.
    #[error("cannot write {}: {reason}", path.display())]
    Destination {
        /// The file.
        path: PathBuf,
        /// Why not.
        reason: String,
    },
    /// Standard output that could not be written.
    #[error("cannot write to standard output: {0}")]
    Print(io::Error),
    /// Standard output that could not be written after a model was.
    #[error(
        "cannot write to standard output: {source}; the model was written to {}, and its privacy budget is spent",
        path.display()
    )]
    AfterModel {
        /// The model file.
        path: PathBuf,
        /// What the operating system said.
        source: io::Error,
    },

    /// A data file that is wrong as a whole, or in its header.
    #[error("{}: {reason}", path.display())]
    Data {
        /// The file.
        path: PathBuf,
        /// What is wrong, and what would be right.
        reason: String,
    },
    /// A record that is wrong as a whole.
    #[error("{}, line {line}: {reason}", path.display())]
    Record {
        /// The file.
        path: PathBuf,
        /// The line on which the record starts, counted from 1.
        line: u64,
        /// What is wrong, and what would be right.
        reason: String,
    },
    /// A field that is wrong.
    #[error("{}, line {line}, column '{column}': {reason}", path.display())]
    Field {
        /// The file.
        path: PathBuf,
        /// The line on which the record starts, counted from 1.
        line: u64,
        /// The column's name.
        column: String,
        /// What is wrong, and what would be right.
        reason: String,
    },
    /// A model file that is not one.
    #[error("{} is not a model file: {}", path.display(), brief(reason))]
    Model {
        /// The file.
        path: PathBuf,
        /// What is wrong, and what would be right.
        reason: String,
    },
}

impl From<OutOfRange> for Error {
    fn from(wrong: OutOfRange) -> Self {
        Self::OutOfRange(with_short_value(wrong))
    }
}

impl From<LawError> for Error {
    fn from(error: LawError) -> Self {
        Self::Law(match error {
            LawError::Name { given } => LawError::Name {
                given: shortened(&given),
            },
            LawError::Parameter {
                law,
                parameter,
                given,
            } => LawError::Parameter {
                law,
                parameter,
                given: shortened(&given),
            },
            LawError::Range { law, wrong } => LawError::Range {
                law,
                wrong: with_short_value(wrong),
            },
            error => error,
        })
    }
}

/// The beginning of what is long: a reason repeats what stands in a file.
fn brief(text: &str) -> String {
    const MOST: usize = 400;
    let letters = text.chars().count();
    match letters > MOST {
        false => text.to_owned(),
        true => format!(
            "{}... ({letters} letters)",
            text.chars().take(MOST).collect::<String>()
        ),
    }
}

/// The same with its value shortened where it is long.
fn with_short_value(wrong: OutOfRange) -> OutOfRange {
    OutOfRange {
        value: shortened(&wrong.value),
        ..wrong
    }
}

impl Error {
    /// Signals cannot be listened for.
    pub fn signals(error: io::Error) -> Self {
        Self::Usage(format!("cannot listen for signals: {error}"))
    }

    /// What another room refuses: an option that is missing, or that contradicts another.
    pub fn usage(error: impl ToString) -> Self {
        Self::Usage(error.to_string())
    }

    /// An option outside its range.
    pub fn option(option: &'static str, expected: &'static str, value: impl ToString) -> Self {
        OutOfRange::new(option, &value, expected).into()
    }

    /// `source` happened while reading `path`.
    pub fn read(path: &Path, source: io::Error) -> Self {
        Self::Read {
            path: path.to_owned(),
            source,
        }
    }

    /// `source` happened while writing `path`.
    pub fn write(path: &Path, source: io::Error) -> Self {
        Self::Write {
            path: path.to_owned(),
            source,
        }
    }

    /// `path` as a whole is wrong.
    pub fn data(path: &Path, reason: impl Into<String>) -> Self {
        Self::Data {
            path: path.to_owned(),
            reason: reason.into(),
        }
    }
}
