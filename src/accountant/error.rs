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
    /// A budget that no noise is known to keep.
    #[error(
        "no noise that is accounted is known to keep to this budget: take a larger epsilon or delta, or fewer steps"
    )]
    NoNoise,
    /// A budget that the least noise keeps.
    #[error(
        "the least noise that is accounted keeps to this budget already: take a smaller epsilon or delta"
    )]
    AnyNoise,
    /// Batches of a fixed size with one record more.
    #[error(
        "batches of a fixed size are accounted for neighbours by substitution alone, since with one record more the rate would be another: relation=substitution goes on"
    )]
    OnlySubstitution,
    /// Neighbours by substitution of what is not on batches of a fixed size.
    #[error(
        "neighbours by substitution are accounted for batches of a fixed size alone: of nothing else the dominating pair is proved"
    )]
    NoSubstitution,
    /// Records allocated to what is not whole epochs.
    #[error(
        "records are allocated in whole epochs: the rate must be 1/t with t from 2 on, and the steps a multiple of t; got rate {rate} and {times} steps"
    )]
    NotEpochs {
        /// The rate.
        rate: String,
        /// The steps.
        times: u64,
    },
    /// Noise that cannot be multiplied.
    #[error(
        "only noise that is given by a deviation or a scale is multiplied: gaussian, laplace and discrete-laplace"
    )]
    NotScaled,
    /// A budget that one step is not known to keep.
    #[error(
        "one step is not known to keep to this budget: take a larger epsilon or delta, or more noise"
    )]
    NotOnce,
    /// A budget that all numbers of steps keep.
    #[error(
        "as many steps as are counted keep to this budget: take a smaller epsilon or delta, or less noise"
    )]
    AnySteps,
    /// A processor that does not round as IEEE 754 says.
    #[error(
        "this processor does not round doubles to the nearest, on which every bound here rests"
    )]
    Arithmetic,
}
