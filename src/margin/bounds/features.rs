//! How many random Fourier features a kernel needs.
//!
//! Frequencies are independent, and each gives a cosine and a sine. The kernel has `K(x, x) = r^2`.

use super::of;
use crate::margin::MarginError;
use crate::number::range::{above_zero, above_zero_below_one, at_least_one};
use crate::number::{Rational, rational::integer};
use num_bigint::{BigInt, BigUint};
use num_traits::One;

/// `D = ceil(m^2 ln(2 m/beta))`, step 2 of Algorithm 3: enough for the kernel of all pairs of the `m` points to be kept up to
/// `2 r^2/m` ([`closeness_as_printed`]).
///
/// # Errors
/// [`MarginError::Parameter`] unless `m >= 1` and `0 < beta < 1`.
pub fn frequencies_as_printed(records: u64, beta: &Rational) -> Result<BigUint, MarginError> {
    check(records, beta)?;
    let m = integer(records);
    let logarithm = of(&(&m * BigInt::from(2) / beta)).ln()?;
    let count = logarithm * of(&(&m * &m));
    Ok(count.hi().ceil().magnitude().clone())
}

/// `D = ceil(4 m ln(4 m/beta))`: enough for one predictor of norm at most `Lambda`, whose coefficients are those of the
/// support vectors, to be kept on all `m` points up to `Lambda r/sqrt(m)`. That is all that Algorithm 3 needs.
///
/// The kernel itself is then kept only up to about `r^2/sqrt(m)`: [`closeness`] says how far. Proof: `spec/margin.md`,
/// `bms22.thm4_2.d`.
///
/// # Errors
/// [`MarginError::Parameter`] unless `m >= 1` and `0 < beta < 1`.
pub fn frequencies(records: u64, beta: &Rational) -> Result<BigUint, MarginError> {
    check(records, beta)?;
    let four = integer(records) * BigInt::from(4);
    let count = of(&(&four / beta)).ln()? * of(&four);
    Ok(count.hi().ceil().magnitude().clone())
}

/// `2 q/sqrt(m) + 8 q sqrt(D)/2^b`, rounded up: by so much the hinge loss of the best `w` with `|w| <= 2 Lambda` on the
/// features is at most above that of the best `h` with `|h| <= Lambda` in the kernel's space, with probability at least
/// `1 - beta`, for `D >= 4 m ln(4 m/beta)` frequencies and features on a grid of `2^-b`; `q = Lambda r/rho`.
///
/// Proof: `spec/margin.md`, `bms22.thm4_2.features`.
///
/// # Errors
/// [`MarginError::Parameter`] unless `m >= 1`, `D >= 1` and `q > 0`.
pub fn excess(
    q: &Rational,
    records: u64,
    frequencies: u64,
    bits: u32,
) -> Result<Rational, MarginError> {
    at_least_one("the number of records", records)?;
    at_least_one(FREQUENCIES, frequencies)?;
    above_zero("the ratio q", q)?;
    let of_records = of(&integer(records).recip()).sqrt()?.shifted(1);
    let of_grid = of(&integer(frequencies))
        .sqrt()?
        .shifted(3 - i64::from(bits));
    Ok(((of_records + of_grid) * of(q)).upper())
}

/// The square of `2 sqrt(ln(m/beta)/D)`, rounded up: with probability at least `1 - beta` all pairs of `m` points have
/// kernels within so many times `r^2` of the true ones (Theorem 4.1, as printed).
///
/// # Errors
/// [`MarginError::Parameter`] unless `m >= 1`, `0 < beta < 1` and `D >= 1`.
pub fn closeness_as_printed(
    records: u64,
    frequencies: u64,
    beta: &Rational,
) -> Result<Rational, MarginError> {
    check(records, beta)?;
    at_least_one(FREQUENCIES, frequencies)?;
    let logarithm = of(&(integer(records) / beta)).ln()?;
    Ok((logarithm.shifted(2) * of(&integer(frequencies).recip())).upper())
}

/// The square of `sqrt(2 ln(m(m-1)/beta)/D)`, rounded up: the same with the constants of Hoeffding's inequality for the
/// `m(m-1)/2` pairs; 0 for one point.
///
/// # Errors
/// Those of [`closeness_as_printed`].
pub fn closeness(records: u64, frequencies: u64, beta: &Rational) -> Result<Rational, MarginError> {
    check(records, beta)?;
    at_least_one(FREQUENCIES, frequencies)?;
    let m = integer(records);
    let ordered_pairs = &m * (&m - Rational::one());
    if records == 1 {
        return Ok(ordered_pairs);
    }
    let logarithm = of(&(ordered_pairs / beta)).ln()?;
    Ok((logarithm.shifted(1) * of(&integer(frequencies).recip())).upper())
}

const FREQUENCIES: &str = "the number of frequencies";

fn check(records: u64, beta: &Rational) -> Result<(), MarginError> {
    at_least_one("the number of records", records)?;
    Ok(above_zero_below_one("beta", beta)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::rational::ratio;

    #[test]
    fn counts_by_hand() {
        let beta = ratio(1, 20);
        // 4000 ln(80000) = 45159.13 and 10^6 ln(40000) = 10596634.73
        assert_eq!(frequencies(1000, &beta).unwrap(), 45160u32.into());
        let printed = frequencies_as_printed(1000, &beta).unwrap();
        assert_eq!(printed, 10_596_635u32.into());
        // 4 ln 8 = 8.3 and ln 4 = 1.4
        assert_eq!(frequencies(1, &ratio(1, 2)).unwrap(), 9u32.into());
        assert_eq!(
            frequencies_as_printed(1, &ratio(1, 2)).unwrap(),
            2u32.into()
        );
    }

    #[test]
    fn closeness_by_hand() {
        let near = |found: Rational, numerator, denominator| {
            let expected = ratio(numerator, denominator);
            assert!(
                found >= expected && found < expected + ratio(1, 10_000),
                "{found}"
            );
        };
        // 4 ln(4)/10 = 0.554517 and 2 ln(4)/10 = 0.277258
        near(
            closeness_as_printed(2, 10, &ratio(1, 2)).unwrap(),
            5545,
            10_000,
        );
        near(closeness(2, 10, &ratio(1, 2)).unwrap(), 2772, 10_000);
        assert_eq!(closeness(1, 10, &ratio(1, 2)).unwrap(), integer(0));
        // 3 (2/10 + 8 * 20/1024)
        near(
            excess(&integer(3), 100, 400, 10).unwrap(),
            10_687_499,
            10_000_000,
        );
    }

    #[test]
    fn parameters_out_of_range_are_refused() {
        let half = ratio(1, 2);
        for counts in [frequencies, frequencies_as_printed] {
            assert!(counts(0, &half).is_err());
            assert!(counts(1, &integer(0)).is_err() && counts(1, &integer(1)).is_err());
        }
        assert!(excess(&half, 0, 1, 20).is_err() && excess(&half, 1, 0, 20).is_err());
        assert!(excess(&integer(0), 1, 1, 20).is_err() && excess(&half, 1, 1, 20).is_ok());
        for close in [closeness, closeness_as_printed] {
            assert!(close(0, 1, &half).is_err() && close(1, 0, &half).is_err());
            assert!(close(1, 1, &integer(1)).is_err() && close(1, 1, &half).is_ok());
        }
    }
}
