//! What answers: a program that is started for each unit, or a mechanism of the corpus in this process.

use super::coins;
use crate::corpus;
use crate::error::Error;
use crate::start_target::start_target;
use dp_assay::coins::ChaCha;
use dp_assay_audit::hexadecimal::hexadecimal;
use dp_assay_audit::input::digest_of_file;
use dp_assay_audit::pairs::Pair;
use dp_assay_audit::specimen::Specimen;
use dp_assay_audit::targets::{Batch, Reply, Settings, Subprocess, Target, TargetError, words};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::path::Path;

/// The most outputs of a request.
pub const REQUEST: usize = 4000;

/// The answers to a request of a probe, and the stream of its coins.
const PROBE: usize = 8;
const PROBE_STREAM: u64 = 1 << 34;

/// What answers, as a plan has it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Program {
    /// A mechanism of the corpus, in this process.
    Specimen {
        /// Its name.
        name: String,
    },
    /// A program that takes its coins from where it likes.
    Command {
        /// The program and its arguments, as one text.
        command: String,
        /// How it answers.
        reply: Reply,
        /// The files that the command names.
        files: Vec<NamedFile>,
    },
    /// A program that takes the seed of each request from it.
    Seeded {
        /// The program and its arguments, as one text.
        command: String,
        /// How it answers.
        reply: Reply,
        /// The files that the command names.
        files: Vec<NamedFile>,
        /// The outputs of a request: what it answers may depend on their number.
        request: usize,
        /// The digest of what it answered to a certain seed.
        probe: String,
    },
}

/// A file that a command names, and what is in it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NamedFile {
    path: String,
    sha256: String,
}

impl Program {
    /// As it was typed, or the name of the specimen.
    #[must_use]
    pub fn target(&self) -> String {
        match self {
            Self::Specimen { name } => format!("the specimen {name}"),
            Self::Command { command, .. } | Self::Seeded { command, .. } => command.clone(),
        }
    }

    /// Whether equal coins give equal answers.
    #[must_use]
    pub fn is_seeded(&self) -> bool {
        !matches!(self, Self::Command { .. })
    }

    /// Whether a plan may have it.
    pub(super) fn check(&self) -> Result<(), String> {
        match self {
            Self::Specimen { name } if !corpus::names().any(|known| known == name) => Err(format!(
                "there is no specimen '{name}'; assay self-test names them all"
            )),
            Self::Seeded { request, .. } if !(1..=REQUEST).contains(request) => Err(format!(
                "a request must be for 1 to {REQUEST} outputs, got {request}"
            )),
            _ => Ok(()),
        }
    }

    /// Whether the files that the command names are those of the plan.
    pub(super) fn check_files(&self) -> Result<(), Error> {
        let (Self::Command { command, files, .. } | Self::Seeded { command, files, .. }) = self
        else {
            return Ok(());
        };
        let here = files_of(command)?;
        for file in files {
            let same = here.iter().find(|other| other.path == file.path);
            if same.is_none_or(|other| other.sha256 != file.sha256) {
                let what = match same {
                    None => "is not there",
                    Some(_) => "is another one than that of the plan",
                };
                return Err(Error::Usage(format!(
                    "the program has changed: {} {what}",
                    file.path
                )));
            }
        }
        Ok(())
    }
}

/// The files that a command names.
///
/// # Errors
/// If it is no command.
pub fn files_of(command: &str) -> Result<Vec<NamedFile>, Error> {
    let words = words(command).map_err(|error| Error::Usage(error.to_string()))?;
    let named = words.iter().filter_map(|word| {
        Some(NamedFile {
            path: word.to_str()?.to_owned(),
            sha256: digest_of_file(Path::new(word))?,
        })
    });
    Ok(named.collect())
}

/// The specimen of this name.
///
/// # Errors
/// If there is none.
pub fn specimen(name: &str) -> Result<Specimen, Error> {
    let unknown = || {
        Error::Usage(format!(
            "--specimen must be a name of the corpus, got '{name}'; the names are {}",
            corpus::names().collect::<Vec<_>>().join(", ")
        ))
    };
    // Names first: to build a specimen may take seconds.
    if !corpus::names().any(|known| known == name) {
        return Err(unknown());
    }
    let found = corpus::find(name).map_err(|error| Error::Usage(error.to_string()))?;
    found.ok_or_else(unknown)
}

/// A program that takes its seeds from these coins.
pub struct Seeded {
    /// The program.
    pub program: Subprocess,
    /// The coins.
    pub coins: ChaCha,
}

impl Target for Seeded {
    fn sample(&mut self, data: &Value, n: usize) -> Result<Batch, TargetError> {
        let seed = coins::seed(&mut self.coins)?;
        self.program.sample_seeded(data, n, &seed)
    }

    fn at_once(&self, data: &Value) -> usize {
        self.program.at_once(data)
    }

    fn again(&self) -> Result<Box<dyn Target>, String> {
        Err("it takes its seeds from the requests".to_owned())
    }

    fn finish(&mut self) -> Result<(), TargetError> {
        self.program.finish()
    }
}

/// Asks a program twice with one seed, on each dataset: the digest of what it answers.
///
/// # Errors
/// If it answers in two ways, and those of the program.
pub fn probe(program: &mut Subprocess, pair: &Pair) -> Result<String, Error> {
    let failed = |error: TargetError| Error::Usage(format!("--seeded: {error}"));
    let mut hash = Sha256::new();
    for data in [&pair.0, &pair.1] {
        let seed = coins::seed(&mut ChaCha::reproducible(0, PROBE_STREAM))?;
        // Few: its pace is not known.
        let mut ask = || program.sample_seeded(data, PROBE, &seed).map_err(failed);
        let replies = [ask()?.outputs, ask()?.outputs];
        if replies[0] != replies[1] {
            return Err(Error::Usage(
                "--seeded: the program does not answer by the seed of the request: with one seed it answered twice, and differently".to_owned(),
            ));
        }
        for output in &replies[0] {
            hash.update(output.line());
            hash.update(b"\n");
        }
    }
    Ok(hexadecimal(&hash.finalize()))
}

/// What answers the requests of one unit.
pub enum Answering<'a> {
    /// A program with coins of its own.
    Alone(Box<Subprocess>),
    /// A program that takes its seeds from these coins, one stream for each dataset.
    Seeded(Box<Subprocess>, Box<[ChaCha; 2]>, usize),
    /// A mechanism with these coins, likewise.
    Specimen([Box<dyn Target + 'a>; 2]),
}

impl<'a> Answering<'a> {
    /// For a unit of a plan. `specimen` is the mechanism, if it is one.
    ///
    /// # Errors
    /// [`Error::Usage`] if the program does not start.
    pub fn of_unit(
        program: &Program,
        specimen: Option<&'a Specimen>,
        plan: &[u8; 32],
        unit: u64,
        settings: Settings,
    ) -> Result<Self, Error> {
        let coins = [0, 1].map(|dataset| coins::of_unit(plan, dataset, unit));
        Ok(match (program, specimen) {
            (Program::Command { command, .. }, _) => {
                Self::Alone(Box::new(start_target(command, settings)?))
            }
            (
                Program::Seeded {
                    command, request, ..
                },
                _,
            ) => Self::Seeded(
                Box::new(start_target(command, settings)?),
                Box::new(coins),
                *request,
            ),
            (Program::Specimen { .. }, Some(specimen)) => Self::Specimen(
                coins.map(|coins| Box::new(specimen.target(coins)) as Box<dyn Target + 'a>),
            ),
            (Program::Specimen { name }, None) => {
                return Err(Error::Usage(format!("there is no specimen '{name}'")));
            }
        })
    }

    /// Outputs on a dataset, the first (0) or the second (1): at most `n`, and at least one.
    pub fn ask(&mut self, side: usize, data: &Value, n: u64) -> Result<Batch, TargetError> {
        let most = match self {
            Self::Alone(program) => program.at_once(data).min(REQUEST),
            Self::Seeded(_, _, request) => *request,
            Self::Specimen(_) => REQUEST,
        };
        let n = usize::try_from(n).unwrap_or(usize::MAX).min(most);
        match self {
            Self::Alone(program) => program.sample(data, n),
            Self::Seeded(program, coins, _) => {
                let seed = coins::seed(&mut coins[side])?;
                program.sample_seeded(data, n, &seed)
            }
            Self::Specimen(targets) => targets[side].sample(data, n),
        }
    }

    /// Ends the program: only then do its answers count.
    pub fn finish(&mut self) -> Result<(), TargetError> {
        match self {
            Self::Alone(program) | Self::Seeded(program, ..) => program.finish(),
            Self::Specimen(_) => Ok(()),
        }
    }
}
