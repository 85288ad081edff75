//! The options and the help of sessions.

use crate::error::Error;
use crate::options::{Format, Range, number, whole};
use crate::output;
use crate::papers::budget::BudgetOptions;
use clap::{Args, Command};
use dp_assay::number::Rational;
use num_traits::Zero;
use std::path::PathBuf;

/// What all sessions take.
#[derive(Debug, Args)]
pub struct SessionOptions {
    /// Keep the session in this file, PRIVATE, and go on with it if the file is there; its data and parameters must then be
    /// these
    #[arg(long, value_name = "FILE", value_parser = state)]
    pub state: Option<PathBuf>,
    /// Answer also where the answers say nothing
    #[arg(long)]
    pub accept_noise: bool,
    /// Reproducible coins instead of those of the operating system: the answers are NOT private
    #[arg(long, value_name = "N", value_parser = whole, allow_hyphen_values = true)]
    pub seed: Option<u64>,
    /// How to print an answer; json: an object a line, the first of them on the session
    #[arg(long, value_enum, default_value = "table")]
    pub format: Format,
    #[command(flatten)]
    pub budget: BudgetOptions,
}

impl SessionOptions {
    /// Refuses a session whose answers say nothing, unless that is accepted. What is asked is public.
    pub fn refuse_noise(&self, said: &str, what_helps: &str) -> Result<(), Error> {
        if self.accept_noise {
            output::warn(said);
            return Ok(());
        }
        Err(Error::Usage(format!(
            "{said}; nothing was spent. {what_helps} would help (--accept-noise answers all the same)"
        )))
    }
}

/// The file of a session.
fn state(text: &str) -> Result<PathBuf, String> {
    match text {
        "-" => Err(
            "a session is kept in a file, and - is none: write ./- for one of that name".to_owned(),
        ),
        _ => Ok(PathBuf::from(text)),
    }
}

/// What the help of all sessions says.
const HELP: &str = "\
A query is a line on standard input: a CSV record with the data's columns without the label, separated as in the data. If \
the first line has their names, they may come in its order, and other columns are not looked at; with a wrong name the \
session stops. The answer is printed at once, and then what the session may still do: the sign of an answer is the class, \
and its size is how sure the minimiser is, with noise; of labels that are numbers it is the label. Queries and answers are \
public: only the records are protected. A line that is no query is refused on standard error and costs nothing; the session \
goes on, and the exit status is 2 at the end. After the budget no query is answered. A session whose answers would say \
nothing is refused.

With --state the session can be stopped and started again, and goes on with its budget; without it each run is a session \
with a budget of its own. The file has records, those that the minimiser is made of: it is \
PRIVATE, and nobody else may read it. It is locked while the session runs, and has each answer on the disk before that is \
printed. An older copy that is put back, or a file that is removed, spends the budget twice: nothing can prevent that.

With --format json the first object has the keys session, privacy, noise (the standard deviation of an answer's noise at \
most), error_at_most and error_probability (of nt and svt), goes_on, last_answer and left; that of an answer line, value, \
class, from_the_data, off_by_up_to, clipped and left; that of a refused line line and refused.

The running time of an answer depends on the records, and is not covered.";

/// The options of sessions where those of learners do not fit.
pub fn adapted(command: Command, about: &'static str, more: &str) -> Command {
    command
        .about(about)
        .long_about(format!("{about}.\n\n{more}\n\n{HELP}"))
        .mut_arg("kernel", |arg| {
            arg.help(
                "The kernel: linear is <x, x'>, polynomial=P,C is (<x, x'> + C)^P, gaussian=V is exp(-V |x - x'|^2 / 2). \
                 matrix=FILE is a matrix of public numbers, a row a line: record and query have one column, the --category \
                 whose values are the rows. To be chosen without the records",
            )
        })
        .mut_arg("held_out", |arg| {
            arg.value_parser(no_holdout).default_value("0").hide(true)
        })
        .mut_arg("split_seed", |arg| arg.hide(true))
}

/// Records that are held out would be told by asking for them.
fn no_holdout(text: &str) -> Result<Rational, String> {
    zero(text, "queries are public, and no record may be one")
}

fn zero(text: &str, why: &str) -> Result<Rational, String> {
    let value = number(text)?;
    if !value.is_zero() {
        return Err(format!("it must be 0 here: {why}"));
    }
    Ok(value)
}

/// A delta for sessions that need one.
pub fn some_delta(text: &str) -> Result<Rational, String> {
    if number(text)?.is_zero() {
        return Err(
            "it must be above 0 here: for delta = 0 take the session svt, which is purely private"
                .to_owned(),
        );
    }
    Range::Delta.parser()(text)
}

/// The delta of a session that is purely private.
pub fn no_delta(text: &str) -> Result<Rational, String> {
    zero(
        text,
        "svt is purely private; a delta above 0 is for the sessions gp and nt",
    )
}
