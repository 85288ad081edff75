//! `assay audit`: is a program as private as it is claimed to be?

use super::Outcome;
use super::auditor::{
    ClaimOptions, DatasetOptions, Level, Program, Progress, Seed, Shown, Watched, calls,
    could_not_run, failed, notes,
};
use crate::error::Error;
use crate::options::whole_in;
use clap::Args;
use dp_assay_audit::pairs::read_dataset;
use dp_assay_audit::refute::{Claim, Family, NAMES, Question, Until, examine};
use dp_assay_audit::report::{AuditReport, claim};
use dp_assay_audit::targets::{Analyst, MOST_ROUNDS, Reply, Strategy};
use serde_json::Value;
use std::path::PathBuf;

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

SESSIONS
  With --questions the program reads three other requests, and answers each by
  one line (in Python serve_sessions(begin), in JavaScript serveSessions(begin)):
    {"op": "open", "data": [0, 1], "n": 1, "reply": "lines"}      null
    {"op": "ask", "question": "sum", "n": 1, "reply": "lines"}    an answer
    {"op": "close", "n": 1, "reply": "lines"}                     null
  An exception is an answer too, and one to open ends the session. The claim is
  held over the array of all answers of a session. Who asks is public: a
  function of the answers so far, drawn by --analyst and --seed.

TIMES
  With --time a request may ask for the time of its answers, as in
    {"op": "sample", "data": [0, 1], "time": true, "n": 1, "reply": "lines"}
  Then each output has a line before it, {"time": 1250}: the nanoseconds that
  the mechanism alone took, by a clock that never goes back. The adapters do so.
  The first calls serve to learn buckets of times, and are then spent. After
  them each call is a request of its own, on a dataset that a coin names. If
  the outputs alone are a violation, their times are not looked at. The pair is
  not made smaller, and a domain is searched by the outputs alone.

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

If standard output is closed early, the command ends with status 2; with
--report, the result is in the report.
"#;

/// Audit a program, in any language: prove its claim false, or say which leaks would have been missed.
///
/// The claim is (epsilon, delta), zCDP, Rényi privacy of one order, Gaussian privacy, or a profile in a file.
/// The program reads requests on its standard input and answers samples on its standard output, one JSON
/// value a line (see audit/targets/). Other questions have commands of their own: conform (has its noise this law?),
/// stable (is it as stable, without noise, as claimed?) and replay (does the noise that it records hide enough?).
/// Exit status: 0 not refuted, 1 violation proved, 2 could not run, 3 inconclusive.
#[derive(Debug, Args)]
#[command(after_long_help = FORMATS)]
pub struct Arguments {
    #[command(flatten)]
    program: Program,
    /// How the program answers
    #[arg(long, value_enum, default_value = "lines")]
    reply: Reply,
    #[command(flatten)]
    sessions: Sessions,
    #[command(flatten)]
    claim: ClaimOptions,
    #[command(flatten)]
    datasets: DatasetOptions,
    /// The calls on the pair that is audited, at least 50 and at most 16777216
    #[arg(long, value_name = "N", default_value = "200000", value_parser = calls, allow_hyphen_values = true)]
    calls: u64,
    /// Spend all calls, for the best bound on epsilon, instead of stopping at the first proof
    #[arg(long)]
    all_calls: bool,
    /// Stop at the first proof, by values or by bits, and leave the other line undecided
    #[arg(long, conflicts_with = "all_calls")]
    first_proof: bool,
    /// Also audit outputs together with the times that they took, which the program stamps when it is asked to (TIMES below). Half of the
    /// level is for that, and as many calls again
    #[arg(long, conflicts_with = "questions")]
    time: bool,
    #[command(flatten)]
    level: Level,
    #[command(flatten)]
    seed: Seed,
    /// Keep the pair as it is, and do not look for a smaller one
    #[arg(long)]
    no_shrink: bool,
    /// Also measure which epsilon the whole audit catches with probability 0.95, by planted violations of a family:
    /// randomised-response, discrete-laplace, rare-release:MASS, or all. The outputs are single values on a given pair, so this says nothing of
    /// arrays, of learners, or of the search of a domain. Takes up to 944 audits a family
    #[arg(long, value_name = "FAMILY", value_delimiter = ',')]
    power: Vec<String>,
    #[command(flatten)]
    shown: Shown,
}

/// Who asks a program that answers by sessions.
#[derive(Debug, Args)]
struct Sessions {
    /// The program answers by sessions (SESSIONS below), and may be asked the questions in this file, an array of JSON. An output is
    /// then all that a session answers
    #[arg(long, value_name = "QUESTIONS.json")]
    questions: Option<PathBuf>,
    /// How the next question is chosen. What is drawn is drawn once, by --seed: another seed is another analyst
    #[arg(long, value_enum, default_value = "fixed", requires = "questions")]
    analyst: Strategy,
    /// The most questions of a session, at most 1000; otherwise as many as the file has, and of a probing analyst 16 times as many
    #[arg(long, value_name = "N", value_parser = whole_in::<usize>(1..=MOST_ROUNDS as u64), allow_hyphen_values = true, requires = "questions")]
    rounds: Option<usize>,
}

impl Sessions {
    /// The analyst, if there are sessions.
    fn analyst(&self, seed: u64, reply: Reply) -> Result<Option<Analyst>, Error> {
        let Some(path) = &self.questions else {
            return Ok(None);
        };
        if reply != Reply::Lines {
            return Err(Error::Usage(
                "--reply must be lines with --questions: what a session answers is a line"
                    .to_owned(),
            ));
        }
        let Value::Array(questions) = read_dataset(path).map_err(Error::usage)? else {
            return Err(Error::Usage(format!(
                "--questions must be a file with an array of questions, such as [1, \"sum\"]: {} has none",
                path.display()
            )));
        };
        let usual = self.analyst.usual_rounds(questions.len());
        let rounds = self.rounds.unwrap_or(usual);
        let analyst = Analyst::new(questions, self.analyst, rounds, seed);
        let wrong = |reason| Error::Usage(format!("--questions {}: {reason}", path.display()));
        analyst.map(Some).map_err(wrong)
    }
}

/// Runs `assay audit`.
pub fn run(arguments: &Arguments) -> Result<Outcome, Error> {
    let profile = arguments.claim.profile.as_deref();
    let inputs = profile.into_iter().chain(arguments.datasets.inputs());
    let inputs = inputs.chain(arguments.sessions.questions.as_deref());
    let files = arguments.shown.files(inputs)?;
    let report = refute(arguments, arguments.claim.claim()?)?;
    arguments.shown.end(&report, files)
}

/// Is the claim false?
fn refute(arguments: &Arguments, claim: Claim) -> Result<AuditReport, Error> {
    let question = Question {
        claim,
        level: arguments.level.alpha.clone(),
        calls: arguments.calls,
        until: match (arguments.all_calls, arguments.first_proof) {
            (true, _) => Until::End,
            (false, true) => Until::Proof,
            (false, false) => Until::Proofs,
        },
        shrink: !arguments.no_shrink,
        time: arguments.time,
        seed: arguments.seed.seed,
    };
    question.check().map_err(could_not_run)?;
    if arguments.time && arguments.reply != Reply::Lines {
        return Err(Error::Usage(
            "--reply must be lines with --time: a time is a line of its own, before its output"
                .to_owned(),
        ));
    }
    let families = families(&arguments.power, &question.claim)?;
    let datasets = arguments.datasets.neighbouring()?;
    let analyst = arguments.sessions.analyst(question.seed, arguments.reply)?;
    let command = &arguments.program.target;
    let mut target = arguments.program.start(arguments.reply)?;
    if let Some(analyst) = &analyst {
        target = target.held_by(analyst.clone());
    }
    let progress = Progress::new();
    let mut watched = Watched {
        target: &mut target,
        progress: &progress,
    };
    let tell = |phase| progress.begin(phase);
    let result = examine(&mut watched, &datasets, &question, &families, &tell);
    let report = match result {
        Ok(found) => claim::report(&found, &question, command),
        Err(error) => failed(
            format!("the program is {}", question.claim),
            command,
            Some(question.seed),
            target.asked(),
            error,
        )?
        .asking(claim::asked(&question, &datasets)),
    };
    let report = report.noting(notes(&target, command));
    Ok(match &analyst {
        Some(analyst) => report.held_by(analyst),
        None => report,
    })
}

/// The families of these names; `all` names those that there are for the claim.
fn families(names: &[String], claim: &Claim) -> Result<Vec<Family>, Error> {
    let mut families = Vec::new();
    for name in names {
        let mut named = Family::read(name).ok_or_else(|| Error::option("--power", NAMES, name))?;
        if name == "all" {
            named.retain(|family| family.check(claim).is_ok());
        }
        for family in &named {
            family.check(claim).map_err(could_not_run)?;
        }
        families.extend(named);
    }
    Ok(families)
}
