//! What most laws have.

use super::{Ask, Quantity, Takes};

/// The probability of an integer.
pub const fn pmf(answer: Ask) -> Quantity {
    let (meaning, label) = ("the probability of k", "Pr[Y = {at}]");
    Quantity::new(
        "pmf",
        meaning,
        label,
        &[Takes::Integer],
        "--at -1..3",
        answer,
    )
}

/// The probability of at most an integer.
pub const fn cdf(answer: Ask) -> Quantity {
    let (meaning, label) = ("the probability of at most k", "Pr[Y <= {at}]");
    Quantity::new(
        "cdf",
        meaning,
        label,
        &[Takes::Integer],
        "--at -2..2",
        answer,
    )
}

/// The probability of at least an integer.
pub const fn tail(answer: Ask) -> Quantity {
    let (meaning, label) = ("the probability of at least k", "Pr[Y >= {at}]");
    Quantity::new("tail", meaning, label, &[Takes::Integer], "--at 3", answer)
}

/// The mean.
pub const fn mean(answer: Ask) -> Quantity {
    Quantity::new("mean", "the mean", "mean", &[], "", answer)
}

/// The variance.
pub const fn variance(answer: Ask) -> Quantity {
    Quantity::new("variance", "the variance", "variance", &[], "", answer)
}
