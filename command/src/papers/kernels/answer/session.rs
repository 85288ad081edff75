//! What all sessions are: a plan that opens one, and its answers.

use crate::error::Error;
use dp_assay::coins::ChaCha;
use dp_assay::geometry::Point;
use dp_assay::kernels::session::Answered;
use dp_assay::kernels::{KernelError, Optimum};
use dp_assay::number::Rational;
use num_bigint::BigInt;

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

    /// The last of them once more, as it was told.
    fn last_reply(&self) -> Result<Option<Reply>, KernelError>;

    /// The hidden threshold, if there is one. **Not private.**
    fn threshold(&self) -> Option<&BigInt>;

    /// What it may still do: a key, the same in words, and how often.
    fn left(&self) -> Vec<(&'static str, &'static str, u64)>;

    /// Whether it answers nothing more.
    fn has_ended(&self) -> bool;
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

/// How good answers are, which is public. In units of predictions.
pub enum Accuracy {
    /// The standard deviation of an answer's noise is at most this.
    Noise(Rational),
    /// That some answer is off by more than the error has at most this probability. The noise of one from the data has the
    /// scale.
    Error {
        at_most: Rational,
        probability: Rational,
        scale: Rational,
    },
}

/// What is asked for: by the names of the options; and the numbers of the plan.
pub type Parameters = Vec<(&'static str, String)>;

/// Refuses the hidden threshold of another session, of one that has none.
pub fn no_threshold(found: Option<&BigInt>) -> Result<(), Error> {
    match found {
        None => Ok(()),
        Some(_) => Err(Error::Usage(
            "it has a hidden threshold, and only svt has one".to_owned(),
        )),
    }
}
