//! A session: what it is started with, and its answers.

use super::options::SessionOptions;
use super::question::Question;
use super::state::{About, Kept, StateFile};
use crate::error::Error;
use crate::options::{Format, coins};
use crate::output;
use crate::table::Label;
use dp_assay::coins::{ChaCha, CoinsError};
use dp_assay::geometry::Point;
use dp_assay::kernels::session::Answered;
use dp_assay::kernels::{KernelError, Optimum, fit};
use dp_assay::number::Rational;
use dp_assay::number::rational::{integer, to_f64_for_display};
use num_bigint::BigInt;
use serde_json::{Map, json};
use std::io;

/// The plan of a session, which opens one or goes on with one.
pub trait Plan {
    /// Opens a session.
    fn open<'a>(
        &self,
        optimum: &'a Optimum,
        coins: &mut ChaCha,
    ) -> Result<Box<dyn Session + 'a>, KernelError>;

    /// Goes on with a session that was stopped.
    fn resume<'a>(
        &self,
        optimum: &'a Optimum,
        threshold: Option<BigInt>,
        answered: Vec<Answered>,
    ) -> Result<Box<dyn Session + 'a>, Error>;
}

/// A session that runs.
pub trait Session {
    /// Answers a query.
    fn answer(&mut self, z: &Point, coins: &mut ChaCha) -> Result<Reply, KernelError>;

    /// How many answers the session must be started again with.
    fn kept(&self) -> usize;

    /// The last of them.
    fn last(&self) -> Option<Answered>;

    /// The hidden threshold, if there is one. **Not private.**
    fn threshold(&self) -> Option<&BigInt> {
        None
    }

    /// What it may still do: a key, the same in words, and how often.
    fn left(&self) -> Vec<(&'static str, &'static str, u64)>;
}

/// An answer.
pub struct Reply {
    /// The prediction.
    pub value: Rational,
    /// Whether it has news of the data, and where it comes from.
    pub source: (bool, &'static str),
    /// By how much it may be off besides, where that is more than roundings.
    pub off: Option<Rational>,
}

/// Holds a session of this name, with all that was asked for, the numbers of its plan, and the plan.
pub fn hold(
    name: &'static str,
    mut question: Question,
    mut parameters: Vec<(&'static str, String)>,
    plan: &dyn Plan,
    options: &SessionOptions,
) -> Result<(), Error> {
    let seed = options.seed.map(|seed| seed.to_string());
    parameters.push(("seed", seed.unwrap_or_else(|| "none".to_owned())));
    if let Some(matrix) = &question.matrix {
        parameters.push(("matrix", matrix.clone()));
    }
    // 1. The state, and what it has of a session that was stopped.
    let about = About {
        algorithm: name,
        parameters: &parameters,
        question: &question,
    };
    let mut state = match &options.state {
        None => None,
        Some(path) => Some(StateFile::open(path, &about)?),
    };
    let kept = match &mut state {
        Some(state) => state.kept.take(),
        None => None,
    };
    // 2. The minimiser, and the session.
    let mut source = Source::new(options.seed)?;
    let (optimum, before) = match kept {
        None => {
            output::progress("minimising the risk");
            (fit(&question.data, &question.problem)?, None)
        }
        Some(Kept {
            fit,
            threshold,
            answered,
        }) => (fit, Some((threshold, answered))),
    };
    let mut session = match before {
        None => {
            let session = plan.open(&optimum, source.of_round(0))?;
            if let Some(state) = &mut state {
                state.begin(&about, &optimum, session.threshold())?;
            }
            session
        }
        Some((threshold, answered)) => {
            let session =
                plan.resume(&optimum, threshold, answered)
                    .map_err(|error| match &options.state {
                        Some(path) => Error::data(path, error.to_string()),
                        None => error,
                    })?;
            output::note(&format!(
                "the session goes on: {}",
                left_in_words(&*session)
            ));
            session
        }
    };
    output::note(&format!(
        "a query is a line with {}; the end of the input ends the session",
        question.queries.columns()
    ));
    // 3. The queries.
    let mut refused = 0u64;
    let mut refuse = |line: u64, error: &dyn std::fmt::Display| -> Result<(), Error> {
        refused += 1;
        output::warn(&format!(
            "line {line} is refused, and costs nothing: {error}"
        ));
        match options.format {
            Format::Table => Ok(()),
            Format::Json => output::print(&format!(
                "{}\n",
                json!({"line": line, "refused": error.to_string()})
            )),
        }
    };
    let mut input = io::stdin().lock();
    while let Some(line) = question.queries.next_line(&mut input)? {
        let number = line.number;
        let query = match question.queries.query(line) {
            Ok(Some(query)) => query,
            Ok(None) => continue,
            Err(error) => {
                refuse(number, &error)?;
                continue;
            }
        };
        let kept = session.kept();
        let reply = match session.answer(&query.point, source.of_round(kept as u64 + 1)) {
            Ok(reply) => reply,
            Err(error @ (KernelError::Spent | KernelError::Geometry(_))) => {
                refuse(number, &error)?;
                continue;
            }
            Err(error) => return Err(error.into()),
        };
        // What is told is on the disk first.
        if let (Some(state), Some(last)) = (&mut state, session.last())
            && session.kept() > kept
        {
            state.enter(&last)?;
        }
        let clipped = query.clipped;
        let printed = printed(
            &question,
            &*session,
            &reply,
            (number, clipped),
            options.format,
        );
        output::print(&printed)?;
    }
    match refused {
        0 => Ok(()),
        1 => Err(Error::Usage("1 line was refused".to_owned())),
        _ => Err(Error::Usage(format!("{refused} lines were refused"))),
    }
}

/// The coins of a session. With a seed each round has its own, so that a session that was stopped goes on with those of an
/// unbroken one.
struct Source {
    seed: Option<u64>,
    coins: ChaCha,
}

impl Source {
    fn new(seed: Option<u64>) -> Result<Self, CoinsError> {
        let (coins, _) = coins(seed)?;
        Ok(Self { seed, coins })
    }

    fn of_round(&mut self, round: u64) -> &mut ChaCha {
        if let Some(seed) = self.seed {
            self.coins = ChaCha::reproducible(seed, round);
        }
        &mut self.coins
    }
}

fn left_in_words(session: &dyn Session) -> String {
    let left = session.left();
    let parts = left
        .iter()
        .map(|(_, words, left)| format!("{words} {left}"));
    format!("left: {}", parts.collect::<Vec<_>>().join(", "))
}

/// An answer and what is left, as a line.
fn printed(
    question: &Question,
    session: &dyn Session,
    reply: &Reply,
    (line, clipped): (u64, bool),
    format: Format,
) -> String {
    let value = match &question.label {
        Label::Classes(_) => reply.value.clone(),
        Label::Interval(column) => {
            let (lo, hi) = (column.scale.lo(), column.scale.hi());
            (lo + hi) / integer(2) + &question.unit * &reply.value
        }
    };
    let value = to_f64_for_display(&value);
    let class = match &question.label {
        Label::Classes(classes) if value > 0.0 => Some(classes.positive.as_str()),
        Label::Classes(classes) if value < 0.0 => Some(classes.negative.as_str()),
        Label::Classes(_) => Some("undecided"),
        Label::Interval(_) => None,
    };
    let (news, source) = reply.source;
    match format {
        Format::Table => {
            let class = class.map_or(String::new(), |class| {
                format!("{} ", output::printable(class))
            });
            let off = reply.off.as_ref().map_or(String::new(), |off| {
                format!(", and off by up to {}", question.shown(off))
            });
            let clipped = if clipped {
                ", for the query clipped"
            } else {
                ""
            };
            let left = left_in_words(session);
            format!("{class}{value:.6}, {source}{off}{clipped}; {left}\n")
        }
        Format::Json => {
            let left: Map<_, _> = session
                .left()
                .into_iter()
                .map(|(key, _, left)| (key.to_owned(), left.into()))
                .collect();
            let off = reply.off.as_ref();
            let off = off.map(|off| to_f64_for_display(&(off * &question.unit)));
            let printed = json!({
                "line": line, "value": value, "class": class, "from_the_data": news, "off_by_up_to": off, "clipped": clipped,
                "left": left
            });
            format!("{printed}\n")
        }
    }
}
