//! The options that several commands of the auditor take, a struct for those that go together.

use crate::audit_report;
use crate::cli::Outcome;
use crate::error::Error;
use crate::options::{Format, number, whole};
use crate::output;
use crate::report_files::ReportFiles;
use crate::screen;
use crate::start_target::start_target;
use clap::Args;
use dp_assay::number::Rational;
use dp_assay::privacy::NeighbouringRelation;
use dp_assay_audit::pairs::{Domain, Pair, PairError};
use dp_assay_audit::refute::{Claim, Datasets, Measure, Profile, read_renyi};
use dp_assay_audit::report::{AuditReport, Conclusion};
use dp_assay_audit::targets::{Reply, Settings, Subprocess};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The program that is asked.
#[derive(Debug, Args)]
pub struct Program {
    /// The program and its arguments, as one text. No shell reads it: quotes group words, and for a pipe or a variable write
    /// "sh -c '…'"
    #[arg(long, value_name = "COMMAND")]
    pub target: String,
    #[command(flatten)]
    pub limits: Limits,
}

impl Program {
    /// Starts it. It ends with this command, also if that is interrupted.
    pub fn start(&self, reply: Reply) -> Result<Subprocess, Error> {
        start_target(&self.target, self.limits.settings(reply))
    }
}

/// How long a program may take.
#[derive(Debug, Args)]
pub struct Limits {
    /// Time limit for one request, in seconds. Requests are made so large that they take about an eighth of it. A
    /// program that can give only one answer at a time cannot be checked for a reused seed
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = seconds, allow_hyphen_values = true)]
    deadline: u64,
    /// Time limit for the program to end after the end of its input, in seconds. If it takes longer, a proof is kept, and
    /// an audit without one is inconclusive
    #[arg(long, value_name = "SECONDS", default_value_t = 10, value_parser = seconds, allow_hyphen_values = true)]
    grace: u64,
    /// Start the program once only. Otherwise a second process is asked what the first one is asked at first: if both answer
    /// alike, the seed is fixed for the process, and the audit is inconclusive. For a program whose seed is fixed on purpose, and
    /// for one that can't run twice
    #[arg(long)]
    one_start: bool,
}

impl Limits {
    /// With the way in which the program answers.
    pub const fn settings(&self, reply: Reply) -> Settings {
        Settings {
            reply,
            deadline: Duration::from_secs(self.deadline),
            grace: Duration::from_secs(self.grace),
            one_start: self.one_start,
        }
    }
}

/// A time limit: whole seconds.
fn seconds(text: &str) -> Result<u64, String> {
    whole(text)
        .ok()
        .filter(|&seconds| seconds > 0)
        .ok_or_else(|| "it must be a whole number of seconds of at least 1".to_owned())
}

/// A number of calls: exact, like all numbers of the command.
pub fn calls(text: &str) -> Result<u64, String> {
    let wrong = || "it is not a whole number of at least 0: write 400 or 1e6".to_owned();
    let value = number(text).map_err(|_| wrong())?;
    if !value.is_integer() {
        return Err(wrong());
    }
    u64::try_from(value.to_integer()).map_err(|_| match value < Rational::default() {
        true => wrong(),
        false => format!("it must be at most {}", u64::MAX),
    })
}

/// The level.
#[derive(Debug, Args)]
pub struct Level {
    /// The probability with which a true claim may be called violated
    #[arg(long, value_name = "ALPHA", default_value = "1/20", value_parser = number, allow_hyphen_values = true)]
    pub alpha: Rational,
}

/// The seed.
#[derive(Debug, Args)]
pub struct Seed {
    /// The seed of the auditor's own coins
    #[arg(long, value_name = "N", value_parser = whole, allow_hyphen_values = true, default_value_t = 1)]
    pub seed: u64,
}

/// The claim of privacy.
#[derive(Debug, Args)]
pub struct ClaimOptions {
    /// The claimed epsilon, at least 1e-6 and at most 40
    #[arg(long, value_name = "E", value_parser = number, allow_hyphen_values = true, group = "claimed")]
    epsilon: Option<Rational>,
    /// The claimed delta, at least 0 and below 1
    #[arg(long, value_name = "D", default_value = "0", value_parser = number, allow_hyphen_values = true)]
    delta: Rational,
    /// The claim in another measure, instead of --epsilon: the Rényi divergence of every order A above 1 is at most RHO
    /// times A. From 1e-8 to 20
    #[arg(long, value_name = "RHO", value_parser = number, allow_hyphen_values = true, group = "claimed", conflicts_with = "delta")]
    zcdp: Option<Rational>,
    /// The same: the Rényi divergence of order ALPHA, above 1 and at most 10000, is at most EPS. From 1e-6 to 20
    #[arg(long, value_name = "ALPHA:EPS", value_parser = read_renyi, allow_hyphen_values = true, group = "claimed", conflicts_with = "delta")]
    rdp: Option<Measure>,
    /// The same: the outputs are as hard to tell apart as normal laws of variance 1 at distance MU. From 1e-4 to 10
    #[arg(long, value_name = "MU", value_parser = number, allow_hyphen_values = true, group = "claimed", conflicts_with = "delta")]
    gdp: Option<Rational>,
    /// The same: a curve of (epsilon, delta) or a trade-off function in a file (A PROFILE in assay audit --help)
    #[arg(long, value_name = "FILE", group = "claimed", conflicts_with = "delta")]
    pub profile: Option<PathBuf>,
}

impl ClaimOptions {
    /// What is claimed.
    pub fn claim(&self) -> Result<Claim, Error> {
        let measure = if let Some(epsilon) = self.epsilon.clone() {
            let delta = self.delta.clone();
            Measure::Budget { epsilon, delta }
        } else if let Some(rho) = self.zcdp.clone() {
            Measure::Zcdp { rho }
        } else if let Some(renyi) = self.rdp.clone() {
            renyi
        } else if let Some(mu) = self.gdp.clone() {
            Measure::Gaussian { mu }
        } else if let Some(path) = &self.profile {
            Measure::Profile(Profile::read(path).map_err(Error::Usage)?)
        } else {
            return Err(Error::Usage(
                "the claim is missing: give --epsilon E (or --zcdp, --rdp, --gdp or --profile)"
                    .to_owned(),
            ));
        };
        Ok(Claim::new(measure))
    }
}

/// Two datasets.
#[derive(Debug, Args)]
pub struct PairOptions {
    /// Two JSON files, the datasets
    #[arg(long, value_name = "A.json,B.json", value_delimiter = ',', num_args = 1..=2)]
    pair: Vec<PathBuf>,
    /// How the two datasets of --pair are neighbours
    #[arg(long, value_enum, default_value = "substitute")]
    pub neighbours: GivenNeighbours,
}

impl PairOptions {
    /// Reads them; `or` is what may be given instead.
    fn read(&self, or: &str) -> Result<Pair, Error> {
        match &self.pair[..] {
            [first, second] => Pair::read(first, second).map_err(Error::usage),
            [] => Err(Error::Usage(format!(
                "the datasets are missing: give --pair A.json,B.json{or}"
            ))),
            given => Err(Error::Usage(format!(
                "two datasets are needed: give --pair A.json,B.json{or}, got {} for --pair",
                given.len()
            ))),
        }
    }

    /// The files that are read.
    pub fn inputs(&self) -> impl Iterator<Item = &Path> {
        self.pair.iter().map(PathBuf::as_path)
    }

    /// Reads two datasets that are neighbours.
    pub fn neighbouring(&self) -> Result<Pair, Error> {
        let pair = self.read("")?;
        self.neighbours.check(&pair)?;
        Ok(pair)
    }
}

/// How the two datasets of --pair are neighbours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum GivenNeighbours {
    /// One record is replaced by another: checked
    Substitute,
    /// One record is added or removed: checked
    AddRemove,
    /// You know that they are neighbours, by whatever relation: taken as given, as the report says, and not shrunk
    Vouched,
}

impl GivenNeighbours {
    /// The relation that is checked; `None` if none is.
    pub const fn relation(self) -> Option<NeighbouringRelation> {
        match self {
            Self::Substitute => Some(NeighbouringRelation::Substitute),
            Self::AddRemove => Some(NeighbouringRelation::AddOrRemove),
            Self::Vouched => None,
        }
    }

    /// Checks what can be checked of it.
    fn check(self, pair: &Pair) -> Result<(), Error> {
        match self.relation() {
            Some(relation) => pair.check(relation).map(drop).map_err(Error::usage),
            None if pair.0 == pair.1 => Err(Error::usage(PairError::Equal)),
            None => Ok(()),
        }
    }
}

/// Two datasets, or what they are chosen from.
#[derive(Debug, Args)]
pub struct DatasetOptions {
    #[command(flatten)]
    pub two: PairOptions,
    /// A JSON file that describes the datasets and how they are neighbours, from which pairs are searched
    #[arg(long, value_name = "DOMAIN.json", conflicts_with_all = ["pair", "neighbours"])]
    domain: Option<PathBuf>,
}

/// Datasets as they are named.
pub enum Named {
    /// Two of them.
    Pair(Pair),
    /// Those from which two are chosen.
    Domain(Domain),
}

impl DatasetOptions {
    /// The files that are read.
    pub fn inputs(&self) -> impl Iterator<Item = &Path> {
        self.domain.as_deref().into_iter().chain(self.two.inputs())
    }

    /// Reads what is named.
    pub fn read(&self) -> Result<Named, Error> {
        match &self.domain {
            Some(path) => Domain::read_file(path)
                .map(Named::Domain)
                .map_err(Error::usage),
            None => self.two.read(" or --domain DOMAIN.json").map(Named::Pair),
        }
    }

    /// The same for an audit of privacy: two datasets are neighbours.
    pub fn neighbouring(&self) -> Result<Datasets, Error> {
        Ok(match self.read()? {
            Named::Domain(domain) => Datasets::Described(domain),
            Named::Pair(pair) => {
                self.two.neighbours.check(&pair)?;
                match self.two.neighbours.relation() {
                    Some(relation) => Datasets::Given(pair, relation),
                    None => Datasets::Vouched(pair),
                }
            }
        })
    }
}

/// Where the report goes.
#[derive(Debug, Args)]
pub struct Shown {
    /// Also write report.json, report.html, report.xml (JUnit) and report.sarif (SARIF 2.1.0) into this directory. Files of
    /// an earlier run are removed at the start
    #[arg(long, value_name = "DIR")]
    report: Option<PathBuf>,
    /// Print all rows of the report, with its assumptions, its limits and its cost
    #[arg(long)]
    verbose: bool,
    /// How to print the report
    #[arg(long, value_enum, default_value = "table")]
    format: Format,
}

impl Shown {
    /// The files of the report, which are none of those that are read. It is asked for before all else: also what is refused
    /// leaves no report of another run, and what cannot be written is refused before the work.
    pub fn files<'a>(
        &self,
        inputs: impl Iterator<Item = &'a Path>,
    ) -> Result<Option<ReportFiles>, Error> {
        let inputs: Vec<&Path> = inputs.collect();
        audit_report::files(self.report.as_deref(), &inputs)
    }

    /// How a result is printed.
    pub const fn format(&self) -> Format {
        self.format
    }

    /// Writes and prints a report: how the command ends.
    pub fn end(&self, report: &AuditReport, files: Option<ReportFiles>) -> Result<Outcome, Error> {
        if let Some(files) = files {
            files.write(&audit_report::texts(report)?)?;
        }
        match self.format {
            Format::Json => output::print_json(&report.json)?,
            Format::Table => screen::print(&report.text(self.verbose))?,
        }
        Ok(match report.conclusion {
            Conclusion::NotRefuted => Outcome::AsExpected,
            Conclusion::Refuted => Outcome::NotAsExpected,
            Conclusion::Inconclusive => Outcome::Inconclusive,
        })
    }
}
