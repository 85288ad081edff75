//! Partition selection by a Laplace threshold.

use super::{Answer, Given, Kind, Parameter, QUICK, Quantity, Subject, Takes};
use crate::error::Error;
use dp_assay::number::{Enclosure, NumberError, Rational};
use dp_assay::sample::DiscreteLaplace;
use num_bigint::BigInt;
use num_traits::{One, Zero};

const CLOSED: &str = "closed form; the exponential by a series with an enclosed remainder";

/// The subjects.
pub fn subjects() -> Vec<Subject> {
    vec![laplace_threshold()]
}

fn laplace_threshold() -> Subject {
    Subject {
        name: "laplace-threshold",
        definition: "a partition of count >= 1 records is released if count + X >= threshold, for discrete Laplace noise X of this scale".to_owned(),
        parameters: vec![
            Parameter { name: "scale", default: None, kind: Kind::Number { least: "1e-6", most: "1e100" } },
            Parameter { name: "threshold", default: None, kind: Kind::Whole { least: 0, most: u64::MAX } },
        ],
        quantities: vec![Quantity {
            name: "release",
            meaning: "the probability that a partition of so many records is released; of one record it is the delta that no epsilon repairs, if a person has one record",
            label: "Pr[{at} records are released]",
            method: CLOSED,
            takes: &[Takes::Natural],
            example: "--at 1..5",
            most: QUICK,
            answer: release,
        }],
        example: "scale=1 threshold=5",
    }
}

fn release(given: &Given) -> Result<Answer<'_>, Error> {
    let noise = DiscreteLaplace::new(given.number("scale")?.clone())?;
    let threshold = given.number("threshold")?.to_integer();
    let count = given.at_integer()?;
    if count < BigInt::one() {
        return Ok(Answer::Exact(Rational::zero()));
    }
    Ok(Answer::enclosed(move |bits| {
        released(&noise, &threshold, &count, bits)
    }))
}

/// The probability that a partition of `count >= 1` records is released: `Pr[X >= threshold - count]`, by symmetry.
///
/// # Errors
/// Those of the exponential.
pub fn released(
    noise: &DiscreteLaplace,
    threshold: &BigInt,
    count: &BigInt,
    bits: u32,
) -> Result<Enclosure, NumberError> {
    noise.cdf(&(count - threshold), bits)
}
