//! What can go wrong while drawing.

use crate::number::{NumberError, OutOfRange};
use thiserror::Error;

/// An error of a source of coins, or of an argument that no distribution has.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum CoinsError {
    /// The operating system has no randomness to give.
    #[error("the operating system's generator failed: {reason}")]
    OperatingSystem {
        /// What the operating system said.
        reason: String,
    },
    /// A cryptographic generator of somebody else has no randomness to give.
    #[error("the generator failed: {reason}")]
    Generator {
        /// What the generator said.
        reason: String,
    },
    /// A tape was read past its end.
    #[error("the tape has {length} bits, and more were asked for")]
    TapeEnded {
        /// The tape's length in bits.
        length: u64,
    },
    /// A probability outside [0, 1].
    #[error("{value} is not a probability: it must be between 0 and 1")]
    NotAProbability {
        /// The value as given.
        value: String,
    },
    /// A negative exponent for exp(-x).
    #[error("exp(-x) is a probability for x >= 0 only, got x = {value}")]
    NegativeExponent {
        /// The value as given.
        value: String,
    },
    /// A uniform draw from nothing.
    #[error("a uniform draw needs at least one outcome")]
    NoOutcome,
    /// A parameter that no law of the family has.
    #[error("{law}: {wrong}")]
    Parameter {
        /// The family.
        law: &'static str,
        /// The parameter, what it must be, and its value.
        wrong: OutOfRange,
    },
    /// A computation of an enclosure failed.
    #[error(transparent)]
    Number(#[from] NumberError),
    /// The explorer holds a choice atomic that has too many outcomes to branch over.
    #[error("a choice among {outcomes} outcomes is too wide to explore: at most {limit}")]
    TooManyBranches {
        /// How many outcomes the choice has.
        outcomes: String,
        /// The most that are explored.
        limit: u64,
    },
    /// Not an error of the code under it: the two runs that the meter compares have parted, and it ends them.
    #[error("the two metered runs have parted (sampling code must pass this on)")]
    Parted,
    /// More bits at once than a word has.
    #[error("at most 64 bits are drawn at once, got {count}")]
    TooManyBits {
        /// How many were asked for.
        count: u32,
    },
    /// The explorer was given code whose law it can't certify.
    #[error(
        "the sampler {reason}: only a function of its coins that passes on all their errors can be explored"
    )]
    NotExplorable {
        /// What it did.
        reason: String,
    },
    /// A draw that does not fit into 64 bits, where 64 bits were asked for.
    #[error("{law}: the draw does not fit into 64 bits (draw it as a big integer)")]
    TooLarge {
        /// The law.
        law: &'static str,
    },
    /// The probabilities of a law that was held atomic add up to more than one.
    #[error("the probabilities of {law} add up to more than 1")]
    NotALaw {
        /// The law.
        law: String,
    },
    /// Not an error: the explorer asks the code under it to stop here, because it will run it again
    /// once for each outcome of the choice that it reached. Sampling code passes it on with `?`.
    #[error("the explorer paused this run (sampling code must pass this on)")]
    Paused,
}

/// Refuses a request for more bits than a word has.
pub(super) fn at_most_a_word(count: u32) -> Result<(), CoinsError> {
    if count > 64 {
        return Err(CoinsError::TooManyBits { count });
    }
    Ok(())
}
