//! Lemmas 14 to 16: the best approximation `f* = (1/N) sum_k alpha(w_k) 1[|alpha| <= T] e^(i <w_k, x>)` of
//! `f = E alpha e^(i <w, x>)`, with `|f|^2 = E |alpha|^2`.
//!
//! The paper cuts at `T = sqrt(N) |f|^2`; the lemmas need `T = sqrt(N) |f|`.

use super::of;
use crate::number::range::above_zero_below_one;
use crate::number::rational::{integer, ratio};
use crate::number::{Enclosure, Rational};
use crate::random_features::RandomFeatureError;
use num_traits::One;

/// `q` with `|f - f*| <= |f| q/sqrt(N)` with probability `1 - failure` at `T = sqrt(N) |f|`, in every
/// Hilbert space in which the functions `e^(i <w, .>)` have norm at most 1: `1 + 4 L + sqrt(2 L)`,
/// `L = ln(2/failure)`.
///
/// Such spaces are the functions at one point, `L2(mu)`, and `L2` of the data. The 1 is the bias
/// (Lemma 14); the rest is Bernstein's inequality in Hilbert space (Pinelis, Sakhanenko 1986) for
/// summands of norm at most `T` and second moment at most `|f|^2`.
///
/// # Errors
/// [`RandomFeatureError::Parameter`] unless `0 < failure < 1`.
pub fn approximation(failure: &Rational) -> Result<Enclosure, RandomFeatureError> {
    above_zero_below_one("failure", failure)?;
    let log = of(&(integer(2) / failure)).ln()?;
    Ok(of(&Rational::one()) + log.shifted(2) + log.shifted(1).sqrt()?)
}

/// `q` with `|c*|^2 <= q |f|^2/N` with probability `1 - failure` at `T = sqrt(N) |f|`:
/// `1 + 2 l/3 + sqrt(2 l)`, `l = ln(1/failure)`.
///
/// Bernstein's inequality, for one tail of the real summands `|alpha|^2 1[|alpha| <= T]`, which are
/// between 0 and `T^2 = N |f|^2` and have variance at most `T^2 |f|^2`. (The paper's route gives
/// [`approximation`] in its place, which is larger.)
///
/// # Errors
/// [`RandomFeatureError::Parameter`] unless `0 < failure < 1`.
pub fn squared_norm(failure: &Rational) -> Result<Enclosure, RandomFeatureError> {
    above_zero_below_one("failure", failure)?;
    let log = of(&failure.recip()).ln()?;
    Ok(of(&Rational::one()) + &log * of(&ratio(2, 3)) + log.shifted(1).sqrt()?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::rational::parse;

    #[test]
    fn parameters_outside_their_range_are_refused() {
        assert!(approximation(&integer(1)).is_err());
        assert!(squared_norm(&integer(0)).is_err());
    }

    #[test]
    fn the_bounds_at_a_logarithm_of_two() {
        // 2 e^-2 and e^-2, to sixteen digits: 1 + 4 2 + sqrt(4), and 1 + 2 2/3 + sqrt(4).
        let failure = parse("0.1353352832366127").unwrap();
        let near = |found: Enclosure, expected: Rational| {
            (found - of(&expected)).abs().upper() < ratio(1, 1_000_000_000)
        };
        assert!(near(
            approximation(&(&failure * integer(2))).unwrap(),
            integer(11)
        ));
        assert!(near(squared_norm(&failure).unwrap(), ratio(13, 3)));
    }
}
