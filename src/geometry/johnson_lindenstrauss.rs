//! The Johnson-Lindenstrauss lemma for random signs, with explicit constants.
//!
//! For `A` uniform in {±1/sqrt(m)}^(m x d) and a fixed vector `x` (Achlioptas 2003; ledger:
//! `nuz20.lem4`),
//!
//! `Pr[ | |Ax|^2 - |x|^2 | > kappa |x|^2 ] <= 2 exp(-m (kappa^2/4 - kappa^3/6))` for `0 < kappa <= 1`.
//!
//! Proof, for `|x| = 1`: `m |Ax|^2` is a sum of `m` independent copies of `Q^2`, where `Q` is a signed
//! sum of the `x_j`. Let `h = kappa / (2 (1 + kappa))`. Since `cosh t <= exp(t^2/2)`, `Q` is
//! subgaussian and `E exp(h Q^2) <= (1 - 2h)^(-1/2)`; and `E exp(-h Q^2) <= 1 - h + 3 h^2/2` since
//! `E Q^2 = 1` and `E Q^4 <= 3`. Markov's inequality with either bounds one tail by
//! `exp(-m (kappa^2/4 - kappa^3/6))`.

use super::GeometryError;
use crate::number::range::{
    OutOfRange, above_zero_at_most_one, above_zero_below_one, at_least_one, at_least_zero, require,
};
use crate::number::{Enclosure, Rational, grid::squared_norm};
use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive, Zero};
use std::collections::BTreeMap;

/// The dimension `m = ceil(ln(2/beta) / (kappa^2/4 - kappa^3/6))`, in which the squared norm of a fixed
/// vector is kept up to a factor within `1 ± kappa`, but for a probability of at most `beta`.
///
/// # Errors
/// [`GeometryError::Parameter`] unless `0 < beta < 1` and `0 < kappa <= 1`.
pub fn least_dimension(beta: &Rational, kappa: &Rational) -> Result<BigUint, GeometryError> {
    above_zero_below_one("beta", beta)?;
    let rate = exponent_rate(kappa)?;
    let two_over_beta = beta.recip() * BigInt::from(2);
    // ln(2/beta) is irrational (Lindemann), so that m is decided at some precision.
    let mut bits = 64;
    loop {
        let exact = Enclosure::of(&two_over_beta, bits)
            .ln()?
            .divided_by(&Enclosure::of(&rate, bits))?;
        let m = exact.hi().ceil();
        if exact.lo().ceil() == m {
            return Ok(m.magnitude().clone());
        }
        bits *= 2;
    }
}

/// [`least_dimension`], if a matrix can have so many rows.
///
/// # Errors
/// Those of [`least_dimension`], and [`GeometryError::Parameter`] if it does not fit in 64 bits.
pub fn dimension(beta: &Rational, kappa: &Rational) -> Result<u64, GeometryError> {
    let m = least_dimension(beta, kappa)?.to_u64();
    let expected = "large enough for a dimension below 2^64";
    Ok(m.ok_or_else(|| OutOfRange::new("kappa", kappa, expected))?)
}

/// `kappa^2/4 - kappa^3/6`: how fast, in `m`, the logarithm of the bound falls.
///
/// # Errors
/// [`GeometryError::Parameter`] unless `0 < kappa <= 1`.
pub fn exponent_rate(kappa: &Rational) -> Result<Rational, GeometryError> {
    above_zero_at_most_one("kappa", kappa)?;
    let square = kappa * kappa;
    Ok(&square / BigInt::from(4) - square * kappa / BigInt::from(6))
}

/// The longest vector of [`failure_probability`]: all its sign patterns are gone through.
const LONGEST: usize = 16;

/// The most steps of the convolution in [`failure_probability`].
const MOST_STEPS: u128 = 1 << 24;

/// `Pr[ | |Ax|^2 - |x|^2 | > kappa |x|^2 ]` for uniform `A` in {±1/sqrt(m)}^(m x d), exactly.
///
/// By enumerating the signs of one row, and convolving the laws of the `m` rows.
///
/// # Errors
/// [`GeometryError::Parameter`] if `m` is zero, `kappa` negative, or `x` too long or too large to
/// enumerate: 8 coordinates of ±1 and `m = 200` are well within.
pub fn failure_probability(
    x: &[i64],
    m: usize,
    kappa: &Rational,
) -> Result<Rational, GeometryError> {
    at_least_one("m", m as u64)?;
    require(
        x.len() <= LONGEST,
        "the length of x",
        &x.len(),
        "at most 16",
    )?;
    at_least_zero("kappa", kappa)?;
    // 1. How many of the 2^d signs of a row give each square Q^2 = (sum of ±x_j)^2.
    let mut row: BTreeMap<u128, u64> = BTreeMap::new();
    for signs in 0..1u32 << x.len() {
        let signed = |(place, &v): (usize, &i64)| {
            let v = i128::from(v);
            if signs >> place & 1 == 1 { v } else { -v }
        };
        let sum: i128 = x.iter().enumerate().map(signed).sum();
        let square = sum
            .unsigned_abs()
            .checked_mul(sum.unsigned_abs())
            .ok_or(GeometryError::Overflow)?;
        *row.entry(square).or_default() += 1;
    }
    // 2. In units of their greatest common divisor, the sums of m squares are 0..=m*largest.
    let unit = row.keys().fold(0, |unit: u128, q| unit.gcd(q)).max(1);
    let largest = row.keys().max().map_or(0, |q| q / unit);
    let steps = (m as u128)
        .checked_mul(m as u128)
        .and_then(|squared| squared.checked_mul(largest + 1));
    require(
        steps.is_some_and(|steps| steps <= MOST_STEPS),
        "m^2 times the largest squared row sum, in units of their common divisor",
        &format!("{m}^2 * {largest}"),
        "at most 2^24",
    )?;
    // 3. ways[s]: how many signs of the rows so far give the sum s.
    let mut ways = vec![BigUint::one()];
    for _ in 0..m {
        let mut next = vec![BigUint::zero(); ways.len() + largest as usize];
        for (sum, count) in ways.iter().enumerate().filter(|(_, c)| !c.is_zero()) {
            for (square, signs) in &row {
                next[sum + (square / unit) as usize] += count * signs;
            }
        }
        ways = next;
    }
    // 4. m |Ax|^2 is the sum of the squares: failed if it is farther than kappa m |x|^2 from m |x|^2.
    let expected = Rational::from_integer(BigInt::from(squared_norm(x)) * BigInt::from(m));
    let allowed = &expected * kappa;
    let failed: BigUint = ways
        .iter()
        .enumerate()
        .filter(|(sum, _)| {
            let squares = Rational::from_integer(BigInt::from(*sum) * BigInt::from(unit));
            (squares - &expected).abs() > allowed
        })
        .map(|(_, count)| count)
        .sum();
    Ok(Rational::new(failed.into(), BigInt::one() << (m * x.len())))
}

#[cfg(test)]
mod tests {
    use super::super::SignMatrix;
    use super::*;
    use crate::number::rational::{integer, ratio, to_scientific};

    #[test]
    fn the_dimension_of_a_projection_at_failure_one_in_a_billion() {
        let failure = ratio(1, 1_000_000_000);
        let rows = |gamma: Rational, parts| {
            least_dimension(&failure, &(gamma / BigInt::from(parts)))
                .unwrap()
                .to_string()
        };
        for (gamma, hundredth, quarter, half) in [
            (ratio(9, 10), "1063985", "1991", "605"),
            (ratio(1, 2), "3438087", "5982", "1645"),
            (ratio(3, 10), "9537481", "16031", "4231"),
            (ratio(1, 10), "85722801", "139389", "35448"),
        ] {
            assert_eq!(rows(gamma.clone(), 100), hundredth);
            assert_eq!(rows(gamma.clone(), 4), quarter);
            assert_eq!(rows(gamma, 2), half);
        }
    }

    #[test]
    fn dimensions_of_the_paper() {
        // beta = 1e-9 and kappa = gamma/100, gamma/4, gamma/2.
        let beta = ratio(1, 1_000_000_000);
        for (kappa, m) in [
            (ratio(9, 40), 1991),
            (ratio(1, 8), 5982),
            (ratio(3, 40), 16031),
            (ratio(1, 40), 139_389),
            (ratio(9, 20), 605),
            (ratio(1, 4), 1645),
            (ratio(3, 20), 4231),
            (ratio(1, 20), 35448),
        ] {
            assert_eq!(dimension(&beta, &kappa).unwrap(), m, "{kappa}");
        }
        for (thousandths, rounded) in [(9, "1.06e6"), (5, "3.44e6"), (3, "9.54e6"), (1, "8.57e7")] {
            let m = dimension(&beta, &ratio(thousandths, 1000)).unwrap();
            assert_eq!(to_scientific(&integer(m), 3), rounded);
        }
    }

    #[test]
    fn parameters_out_of_range_are_refused() {
        let half = ratio(1, 2);
        for (beta, kappa) in [(0, 1), (2, 1), (1, 0), (1, 3), (-1, 1), (1, -1)] {
            assert!(dimension(&(&half * ratio(beta, 1)), &(&half * ratio(kappa, 1))).is_err());
        }
        assert!(dimension(&half, &ratio(1, i64::MAX)).is_err());
        assert!(failure_probability(&[1; 17], 1, &half).is_err());
        assert!(failure_probability(&[1], 0, &half).is_err());
        assert!(failure_probability(&[i64::MAX; 3], 3, &half).is_err());
        assert!(failure_probability(&[1, 1_000_000], 100, &half).is_err());
    }

    #[test]
    fn the_probability_is_that_of_the_matrices() {
        let x = [3, -1];
        for kappa in [ratio(0, 1), ratio(1, 5), ratio(3, 5), ratio(1, 1)] {
            let fails = |matrix: &SignMatrix| {
                let image = squared_norm(&matrix.apply(&x).unwrap());
                // |Ax|^2 = image / 3.
                (ratio(image as i64, 3) - ratio(10, 1)).abs() > &kappa * ratio(10, 1)
            };
            let failed = SignMatrix::all(3, 2).unwrap().filter(fails).count();
            assert_eq!(
                failure_probability(&x, 3, &kappa).unwrap(),
                ratio(failed as i64, 64)
            );
        }
    }

    #[test]
    fn exact_tails_lie_below_the_bound() {
        for (d, m, kappa, digits, exact) in [
            (2, 20, ratio(1, 2), 4, "0.01182"),
            (4, 40, ratio(1, 2), 3, "0.00826"),
            (8, 200, ratio(3, 10), 4, "0.001515"),
            (3, 60, ratio(2, 5), 3, "0.00438"),
        ] {
            let failure = failure_probability(&vec![1; d], m, &kappa).unwrap();
            assert_eq!(to_scientific(&failure, digits), exact);
            let exponent = -exponent_rate(&kappa).unwrap() * BigInt::from(m);
            let bound = Enclosure::exp_of(&exponent, 64).unwrap().shifted(1);
            assert!(bound.is_above_rational(&failure));
        }
    }
}
