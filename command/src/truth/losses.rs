//! Profiles from the law of the privacy loss, and sums of two laws: the library convolves, this asks.

use super::mechanisms::mechanism;
use super::root::{is_below, least, least_epsilon, least_epsilon_by};
use super::{
    Answer, Given, INVERSE, Kind, Quantity, SLOW, SLOWEST, Subject, Takes, forms, no_epsilon,
    no_profile, of_number, parameter,
};
use crate::error::Error;
use dp_assay::law::SumOfLaws;
use dp_assay::law::named::NamedLaw;
use dp_assay::number::{Enclosure, NumberError, Rational, rational};
use dp_assay::privacy::{LeastEpsilon, LossDistribution, PrivacyError, mechanisms};
use num_bigint::BigInt;
use num_traits::Zero;
use std::rc::Rc;

/// The subjects.
pub fn subjects() -> Vec<Subject> {
    vec![exponential_pair(), composed_noise(), sum()]
}

const CONVOLVED: &str =
    "the law of the loss, convolved with itself exactly on its losses; probabilities enclosed";
const BOTH_WAYS: &str = "the law of the loss in both directions, convolved with itself exactly on its losses; probabilities enclosed";
const CONVOLUTION: &str = "closed form for two discrete Laplace laws and for two geometric ones, otherwise the convolution; what is left out is enclosed";

/// How often a mechanism is run at most.
const TIMES: Kind = Kind::Whole {
    least: 1,
    most: 100_000,
};

/// Of more losses the least epsilon takes longer than some ten seconds.
const MOST_POINTS: usize = 1 << 16;

/// Where a convolution has more terms the least epsilon takes as long.
const MOST_TERMS: u32 = 1 << 12;

/// The least delta at an epsilon, in either direction.
fn delta_of<'a>(
    losses: impl Fn(u32) -> Result<[LossDistribution; 2], PrivacyError> + 'a,
    epsilon: &'a Rational,
) -> Result<Answer<'a>, Error> {
    Ok(Answer::enclosed(move |bits| {
        worse_delta(&losses(bits).map_err(of_number)?, epsilon)
    }))
}

/// The least epsilon at a delta, in either direction.
fn epsilon_of<'a>(
    losses: impl Fn(u32) -> Result<[LossDistribution; 2], PrivacyError> + 'a,
    delta: &'a Rational,
) -> Result<Answer<'a>, Error> {
    // Where more bits are needed to tell whether some epsilon is enough, they are asked for later.
    let first = losses(256)?;
    let points = first.iter().map(|loss| loss.losses().count()).max();
    if let Some(points) = points.filter(|points| *points > MOST_POINTS) {
        return Err(Error::Usage(format!(
            "times: so many runs have {points} different losses, more than the {MOST_POINTS} of which the least epsilon is searched: take \
             fewer times, or ask for --quantity profile"
        )));
    }
    let needs_infinity =
        |loss: &LossDistribution| matches!(loss.epsilon(delta), Ok(LeastEpsilon::Infinite));
    if first.iter().any(needs_infinity) {
        return Err(no_epsilon(delta));
    }
    let losses = Rc::new(losses);
    let again = Rc::clone(&losses);
    let zero = Rational::zero();
    let at_zero = |bits: u32| match bits <= 256 {
        true => worse_delta(&first, &zero),
        false => worse_delta(&again(bits).map_err(of_number)?, &zero),
    };
    let least = move |bits: u32| {
        let [one, other] = losses(bits).map_err(of_number)?;
        let [one, other] = [one, other].map(|loss| finite(loss.epsilon(delta), delta));
        Ok(one?.max(&other?))
    };
    least_epsilon_by(least, at_zero, |_, _| None, delta)
}

/// The larger delta of the two directions.
fn worse_delta(
    losses: &[LossDistribution; 2],
    epsilon: &Rational,
) -> Result<Enclosure, NumberError> {
    let [one, other] = losses;
    let one = one.delta(epsilon).map_err(of_number)?;
    Ok(one.max(&other.delta(epsilon).map_err(of_number)?))
}

fn composed_noise() -> Subject {
    Subject {
        name: "composed-noise",
        definition: "so many answers, each with discrete Laplace or discrete Gaussian noise, between inputs that move each by the shift".to_owned(),
        parameters: vec![
            parameter("law", Kind::Law, None),
            parameter("shift", Kind::Whole { least: 1, most: 1 << 20 }, Some("1")),
            parameter("times", TIMES, Some("1")),
        ],
        quantities: vec![
            Quantity::new("profile", "the least delta for which all answers together are (epsilon, delta)-private", "delta({epsilon})", &[Takes::Epsilon], "--epsilon 1", |given| {
                delta_of(noise_losses(given)?, given.epsilon()?)
            }).by(CONVOLVED, SLOWEST),
            Quantity::new("epsilon", "the least epsilon for which all answers together are (epsilon, delta)-private", "epsilon({delta})", &[Takes::AnyDelta], "--delta 1e-3", |given| {
                epsilon_of(noise_losses(given)?, given.delta()?)
            }).by(CONVOLVED, SLOWEST),
        ],
        example: "law=discrete-laplace:scale:5 times=4",
    }
}

type Made<'a> = Box<dyn Fn(u32) -> Result<[LossDistribution; 2], PrivacyError> + 'a>;

fn noise_losses(given: &Given) -> Result<Made<'_>, Error> {
    let (law, times) = (given.law("law")?, given.whole("times")?);
    let shift = given.number("shift")?.to_integer();
    if !law.is_symmetric() {
        return Err(Error::Usage(format!(
            "composed-noise: law must be discrete-laplace or discrete-gaussian, got {law}: it is one-sided, so that no shift of it hides another"
        )));
    }
    Ok(Box::new(move |bits| {
        let one = match law {
            NamedLaw::DiscreteLaplace(law) => mechanisms::discrete_laplace(law, &shift, bits)?,
            NamedLaw::DiscreteGaussian(law) => mechanisms::discrete_gaussian(law, &shift, bits)?,
            NamedLaw::Geometric(_) => return Err(PrivacyError::NothingToCompose),
        };
        // Both directions are the same, by symmetry.
        let all = one.times(times)?;
        Ok([all.clone(), all])
    }))
}

fn exponential_pair() -> Subject {
    let scores = || Kind::Numbers {
        least: "-1e6",
        most: "1e6",
    };
    Subject {
        name: "exponential-mechanism-pair",
        definition: "the exponential mechanism, run so many times, on two neighbouring inputs: the losses of all classes on the one and on the other".to_owned(),
        parameters: vec![
            parameter("epsilon", Kind::Number { least: "1e-9", most: "1e4" }, None),
            parameter("sensitivity", Kind::Number { least: "1e-6", most: "1e6" }, Some("1")),
            parameter("losses", scores(), None),
            parameter("neighbour", scores(), None),
            parameter("counts", Kind::Numbers { least: "0", most: "1e18" }, Some("1")),
            parameter("times", TIMES, Some("1")),
        ],
        quantities: vec![
            Quantity::new("profile", "the least delta for which these two inputs are (epsilon, delta)-indistinguishable, the worse of the two directions", "delta({epsilon})", &[Takes::Epsilon], "--epsilon 1/10", |given| {
                delta_of(exponential_losses(given)?, given.epsilon()?)
            }).by(BOTH_WAYS, SLOWEST),
            Quantity::new("epsilon", "the least epsilon for which these two inputs are (epsilon, delta)-indistinguishable, the worse of the two directions", "epsilon({delta})", &[Takes::AnyDelta], "--delta 1e-3", |given| {
                epsilon_of(exponential_losses(given)?, given.delta()?)
            }).by(BOTH_WAYS, SLOWEST),
        ],
        example: "epsilon=1 losses=0,1,5/2 neighbour=1,0,5/2",
    }
}

/// The exponential mechanism, run so often on the losses of two inputs.
fn exponential_losses(given: &Given) -> Result<Made<'_>, Error> {
    let first = mechanism(given, "losses")?;
    let second = mechanism(given, "neighbour")?;
    let times = given.whole("times")?;
    if first.classes().len() != second.classes().len() {
        return Err(Error::Usage(format!(
            "exponential-mechanism-pair: neighbour must have as many losses as the other input, {}, got {}",
            first.classes().len(),
            second.classes().len()
        )));
    }
    Ok(Box::new(move |bits| {
        // Each direction of its own: what is composed is reversed at the cost of its digits.
        let over = |one, other| mechanisms::exponential_mechanism(one, other, bits)?.times(times);
        Ok([over(&first, &second)?, over(&second, &first)?])
    }))
}

/// The number, if there is one.
pub(super) fn finite(
    epsilon: Result<LeastEpsilon, PrivacyError>,
    delta: &Rational,
) -> Result<Enclosure, NumberError> {
    match epsilon.map_err(of_number)? {
        LeastEpsilon::Finite(epsilon) => Ok(epsilon),
        LeastEpsilon::Infinite => Err(NumberError::OutOfDomain {
            function: "epsilon(delta)",
            argument: rational::shortly(delta),
            expected: "no epsilon is enough",
        }),
    }
}

const ADDED: &str = "the sum of those of the two laws";

fn sum() -> Subject {
    Subject {
        name: "sum",
        definition: "the law of X + Y for independent X and Y, each a law on the integers"
            .to_owned(),
        parameters: vec![
            parameter("first", Kind::Law, None),
            parameter("second", Kind::Law, None),
        ],
        quantities: vec![
            forms::pmf(|given| {
                    let (law, k) = (sum_of(given)?, given.at_integer()?);
                    Ok(Answer::enclosed(move |bits| law.pmf(&k, bits)))
                }).written("Pr[X + Y = {at}]", "--at 0..2").by(CONVOLUTION, SLOW),
            forms::cdf(|given| {
                    let (law, k) = (sum_of(given)?, given.at_integer()?);
                    Ok(Answer::enclosed(move |bits| law.cdf(&k, bits)))
                }).written("Pr[X + Y <= {at}]", "--at -2").by(CONVOLUTION, SLOW),
            forms::tail(|given| {
                    let (law, k) = (sum_of(given)?, given.at_integer()?);
                    Ok(Answer::enclosed(move |bits| law.upper_tail(&k, bits)))
                }).written("Pr[X + Y >= {at}]", "--at 3").by(CONVOLUTION, SLOW),
            Quantity::new(
                    "quantile",
                    "the least integer k with Pr[X + Y <= k] >= p",
                    "least k with Pr[X + Y <= k] >= {at}",
                    &[Takes::Probability],
                    "--at 9/10",
                    sum_quantile,
                ).by("the distribution function on both sides of the answer", SLOWEST),
            forms::mean(|given| {
                    let law = sum_of(given)?;
                    Ok(Answer::enclosed(move |bits| law.mean(bits)))
                }).by(ADDED, SLOW),
            forms::variance(|given| {
                    let law = sum_of(given)?;
                    Ok(Answer::enclosed(move |bits| law.variance(bits)))
                }).by(ADDED, SLOW),
            Quantity::new(
                    "profile",
                    "the least delta for which integers that differ by the shift are (epsilon, delta)-private with this noise, of two symmetric laws",
                    "delta({epsilon}) at shift {shift}",
                    &[Takes::IntegerShift, Takes::Epsilon],
                    "--shift 1 --epsilon 1/10",
                    sum_profile,
                ).by(CONVOLUTION, SLOWEST),
            Quantity::new(
                    "epsilon",
                    "the least epsilon for which integers that differ by the shift are (epsilon, delta)-private with this noise, of two symmetric laws",
                    "epsilon({delta}) at shift {shift}",
                    &[Takes::IntegerShift, Takes::AnyDelta],
                    "--shift 1 --delta 1e-3",
                    sum_epsilon,
                ).by(INVERSE, SLOWEST),
        ],
        example: "first=discrete-laplace:scale:2 second=discrete-gaussian:variance:4",
    }
}

fn sum_of(given: &Given) -> Result<SumOfLaws, Error> {
    Ok(SumOfLaws::new(
        given.law("first")?.clone(),
        given.law("second")?.clone(),
    ))
}

fn sum_quantile(given: &Given) -> Result<Answer<'_>, Error> {
    let law = sum_of(given)?;
    let is_on_both_sides = law.laws().iter().any(NamedLaw::is_symmetric);
    let p = given.at()?;
    let k = least(|k| is_below(|bits| law.cdf(k, bits), p), is_on_both_sides)?;
    Ok(Answer::Exact(Rational::from_integer(k)))
}

fn sum_profile(given: &Given) -> Result<Answer<'_>, Error> {
    let law = sum_of(given)?;
    if !law.is_symmetric() {
        return Err(Error::Usage(
            "sum: of a one-sided law there is no profile: no shift of it hides another".to_owned(),
        ));
    }
    let shift: BigInt = given.shift()?.to_integer();
    let epsilon = given.epsilon()?;
    Ok(Answer::enclosed(move |bits| {
        profile_of_sum(&law, &shift, epsilon, bits)
    }))
}

fn sum_epsilon(given: &Given) -> Result<Answer<'_>, Error> {
    let law = sum_of(given)?;
    let (shift, delta) = (given.shift()?.to_integer(), given.delta()?);
    if delta.is_zero() && !shift.is_zero() {
        return Err(Error::option(
            "--delta",
            "above 0 where the shift is not 0",
            0,
        ));
    }
    let terms = law.terms(128);
    let needs_some = || -> Result<bool, NumberError> {
        let at_zero = profile_of_sum(&law, &shift, &Rational::zero(), 128)?;
        Ok(at_zero.upper() > *delta)
    };
    if terms > MOST_TERMS.into() && needs_some()? {
        return Err(Error::Usage(format!(
            "sum: each value adds up some {terms} terms, more than the {MOST_TERMS} with which the least epsilon is searched: take a \
             narrower law, or ask for --quantity profile"
        )));
    }
    let profile = move |epsilon: &Rational, bits: u32| profile_of_sum(&law, &shift, epsilon, bits);
    least_epsilon(profile, |_, _| None, delta)
}

fn profile_of_sum(
    law: &SumOfLaws,
    shift: &BigInt,
    epsilon: &Rational,
    bits: u32,
) -> Result<Enclosure, NumberError> {
    let value = law.profile(shift, epsilon, bits);
    value.unwrap_or_else(|| Err(no_profile(law)))
}
