//! How many rows a random projection needs, so that it keeps the inner products of a dataset: the fast one, and the one in
//! two stages.
//!
//! Lemma A.4. Its constants are not legible in our copy; these are ours. The dense projection is
//! [`johnson_lindenstrauss`].

use super::of;
use crate::geometry::johnson_lindenstrauss;
use crate::margin::MarginError;
use crate::number::range::{
    OutOfRange, above_zero_at_most_one, above_zero_below_one, at_least_one,
};
use crate::number::{Rational, rational::integer};
use num_bigint::BigInt;
use num_traits::ToPrimitive;

/// The rows `k = ceil(6 ln(4 d N/beta) ln(4 N/beta)/gamma^2)` of a randomised Hadamard transform of length `d`, which keep the
/// squared norms of `N` fixed vectors up to factors within `1 ± gamma`, but for a probability of at most `beta`.
///
/// The dimension is padded to a power of two. Proof: `spec/margin.md`, `bms22.lemA_4`.
///
/// # Errors
/// [`MarginError::Parameter`] unless there are vectors and a dimension, `0 < gamma <= 1`, `0 < beta < 1` and `k < 2^64`.
pub fn hadamard_rows(
    vectors: u64,
    dimension: u64,
    gamma: &Rational,
    beta: &Rational,
) -> Result<u64, MarginError> {
    at_least_one("the number of vectors", vectors)?;
    at_least_one("the dimension", dimension)?;
    above_zero_at_most_one("gamma", gamma)?;
    above_zero_below_one("beta", beta)?;
    let length = u128::from(dimension).next_power_of_two();
    let per_vector = integer(4) * integer(vectors) / beta;
    let per_coordinate = of(&(&per_vector * BigInt::from(length))).ln()?;
    let product = per_coordinate * of(&per_vector).ln()?;
    let rows = product * of(&(integer(6) / (gamma * gamma)));
    let rows = rows.hi().ceil().to_u64();
    let expected = "large enough for fewer than 2^64 rows";
    Ok(rows.ok_or_else(|| OutOfRange::new("gamma", gamma, expected))?)
}

/// The rows of both stages, `(k_1, k)`: [`hadamard_rows`] at `gamma/3` and `2 beta/3`, and then
/// `k = ceil(ln(6 N/beta)/(g^2/4 - g^3/6))` rows of signs at `g = gamma/3`, which does not depend on the dimension.
///
/// They keep the squared norms of `N` fixed vectors up to factors within `1 ± gamma`, but for a probability of at most `beta`.
/// Proof: `spec/margin.md`, `bms22.lemA_4.two-stage`.
///
/// # Errors
/// Those of [`hadamard_rows`].
pub fn two_stage_rows(
    vectors: u64,
    dimension: u64,
    gamma: &Rational,
    beta: &Rational,
) -> Result<(u64, u64), MarginError> {
    above_zero_at_most_one("gamma", gamma)?;
    above_zero_below_one("beta", beta)?;
    let third = gamma / BigInt::from(3);
    let share = beta / BigInt::from(3);
    let first = hadamard_rows(vectors, dimension, &third, &(&share * BigInt::from(2)))?;
    let last = johnson_lindenstrauss::dimension(&(share / BigInt::from(vectors)), &third)?;
    Ok((first, last))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::rational::ratio;

    #[test]
    fn rows_by_hand() {
        let (half, beta) = (ratio(1, 2), ratio(1, 20));
        // 24 ln(409600) ln(1600) = 2288.2
        assert_eq!(hadamard_rows(20, 256, &half, &beta).unwrap(), 2289);
        assert_eq!(hadamard_rows(20, 129, &half, &beta).unwrap(), 2289);
        // 6 ln(16) ln(8) = 34.6
        assert_eq!(hadamard_rows(1, 2, &integer(1), &half).unwrap(), 35);
        // g = 1/6: ln(2400)/(1/144 - 1/1296) = 1260.9; and 216 ln(4 * 256 * 20 * 30) ln(4 * 20 * 30) = 22407.4
        let stages = two_stage_rows(20, 256, &half, &beta).unwrap();
        assert_eq!(stages, (22408, 1261));
    }

    #[test]
    fn parameters_out_of_range_are_refused() {
        let (half, beta) = (ratio(1, 2), ratio(1, 20));
        type Rows = fn(u64, u64, &Rational, &Rational) -> Result<u64, MarginError>;
        let of_the_last: Rows = |n, d, gamma, beta| Ok(two_stage_rows(n, d, gamma, beta)?.1);
        for rows in [hadamard_rows as Rows, of_the_last] {
            assert!(rows(1, 1, &half, &beta).is_ok());
            assert!(rows(0, 1, &half, &beta).is_err() && rows(1, 0, &half, &beta).is_err());
            assert!(rows(1, 1, &ratio(3, 2), &beta).is_err());
            assert!(rows(1, 1, &integer(0), &beta).is_err());
            assert!(rows(1, 1, &half, &integer(1)).is_err());
            assert!(rows(1, 1, &half, &integer(0)).is_err());
            assert!(rows(1, 1, &ratio(1, 1 << 40), &beta).is_err());
        }
    }
}
