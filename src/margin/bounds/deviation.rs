//! Appendix A: deviation bounds for classes that may be infinite.

use super::{BITS, of};
use crate::margin::MarginError;
use crate::number::range::{at_least_one, require};
use crate::number::rational::integer;
use crate::number::{Enclosure, Rational};
use num_bigint::BigUint;
use num_traits::{One, Zero};

/// Lemma A.1: with probability `1 - delta`, of all hypotheses of a class whose errors cut at most `Pi(2m)` subsets out of
/// `2m` points, `R <= training + 2 sqrt(training A/m) + 4 A/m` with `A = ln Pi(2m) + ln(4/delta)`.
///
/// # Errors
/// [`MarginError::Parameter`] without records; those of the enclosures.
pub fn relative_deviation(
    training: &Enclosure,
    log_growth: &Enclosure,
    delta: &Rational,
    records: u64,
) -> Result<Enclosure, MarginError> {
    at_least_one("the number of records", records)?;
    let a = log_growth + of(&(integer(4) / delta)).ln()?;
    let a = a.divided_by(&of(&integer(records)))?;
    let root = (training * &a).sqrt()?;
    Ok(training + root.shifted(1) + a.shifted(2))
}

/// At most so many subsets of `points` points of `R^dimension` are cut out by the sets `{z : <w,z> <= 0}`: the sum of
/// the binomial coefficients of `points` up to `dimension` (Sauer's lemma).
///
/// Cover's count for points in general position, `2 sum over i < dimension of C(points - 1, i)`, is no bound here: ties
/// cut out more. On the line, +1 and -1 are cut into three subsets, and the count is 2 (`spec/margin.md`,
/// `bms22.lemA_1`).
#[must_use]
pub fn growth(points: u64, dimension: u64) -> BigUint {
    let mut binomial = BigUint::one();
    let mut sum = BigUint::zero();
    for i in 0..=dimension.min(points) {
        sum += &binomial;
        binomial = binomial * (points - i) / (i + 1);
    }
    sum
}

/// A bound on the logarithm of [`growth`], in a few operations: `k (1 + ln(n/k))` for `n` points in dimension `k <= n`;
/// and `n ln 2` beyond, where the first formula would decrease again.
///
/// Proof: for `k <= n` each coefficient `C(n,i)`, `i <= k`, is at most `C(n,i) (n/k)^(k-i)`, and the sum of
/// `C(n,i) (k/n)^i` over all `i` is `(1 + k/n)^n <= e^k`.
///
/// # Errors
/// [`MarginError::Parameter`] for no points or dimension 0; those of the enclosures.
pub fn log_growth(points: u128, dimension: u64) -> Result<Enclosure, MarginError> {
    require(points >= 1, "the number of points", &points, "at least 1")?;
    at_least_one("the dimension", dimension)?;
    if u128::from(dimension) >= points {
        return Ok(Enclosure::ln_two(BITS) * of(&integer(points)));
    }
    let quotient = of(&Rational::new(points.into(), dimension.into())).ln()?;
    Ok((quotient + of(&integer(1))) * of(&integer(dimension)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::rational::{ratio, to_scientific};

    #[test]
    fn the_sums_of_binomials_are_those_of_pascal() {
        let sums = |n| -> Vec<u32> {
            let sum = |k| growth(n, k).try_into().unwrap();
            (0..=5).map(sum).collect()
        };
        assert_eq!(sums(4), [1, 5, 11, 15, 16, 16]);
        assert_eq!(sums(0), [1; 6]);
    }

    #[test]
    fn the_bound_stays_above_the_sum_beyond_as_many_dimensions_as_points() {
        for n in 1..30 {
            for k in 1..40 {
                let exact = of(&integer(growth(n, k))).ln().unwrap();
                let bound = log_growth(n.into(), k).unwrap();
                assert!(exact.lower() <= bound.upper(), "{n} {k}");
            }
        }
        assert!(log_growth(0, 1).is_err() && log_growth(1, 0).is_err());
    }

    #[test]
    fn a_relative_deviation_by_another_program() {
        // A = ln 11 + ln 80 = 6.77992..., m = 1000, training 1/10.
        let eleven = of(&integer(11)).ln().unwrap();
        let at = |training: &Rational| {
            relative_deviation(&of(training), &eleven, &ratio(1, 20), 1000).unwrap()
        };
        assert_eq!(to_scientific(&at(&ratio(1, 10)).upper(), 6), "0.179196");
        assert_eq!(to_scientific(&at(&ratio(0, 1)).upper(), 6), "0.0271197");
        assert!(relative_deviation(&eleven, &eleven, &ratio(1, 20), 0).is_err());
    }
}
