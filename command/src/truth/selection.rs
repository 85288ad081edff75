//! Partition selection by a Laplace threshold.

use super::losses::finite;
use super::root::least_epsilon_by;
use super::{
    Answer, Given, INVERSE, Kind, Parameter, Quantity, SLOW, Subject, Takes, no_epsilon, of_number,
    second,
};
use crate::error::Error;
use dp_assay::law::named::NamedLaw;
use dp_assay::number::{Enclosure, NumberError, Rational};
use dp_assay::privacy::LeastEpsilon;
use dp_assay::privacy::mechanisms::LaplaceThreshold;
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
        quantities: vec![
            Quantity::new("release", "the probability that a partition of so many records is released; of one record it is the delta that no epsilon repairs, if a person has one record", "Pr[{at} records are released]", &[Takes::Natural], "--at 1..5", release).by(CLOSED, SLOW),
            Quantity::new("profile", "the least delta at epsilon over all neighbours that differ in one record of one partition, where counts are released too", "delta({epsilon})", &[Takes::Epsilon], "--epsilon 1/2", threshold_profile).by(CLOSED, SLOW),
            Quantity::new("epsilon", "the least epsilon at delta over the same neighbours", "epsilon({delta})", &[Takes::Delta], "--delta 0.05", threshold_epsilon).by(INVERSE, SLOW),
        ],
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
    let (law, least) = (
        NamedLaw::DiscreteLaplace(noise.clone()),
        &threshold - &count,
    );
    Ok(Answer::witnessed(
        move |bits| released(&noise, &threshold, &count, bits),
        move |bits| second::tail(&law, &least, bits),
    ))
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
    let selection = LaplaceThreshold::new(noise.clone(), threshold.clone());
    selection.released(count, bits).map_err(of_number)
}

/// The profile of partition selection over all neighbours that differ in one key.
fn threshold_profile(given: &Given) -> Result<Answer<'_>, Error> {
    let (selection, epsilon) = (threshold(given)?, given.epsilon()?);
    Ok(Answer::enclosed(move |bits| {
        selection.delta(epsilon, bits).map_err(of_number)
    }))
}

/// Its inverse.
fn threshold_epsilon(given: &Given) -> Result<Answer<'_>, Error> {
    let (selection, delta) = (threshold(given)?, given.delta()?);
    if matches!(selection.epsilon(delta, 256), Ok(LeastEpsilon::Infinite)) {
        return Err(no_epsilon(delta));
    }
    let again = selection.clone();
    let at_zero = |bits: u32| again.delta(&Rational::zero(), bits).map_err(of_number);
    let least = move |bits: u32| finite(selection.epsilon(delta, bits), delta);
    least_epsilon_by(least, at_zero, |_, _| None, delta)
}

fn threshold(given: &Given) -> Result<LaplaceThreshold, Error> {
    let noise = DiscreteLaplace::new(given.number("scale")?.clone())?;
    Ok(LaplaceThreshold::new(
        noise,
        given.number("threshold")?.to_integer(),
    ))
}
