//! Theorem 6 with a rate: how far the average of `N` random features is from the kernel.

use super::{of, whole};
use crate::number::range::{above_zero_below_one, require};
use crate::number::rational::integer;
use crate::number::{Enclosure, Rational};
use crate::random_features::RandomFeatureError;

/// `r` with `Pr[|(1/N) sum_k e^(i <w_k, x - x'>) - k(x, x')| >= r] <= failure`, for one pair of points
/// that is fixed before the frequencies are drawn: `sqrt(4 ln(4/failure)/N)`.
///
/// Real and imaginary part are averages of `N` independent variables in [-1, 1]: each is off by
/// `sqrt(2 ln(4/failure)/N)` with probability at most `failure/2` (Hoeffding), whatever the law of `w`.
///
/// # Errors
/// [`RandomFeatureError::Parameter`] unless `features >= 1` and `0 < failure < 1`.
pub fn kernel_error(features: u64, failure: &Rational) -> Result<Enclosure, RandomFeatureError> {
    require(features >= 1, "features", &features, "at least 1")?;
    above_zero_below_one("failure", failure)?;
    let squared = of(&(integer(4) / failure)).ln()?.shifted(2);
    Ok(squared.divided_by(&whole(features))?.sqrt()?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::rational::{ratio, to_scientific};

    #[test]
    fn the_kernel_is_within_a_tenth_at_two_thousand_features() {
        let radius = kernel_error(2000, &ratio(1, 20)).unwrap();
        assert_eq!(to_scientific(&radius.upper(), 4), "0.09362");
        assert!(kernel_error(0, &ratio(1, 2)).is_err());
        assert!(kernel_error(1, &ratio(1, 1)).is_err());
    }
}
