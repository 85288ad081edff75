//! What can go wrong with an account.

use crate::number::OutOfRange;
use thiserror::Error;

/// An error of the room `accountant`: each names what was given and what would be right.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum AccountantError {
    /// A parameter outside its range.
    #[error(transparent)]
    Parameter(#[from] OutOfRange),
    /// No steps at all.
    #[error("an account needs at least one step")]
    NoSteps,
    /// More steps than are counted.
    #[error("an account has at most {most} steps in all, got {steps}")]
    TooManySteps {
        /// How many were given.
        steps: u128,
        /// The most.
        most: u64,
    },
    /// The sum needs a longer window than there is memory for.
    #[error(
        "the losses of these steps spread over more than {longest} points of the grid: take fewer steps, or fewer kinds \
         together whose losses are not on one grid"
    )]
    TooLong {
        /// The longest window.
        longest: usize,
    },
    /// Nothing is known from above.
    #[error("no epsilon is known to be enough for delta = {delta}: take a larger delta")]
    NoEpsilon {
        /// The delta asked for.
        delta: String,
    },
    /// A processor that does not round as IEEE 754 says.
    #[error(
        "this processor does not round doubles to the nearest, on which every bound here rests"
    )]
    Arithmetic,
}
