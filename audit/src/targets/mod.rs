//! Targets: anything that can be asked for samples.

mod analyst;
mod asked;
mod beliefs;
mod complaints;
mod floats;
mod line;
mod output;
mod pace;
mod refusals;
mod repeats;
mod sessions;
mod starts;
mod subprocess;
mod written;

pub use analyst::{Analyst, MOST_ROUNDS, Strategy};
pub use asked::Asked;
pub use beliefs::{Beliefs, Heard};
pub use floats::hex;
pub(crate) use floats::read_hex;
pub(crate) use line::excerpt;
pub use line::{Line, cut};
pub(crate) use output::{EXACT, bytes};
pub use output::{Output, OutputKind};
pub use refusals::Refusal;
pub use repeats::{LEAST_CALLS as LEAST_CALLS_FOR_REPEATS, Repetition, check_repeats};
pub use starts::{Starts, check_starts};
pub use subprocess::{Reply, Settings, Subprocess, meant_for_a_shell, quoted, words};

use serde_json::Value;
use std::io;
use std::time::Duration;
use thiserror::Error;

/// A mechanism, in this process or in another one.
pub trait Target {
    /// `n` independent outputs on `data`.
    ///
    /// # Errors
    /// If there are not exactly `n` outputs. Nothing of such a batch may be counted, and the
    /// audit is inconclusive: a target that fails on the data may be hiding what it would have said.
    fn sample(&mut self, data: &Value, n: usize) -> Result<Batch, TargetError>;

    /// How many outputs on `data` may be asked for at once, at least one: a program must answer within its deadline. One
    /// that stands for another asks that one.
    fn at_once(&self, data: &Value) -> usize {
        let _ = data;
        usize::MAX
    }

    /// One output on `data`, and the time that it took, in nanoseconds, as the target itself stamps it: around the mechanism
    /// alone, by a clock that never goes back.
    ///
    /// # Errors
    /// [`TargetError::Unstamped`] of a target that measures no time; otherwise as for samples.
    fn timed(&mut self, data: &Value) -> Result<(Batch, u64), TargetError> {
        let _ = data;
        let reason = "it runs in this process".to_owned();
        Err(TargetError::Unstamped { reason })
    }

    /// Whether each call is a request of its own, in the order in which the coins name the datasets: so it is where time is
    /// measured, since the load of a machine drifts.
    fn takes_turns(&self) -> bool {
        false
    }

    /// The same target, started once more, as it was before the first request.
    ///
    /// # Errors
    /// Why it cannot be started once more.
    fn again(&self) -> Result<Box<dyn Target>, String> {
        Err("it runs in this process".to_owned())
    }

    /// Ends the target. Nothing may be sampled afterwards.
    ///
    /// # Errors
    /// If it answered more than it was asked for, or has to be killed: the audit is then inconclusive.
    fn finish(&mut self) -> Result<(), TargetError> {
        Ok(())
    }
}

/// What a target answered to one request.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Batch {
    /// The outputs, as many as were asked for.
    pub outputs: Vec<Output>,
    /// What the target said about itself.
    pub traces: Vec<Trace>,
}

/// What a target believes about one of its outputs, as `{"trace": {…}}` before it.
#[derive(Debug, Clone, PartialEq)]
pub struct Trace {
    /// The line of the batch's reply, from 1.
    pub line: u64,
    /// The index in the batch of the output that follows.
    pub output: usize,
    /// What is believed: of a program's trace only the `sensitivity`, the `scale` and the `distance` are kept.
    pub said: Value,
}

/// A function from a dataset to one output, as a target.
pub struct Function<F>(pub F);

impl<F: FnMut(&Value) -> Result<Output, TargetError>> Target for Function<F> {
    fn sample(&mut self, data: &Value, n: usize) -> Result<Batch, TargetError> {
        let outputs = (0..n).map(|_| (self.0)(data)).collect::<Result<_, _>>()?;
        Ok(Batch {
            outputs,
            traces: Vec::new(),
        })
    }
}

/// Why a target could not be sampled. Lines are those of the reply to one request, from 1.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TargetError {
    /// A command that is not one.
    #[error("the target's command is wrong: {reason}")]
    Command {
        /// What is wrong, and what would be right.
        reason: String,
    },
    /// A command that could not be started.
    #[error("cannot start the target '{program}': {source}")]
    Start {
        /// The program.
        program: String,
        /// What the operating system said.
        source: io::Error,
    },
    /// A target that ended before it had answered.
    #[error("the target ended ({status}) after {got} of {expected} answers{said}")]
    Ended {
        /// Its exit status, or that it closed its output.
        status: String,
        /// The last line of its standard error, if there is one.
        said: String,
        /// How many answers there were.
        got: usize,
        /// How many were asked for.
        expected: usize,
    },
    /// A target that did not answer in time.
    #[error(
        "the target did not answer within {} s: {got} of {expected} answers{rest}. If it is slow, give it more time with --deadline",
        deadline.as_secs_f64()
    )]
    Deadline {
        /// The time that it had for the request.
        deadline: Duration,
        /// How many answers there were.
        got: usize,
        /// How many were asked for.
        expected: usize,
        /// What came of the next answer, and the usual causes.
        rest: String,
    },
    /// A target that answers more than it is asked for.
    #[error("the target answered more than the {expected} {unit} that it was asked for{example}")]
    Flood {
        /// How many were asked for.
        expected: usize,
        /// Lines or bytes.
        unit: &'static str,
        /// The first thing too many, after a colon; empty if it is not text.
        example: String,
    },
    /// A target that answers before the first request.
    #[error("the target answered before it was asked{example}")]
    Unasked {
        /// The first thing that it said, after a colon; empty if it is not text.
        example: String,
    },
    /// A line that is too long.
    #[error("line {line} of the reply is longer than {limit} bytes")]
    LongLine {
        /// The line.
        line: u64,
        /// The longest line allowed.
        limit: usize,
    },
    /// A target that measures no time.
    #[error("the target stamps no answers with their time: {reason}")]
    Unstamped {
        /// Why.
        reason: String,
    },
    /// A line that is not in the protocol.
    #[error("line {line} of the reply: {reason}")]
    Line {
        /// The line.
        line: u64,
        /// What was expected.
        reason: String,
    },
    /// A target that answers requests alike.
    #[error(
        "the program seems to reuse its seed: {requests} requests on the same dataset got the same {answers} answers, which independent answers are with probability 1e-9 at most; make the generator once, before the first request (dataset {data})"
    )]
    Repeats {
        /// The dataset.
        data: String,
        /// How many requests were compared.
        requests: usize,
        /// How many answers of each.
        answers: usize,
    },
    /// A target whose two starts answer alike.
    #[error(
        "the program seems to begin with one seed at each start: two starts of it gave the same {answers} answers to the same requests, which independent answers are with probability 1e-9 at most, so whoever starts it knows its noise; seed it from the operating system, or, where the seed is fixed for this audit on purpose, give --one-start (dataset {data})"
    )]
    StartsAlike {
        /// The dataset.
        data: String,
        /// How many answers of each were compared.
        answers: usize,
    },
    /// A target that refuses to answer from some call on.
    #[error(
        "from call {} of the program on, all {} answers were {}, on both datasets: it has a budget or another memory, and answers that depend on those before prove nothing. Make a new session for each call, or give it a budget for all calls of the audit",
        refusal.from, refusal.calls, refusal.last
    )]
    Refuses {
        /// From which call on, and how.
        refusal: Refusal,
    },
    /// A target that failed once is not asked again.
    #[error("the target failed before, and is not asked again")]
    Failed,
    /// A target that answers with one error and nothing else.
    #[error("the program answered nothing but the error {error}: is the dataset what it expects?")]
    NothingButErrors {
        /// The error, quoted and cut.
        error: String,
    },
    /// A target that goes on after the end of its input.
    #[error("the target did not end within {} s after the end of its input; --grace gives it more", grace.as_secs_f64())]
    Lingers {
        /// The time that it had.
        grace: Duration,
    },
    /// Data that this target has no answer for.
    #[error("the target takes {expected}, got {got}")]
    Data {
        /// What would be right.
        expected: &'static str,
        /// The data as given.
        got: String,
    },
    /// A draw that failed.
    #[error(transparent)]
    Coins(#[from] dp_assay::coins::CoinsError),
}

impl TargetError {
    /// Whether answers that came before may have been taken for those of other requests: the target answered what nobody
    /// asked for. What was concluded from them is then worth nothing.
    #[must_use]
    pub fn makes_answers_doubtful(&self) -> bool {
        matches!(self, Self::Flood { .. } | Self::Unasked { .. })
    }
}
