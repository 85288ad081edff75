//! The probabilities of consecutive integers, each from the one before: for sums over many of them.

use super::named::NamedLaw;
use crate::number::{Enclosure, NumberError, Rational};
use num_bigint::BigInt;
use num_traits::{Signed, ToPrimitive, Zero};

/// So many probabilities at most.
pub(crate) const MOST_TERMS: u64 = 1 << 20;

/// What `2^20` steps of the recurrences lose: a step of the Gaussian one multiplies errors that grew with each step.
const GUARD: u32 = 44;

/// Refuses more terms than are summed.
pub(crate) fn affordable(terms: &BigInt) -> Result<usize, NumberError> {
    match terms.to_u64().filter(|&terms| terms <= MOST_TERMS) {
        Some(terms) => Ok(terms as usize),
        None => Err(NumberError::TooManyTerms {
            terms: format!("{terms} terms"),
            most: MOST_TERMS,
        }),
    }
}

/// The probabilities of `from`, `from + 1`, ..., `to`; none if `from > to`.
pub(crate) fn probabilities(
    law: &NamedLaw,
    from: &BigInt,
    to: &BigInt,
    bits: u32,
) -> Result<Vec<Enclosure>, NumberError> {
    let count = affordable(&BigInt::max(to - from + 1, BigInt::zero()))?;
    if count == 0 {
        return Ok(Vec::new());
    }
    if from.is_positive() {
        return outwards(law, from, count, bits);
    }
    let mut below = if law.is_symmetric() {
        let nearest = if to.is_negative() {
            -to
        } else {
            BigInt::zero()
        };
        let reach = affordable(&(-from - &nearest + 1))?;
        outwards(law, &nearest, reach, bits)?
    } else {
        // Nothing is below 0.
        let negative = affordable(&BigInt::max(
            to.min(&BigInt::from(-1)) - from + 1,
            BigInt::zero(),
        ))?;
        let none = vec![Enclosure::integer(0, bits); negative];
        if to.is_negative() {
            return Ok(none);
        }
        let here = outwards(law, &BigInt::zero(), 1, bits)?;
        here.into_iter().chain(none).collect()
    };
    below.reverse();
    if to.is_positive() {
        let one = BigInt::from(1);
        below.extend(outwards(law, &one, affordable(to)?, bits)?);
    }
    Ok(below)
}

/// The probabilities of `first >= 0`, `first + 1`, ...
fn outwards(
    law: &NamedLaw,
    first: &BigInt,
    count: usize,
    bits: u32,
) -> Result<Vec<Enclosure>, NumberError> {
    let working = bits + GUARD;
    let mut term = law.pmf(first, working)?;
    let power = |x: Rational| Enclosure::exp_of(&-x, working);
    // The quotient of the next two terms, and what the quotient is multiplied by at each step.
    let (mut quotient, shrink) = match law {
        NamedLaw::DiscreteLaplace(law) => (power(law.scale().recip())?, None),
        NamedLaw::Geometric(law) => (power(law.rate().clone())?, None),
        NamedLaw::DiscreteGaussian(law) => {
            let rate = law.variance().recip();
            let next = &rate * (first * BigInt::from(2) + 1) / BigInt::from(2);
            (power(next)?, Some(power(rate)?))
        }
    };
    let mut found = Vec::with_capacity(count);
    for _ in 0..count {
        found.push(term.with_bits(bits));
        term = &term * &quotient;
        if let Some(shrink) = &shrink {
            quotient = &quotient * shrink;
        }
    }
    Ok(found)
}

/// An integer beyond which, on either side, the law has a probability of about `2^-bits` or less.
pub(crate) fn reach(law: &NamedLaw, bits: u32) -> BigInt {
    // ln 2 < 7/10, and e^(-k^2/(2v)) with k^2 = 2 v bits ln 2.
    let nats = Rational::new((7 * u64::from(bits)).into(), 10.into());
    match law {
        NamedLaw::DiscreteLaplace(law) => (law.scale() * nats).ceil().to_integer() + 1,
        NamedLaw::Geometric(law) => (nats / law.rate()).ceil().to_integer() + 1,
        NamedLaw::DiscreteGaussian(law) => {
            let squared = law.variance() * nats * BigInt::from(2);
            squared.ceil().to_integer().sqrt() + 1
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_probability_is_that_of_the_law() {
        for text in [
            "discrete-laplace scale=7/3",
            "discrete-gaussian variance=5/2",
            "discrete-gaussian variance=1/100",
            "geometric rate=1/2",
        ] {
            let law: NamedLaw = text.parse().unwrap();
            for (from, to) in [
                (-9, 14),
                (3, 8),
                (-8, -3),
                (0, 0),
                (-1, 0),
                (-4, -4),
                (2, 1),
                (0, 3),
            ] {
                let found = probabilities(&law, &from.into(), &to.into(), 128).unwrap();
                assert_eq!(found.len() as i64, to - from + 1);
                for (k, found) in (from..).zip(&found) {
                    let one = law.pmf(&k.into(), 128).unwrap();
                    assert!(found.meets(&one) && found.has_digits(36), "{text} {k}");
                }
            }
        }
    }

    #[test]
    fn the_tail_is_the_rest_of_the_sum_and_small_beyond_the_reach() {
        for text in [
            "discrete-laplace scale=7/3",
            "discrete-gaussian variance=5/2",
            "geometric rate=1/2",
        ] {
            let law: NamedLaw = text.parse().unwrap();
            for k in [-3, 0, 1, 4] {
                let masses = probabilities(&law, &BigInt::from(k), &400.into(), 128).unwrap();
                let sum = masses.iter().fold(Enclosure::integer(0, 128), |s, p| s + p);
                let tail = law.upper_tail(&k.into(), 128).unwrap();
                assert!((tail - sum).abs().hi().magnitude() < -80, "{text} {k}");
            }
            let far = law.upper_tail(&reach(&law, 100), 128).unwrap();
            assert!(far.hi().magnitude() < -95, "{text}");
        }
    }

    #[test]
    fn too_many_are_refused_by_their_number() {
        let law: NamedLaw = "geometric rate=1/2".parse().unwrap();
        let refused = probabilities(&law, &0.into(), &(1 << 20).into(), 64);
        assert!(refused.unwrap_err().to_string().contains("1048577 terms"));
    }
}
