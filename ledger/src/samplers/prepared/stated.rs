//! The cumulative probabilities that tables are held against: from the laws' closed forms and their exponentials one by one, where the
//! tables have recurrences.

use super::decisions::SHARP;
use crate::claim::Trouble;
use dp_assay::number::{Enclosure, NumberError, Rational, rational};
use dp_assay::sample::{DiscreteGaussian, DiscreteLaplace, Geometric};
use num_bigint::{BigInt, BigUint};

fn one() -> Enclosure {
    Enclosure::integer(1, SHARP)
}

/// The integers from `-reach` to `reach`, and what is beyond.
pub(super) fn laplace(law: &DiscreteLaplace, reach: i64) -> Result<Vec<Enclosure>, Trouble> {
    let before = law.cdf(&(-reach - 1).into(), SHARP)?;
    let mut list = (-reach..=reach)
        .map(|k| Ok(law.cdf(&k.into(), SHARP)? - &before))
        .collect::<Result<Vec<_>, Trouble>>()?;
    list.push(one());
    Ok(list)
}

/// The integers from 0 on, below `end`, and what is beyond.
pub(super) fn geometric(rate: &Rational, end: usize) -> Result<Vec<Enclosure>, Trouble> {
    let law = Geometric::new(rate.clone())?;
    let mut list = (0..end)
        .map(|k| law.cdf(&BigUint::from(k), SHARP))
        .collect::<Result<Vec<_>, _>>()?;
    list.push(one());
    Ok(list)
}

/// The digits below 512: `(1 - q^(d + 1)) / (1 - q^512)`.
pub(super) fn digit(rate: &Rational) -> Result<Vec<Enclosure>, NumberError> {
    // 1 - q^k, to nearly all bits also where it is small.
    let missed = |k: usize| -> Result<Enclosure, NumberError> {
        let exponent = -rate * rational::integer(k);
        Ok(-Enclosure::of(&exponent, SHARP + 64).exp_minus_one()?)
    };
    let all = missed(512)?;
    let mut list = (1..512)
        .map(|k| missed(k)?.divided_by(&all))
        .collect::<Result<Vec<_>, _>>()?;
    list.push(one());
    Ok(list)
}

/// A digit without a sign, with probability `1 / (1 + q)`; or with it.
pub(super) fn signed_digit(rate: &Rational) -> Result<Vec<Enclosure>, NumberError> {
    let plus = one().divided_by(&(one() + Enclosure::exp_of(&-rate, SHARP)?))?;
    let digits = digit(rate)?;
    let mut list: Vec<Enclosure> = digits.iter().map(|share| share * &plus).collect();
    list.extend(digits.iter().map(|share| &plus + share * plus.complement()));
    if let Some(last) = list.last_mut() {
        *last = one();
    }
    Ok(list)
}

/// `exp(-k^2 / (2 variance))`
fn weight(variance: &Rational, k: i64) -> Result<Enclosure, NumberError> {
    let square = Rational::from_integer(BigInt::from(k) * k);
    Enclosure::exp_of(&-(square / (variance * BigInt::from(2))), SHARP)
}

/// The integers from `first` to `last` of the weights of a Gaussian, whose sum is `total`, and what is beyond.
fn gaussian_part(
    variance: &Rational,
    (first, last): (i64, i64),
    total: &Enclosure,
) -> Result<Vec<Enclosure>, NumberError> {
    let mut sum = Enclosure::integer(0, SHARP);
    let mut list = Vec::new();
    for k in first..=last {
        sum = sum + weight(variance, k)?;
        list.push(sum.divided_by(total)?);
    }
    list.push(one());
    Ok(list)
}

/// The integers from `-reach` to `reach`, and what is beyond.
pub(super) fn gaussian(variance: &Rational, reach: i64) -> Result<Vec<Enclosure>, Trouble> {
    let total = DiscreteGaussian::new(variance.clone())?.normaliser(SHARP)?;
    Ok(gaussian_part(variance, (-reach, reach), &total)?)
}

/// The integers from 0 to `last`, of those that are not negative, and what is beyond.
pub(super) fn half_gaussian(variance: &Rational, last: i64) -> Result<Vec<Enclosure>, Trouble> {
    let both = DiscreteGaussian::new(variance.clone())?.normaliser(SHARP)?;
    let total = (both + one()).shifted(-1);
    Ok(gaussian_part(variance, (0, last), &total)?)
}

/// The probability of a place.
pub(super) fn mass(cumulative: &[Enclosure], place: usize) -> Enclosure {
    match place.checked_sub(1) {
        None => cumulative[place].clone(),
        Some(before) => &cumulative[place] - &cumulative[before],
    }
}
