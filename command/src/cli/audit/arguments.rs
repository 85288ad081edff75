//! The options of `assay audit`.

use super::super::{Format, number};
use super::map_arguments::{self, MapArguments};
use super::plan_arguments::{self, PlanArguments};
use super::replay_arguments::{self, ReplayArguments};
use crate::options::whole;
use clap::Args;
use dp_assay::number::Rational;
use dp_assay::number::rational::ratio;
use dp_assay::privacy::NeighbouringRelation;
use dp_assay_audit::refute::{Claim, Measure, Profile, Until, read_renyi};
use dp_assay_audit::targets::Reply;
use std::path::{Path, PathBuf};

/// All formats.
fn formats() -> String {
    format!(
        "{FORMATS}\n{}\n{}\n{}\n{LAST}",
        map_arguments::FORMATS,
        replay_arguments::FORMATS,
        plan_arguments::FORMATS
    )
}

/// The protocol and the description of datasets; `spec/auditor.md` has more.
const FORMATS: &str = r#"THE PROGRAM
  reads one request a line:  {"op": "sample", "data": [0, 1], "n": 1000, "reply": "lines"}
  answers n lines, each one JSON value:
    3                   an integer of any size
    2.5  "0x1.4p+1"     a float, as digits or as Python's float.hex() prints it;
                        "inf", "-inf", "nan" and "nan:0x7ff8…", which keeps
                        its bits, are floats too
    "yes"               a label
    {"bytes": "0aff"}   bytes, in hexadecimal: an object with this one name
    true  null          themselves
    [1, 2]  {"a": 1}    an array, an object: its entries are read by their
                        names, which may differ from output to output
    {"error": "…"}      an exception, which is an output
  One run may have outputs of several kinds. The kind may leak, and is looked
  at.
  Doubles fail in their lowest bits first, which hides errors of scale. If
  doubles that are no whole numbers are among the first outputs, the report has
  two lines, with half of the level each: of values (how numbers compare) and
  of bits (the lowest and the highest set bit, the sign of zero, the bits of
  NaN). The audit goes on until both are decided, unless --first-proof is
  given, and the exit status is 1 if either is a violation.
  Before an output it may state facts about its noise, which are checked:
    {"trace": {"sensitivity": 1, "scale": 2, "distance": 1}}
  The sensitivity is the most that one record may change the hidden value, the
  scale is that of the noise, and the distance is between the hidden values on
  this dataset and on the other one of the pair, which a program in a test
  knows. All three are numbers of at least 0.
  With --reply f64le it answers 8 n bytes instead of lines: doubles,
  little-endian. It can then report no exceptions, and no traces.
  The end of its input means stop; it has --grace seconds for that.
  It is killed with all that it started when the audit ends or is interrupted.
  Two things survive: what it started in a session of its own (setsid), and,
  if the audit is killed by SIGKILL, a program that ignores the end of its
  input.

A DATASET
  is any JSON of at most 64 MiB. Its integers have at most 64 bits: larger ones go in quotes.
  Two arrays are checked to be neighbours: with --neighbours substitute they
  differ in one record, with add-remove one of them has one record more, and
  with vouched any two datasets are taken as neighbours by your word.
  A name stands once in an object. A float that JSON has no number for is an
  object with one name, {"float": "nan"}, as floats are written in outputs; the
  adapters make it a float of their language.

A PROFILE
  is CSV with one of these headers, or JSON: an object with these two names,
  each an array of numbers.
    epsilon,delta    each line is a claim (epsilon, delta), and all are claimed
                     together: the privacy curve at these points
    alpha,beta       a trade-off function: every test with false positives of
                     probability alpha has false negatives of at least beta. It
                     begins at alpha = 0, ends at alpha = 1 and is taken as
                     straight between its points: where the true one is curved,
                     give points below it, or the privacy curve
  Delta falls with epsilon and beta with alpha, and both are convex (delta in
  e^epsilon). At most 1000 points.

A LAW
  discrete-laplace scale=2       P(k) is proportional to exp(-|k| / scale)
  discrete-gaussian variance=4   to exp(-k^2 / (2 variance))
  geometric rate=1/2             to exp(-rate k), for k of at least 0
  Scales, variances and rates are above 0. `assay truth` prints their
  probabilities.
  Or noise of the real line, with a grid:
  laplace scale=1 grid=1/100                the density is in proportion to
                                            exp(-|x| / scale)
  gaussian variance=4 grid=1/100            to exp(-x^2 / (2 variance))
  staircase epsilon=1 sensitivity=1 gamma=1/3 grid=1/100
                                            to exp(-k epsilon), where k rises by
                                            1 at |x| = gamma sensitivity, at
                                            sensitivity, and so on with period
                                            sensitivity
  Outputs are numbers, told apart by the multiple of the grid that is nearest to
  them, less the centre; nothing is said of their lower digits. If they are
  rounded to multiples of the grid after the noise was added, say how:
  laplace scale=1 grid=1/100 rounded=nearest     halves away from zero
                             rounded=down        to minus infinity
                             rounded=toward-zero
  Then what is no multiple disproves the law. A double is taken for a multiple
  if it misses it by a part 2^-50 at most, as a few roundings do; -0.0 is none.
  Scale or deviation is from 2^-10 to 2^30 steps of the grid, and the centre at
  most 2^30.

A REPORT IN JSON
  Exact numbers (epsilon, delta, levels and bounds) are texts, as a double
  would round them; calls, counts and estimates are numbers.

A DOMAIN
  {"records": RECORDS, "size": [least, largest], "neighbours": "substitute"}
  (or "add-remove"), where RECORDS is one of
    {"type": "integer", "lo": 0, "hi": 100, "thresholds": [37]}
    {"type": "number", "lo": 0, "hi": 1, "thresholds": [0.5]}
    {"type": "choice", "values": ["a", "b"]}      the simplest first
    {"type": "tuple", "fields": [RECORDS, …]}     an array with these fields
  Of the sizes those up to 1000 are tried, or the least if that is larger.
  thresholds may be left out: they are values at which the mechanism may change
  its behaviour, and records next to them are tried. Beside them an integer or a
  number may have "also": [null, {"float": "nan"}], other values of a record.
  Pathological records come first where the domain allows them: those, -0, 2^53
  and the extremes of the type, as the record that differs and as another one.
"#;

const LAST: &str = r#"If standard output is closed early, the command ends with status 2; with
--report, the result is in the report.
"#;

/// Audit a program, in any language: prove its claim false, or say which leaks would have been missed.
///
/// The claim is (epsilon, delta), zCDP, Rényi privacy of one order, Gaussian privacy, or a profile in a file.
/// The program reads requests on its standard input and answers samples on its standard output, one JSON
/// value a line (see audit/targets/). With --law, ask instead whether its noise has a law: not to conform is
/// not the same as not to be private. Exit status: 0 not refuted, 1 violation or another law proved,
/// 2 could not run, 3 inconclusive.
#[derive(Debug, Args)]
#[command(after_long_help = formats())]
pub struct Arguments {
    /// The program and its arguments, as one text. No shell reads it: quotes group words, and for a pipe or a variable write
    /// "sh -c '…'"
    #[arg(long, value_name = "COMMAND", required_unless_present_any = ["self_test", "specimen"])]
    pub target: Option<String>,
    /// The claimed epsilon, at least 1e-6 and at most 40
    #[arg(long, value_name = "E", value_parser = number, allow_hyphen_values = true, group = "claimed")]
    pub epsilon: Option<Rational>,
    /// The claimed delta, at least 0 and below 1
    #[arg(long, value_name = "D", default_value = "0", value_parser = number, allow_hyphen_values = true)]
    pub delta: Rational,
    /// The claim in another measure, instead of --epsilon: the Rényi divergence of every order A above 1 is at most RHO
    /// times A. From 1e-8 to 20
    #[arg(long, value_name = "RHO", value_parser = number, allow_hyphen_values = true, group = "claimed", conflicts_with = "delta")]
    pub zcdp: Option<Rational>,
    /// The same: the Rényi divergence of order ALPHA, above 1 and at most 10000, is at most EPS. From 1e-6 to 20
    #[arg(long, value_name = "ALPHA:EPS", value_parser = read_renyi, allow_hyphen_values = true, group = "claimed", conflicts_with = "delta")]
    pub rdp: Option<Measure>,
    /// The same: the outputs are as hard to tell apart as normal laws of variance 1 at distance MU. From 1e-4 to 10
    #[arg(long, value_name = "MU", value_parser = number, allow_hyphen_values = true, group = "claimed", conflicts_with = "delta")]
    pub gdp: Option<Rational>,
    /// The same: a curve of (epsilon, delta) or a trade-off function in a file (see A PROFILE below)
    #[arg(long, value_name = "FILE", group = "claimed", conflicts_with = "delta")]
    pub profile: Option<PathBuf>,
    /// Two JSON files, the datasets
    #[arg(long, value_name = "A.json,B.json", value_delimiter = ',', num_args = 1..=2)]
    pub pair: Vec<PathBuf>,
    /// A JSON file that describes the datasets, from which pairs are searched
    #[arg(long, value_name = "DOMAIN.json", conflicts_with_all = ["pair", "neighbours"])]
    pub domain: Option<PathBuf>,
    /// How the two datasets of --pair are neighbours; a domain says it itself
    #[arg(long, value_enum, default_value = "substitute")]
    pub neighbours: GivenNeighbours,
    /// The law of the numbers that the program answers, less the centre: discrete-laplace scale=S,
    /// discrete-gaussian variance=V, geometric rate=R, or laplace, gaussian or staircase on a grid (see A LAW below)
    #[arg(long, value_name = "LAW", conflicts_with_all = ["claimed", "delta", "pair", "domain", "self_test", "neighbours", "no_shrink", "seed"])]
    pub law: Option<String>,
    // `requires` is dropped where --law conflicts with what is given: so these two conflict themselves.
    /// A JSON file, the dataset for --law; without it: null
    #[arg(long, value_name = "DATA.json", conflicts_with_all = ["claimed", "self_test"])]
    pub data: Option<PathBuf>,
    /// For --law: the answer of the program on this dataset if it had no noise
    #[arg(long, value_name = "K", value_parser = number, allow_hyphen_values = true, conflicts_with_all = ["claimed", "self_test"])]
    pub centre: Option<Rational>,
    #[command(flatten)]
    pub maps: MapArguments,
    #[command(flatten)]
    pub replays: ReplayArguments,
    #[command(flatten)]
    pub plans: PlanArguments,
    /// The calls on the pair that is audited, at least 50 and at most 16777216, or the most calls for --law
    #[arg(long, value_name = "N", default_value = "200000", value_parser = count, allow_hyphen_values = true)]
    pub calls: u64,
    /// Spend all calls, for the best bound on epsilon, instead of stopping at the first proof
    #[arg(long, conflicts_with = "law")]
    pub all_calls: bool,
    /// Stop at the first proof, by values or by bits, and leave the other line undecided
    #[arg(long, conflicts_with_all = ["law", "all_calls", "self_test"])]
    pub first_proof: bool,
    /// The probability with which a true claim may be called violated
    #[arg(long, value_name = "ALPHA", default_value = "1/20", value_parser = number, allow_hyphen_values = true)]
    pub alpha: Rational,
    /// Time limit for one request, in seconds. Requests are made so large that they take about an eighth of it. A
    /// program that can give only one answer at a time cannot be checked for a reused seed
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = seconds, allow_hyphen_values = true)]
    pub deadline: u64,
    /// Time limit for the program to end after the end of its input, in seconds. If it takes longer, a proof is kept, and
    /// an audit without one is inconclusive
    #[arg(long, value_name = "SECONDS", default_value_t = 10, value_parser = seconds, allow_hyphen_values = true)]
    pub grace: u64,
    /// How the program answers
    #[arg(long, value_enum, default_value = "lines")]
    pub reply: Reply,
    /// The seed of the auditor's own coins
    #[arg(long, value_name = "N", value_parser = whole, allow_hyphen_values = true, default_value_t = 1)]
    pub seed: u64,
    /// Keep the pair as it is, and do not look for a smaller one
    #[arg(long)]
    pub no_shrink: bool,
    /// Also measure which epsilon the whole audit catches with probability 0.95, by planted violations of a family:
    /// randomised-response, discrete-laplace, rare-release:MASS, or all. The outputs are single values on a given pair, so this says nothing of
    /// arrays, of learners, or of the search of a domain. Takes up to 944 audits a family
    #[arg(long, value_name = "FAMILY", value_delimiter = ',', conflicts_with_all = ["law", "self_test"])]
    pub power: Vec<String>,
    /// Also write report.json, report.html, report.xml (JUnit) and report.sarif (SARIF 2.1.0) into this directory. Files of
    /// an earlier run are removed at the start
    #[arg(long, value_name = "DIR", conflicts_with = "self_test")]
    pub report: Option<PathBuf>,
    /// Audit the auditor: the corpus of mechanisms with known privacy, or those named (disjoint-* names several). It
    /// fails if a violation is missed although the calls were enough, and if there are more false alarms or false bounds
    /// than --alpha explains. Learners run on one to six records, those with gradients for one step
    #[arg(long, value_name = "NAME", num_args = 0.., conflicts_with_all = ["target", "claimed", "delta", "pair", "domain", "neighbours", "no_shrink", "reply", "deadline", "grace"])]
    pub self_test: Option<Vec<String>>,
    /// Print all rows of the report, with its assumptions, its limits and its cost
    #[arg(long, conflicts_with = "self_test")]
    pub verbose: bool,
    /// How to print the report
    #[arg(long, value_enum, default_value = "table")]
    pub format: Format,
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
}

/// A time limit: whole seconds.
fn seconds(text: &str) -> Result<u64, String> {
    whole(text)
        .ok()
        .filter(|&seconds| seconds > 0)
        .ok_or_else(|| "it must be a whole number of seconds of at least 1".to_owned())
}

/// A number of calls: exact, like all numbers of the command.
fn count(text: &str) -> Result<u64, String> {
    let wrong = || "it is not a whole number of at least 0: write 400 or 1e6".to_owned();
    let value = number(text).map_err(|_| wrong())?;
    if !value.is_integer() {
        return Err(wrong());
    }
    u64::try_from(value.to_integer()).map_err(|_| match value < ratio(0, 1) {
        true => wrong(),
        false => format!("it must be at most {}", u64::MAX),
    })
}

impl Arguments {
    /// The files that are read.
    pub fn inputs(&self) -> Vec<&Path> {
        let named = [&self.profile, &self.domain, &self.data];
        let all = named.into_iter().flatten().chain(&self.pair);
        all.map(PathBuf::as_path).collect()
    }

    /// What is claimed, if something is.
    pub fn claim(&self) -> Result<Option<Claim>, String> {
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
            Measure::Profile(Profile::read(path)?)
        } else {
            return Ok(None);
        };
        Ok(Some(Claim::new(measure)))
    }

    /// When an audit stops.
    pub const fn until(&self) -> Until {
        match (self.all_calls, self.first_proof) {
            (true, _) => Until::End,
            (false, true) => Until::Proof,
            (false, false) => Until::Proofs,
        }
    }
}
