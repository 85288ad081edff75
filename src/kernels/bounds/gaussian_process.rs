//! How far predictions with Gaussian noise are from those without: `jt13.gp.error`, `jt13.gp.error.adaptive`.
//!
//! The noise of a prediction at `z` has at most the variance `tau^2 K(z, z)`.

use crate::kernels::KernelError;
use crate::number::range::{above_zero, above_zero_below_one, at_least_one};
use crate::number::{Enclosure, Rational};

const BITS: u32 = 128;

/// `tau R sqrt(2 ln(2T/beta))`, rounded up: with probability at least `1 - beta` no noise at `T` points is larger, if the
/// points do not depend on it. `squared_deviation` is `tau^2 R^2`.
///
/// # Errors
/// [`KernelError::Parameter`] unless `tau R > 0`, `T >= 1` and `0 < beta < 1`.
pub fn at_fixed_points(
    squared_deviation: &Rational,
    points: u64,
    failure: &Rational,
) -> Result<Rational, KernelError> {
    above_zero("the variance", squared_deviation)?;
    at_least_one("the number of points", points)?;
    above_zero_below_one("beta", failure)?;
    let odds = Rational::from_integer(points.into()) * integer(2) / failure;
    let logarithm = Enclosure::of(&odds, BITS).ln()?.shifted(1);
    let squared = Enclosure::of(squared_deviation, BITS) * logarithm;
    Ok(squared.sqrt()?.with_bits(64).upper())
}

/// `tau R (sqrt m + sqrt(2 ln(1/beta)))`, rounded up: with probability at least `1 - beta` no noise is larger anywhere,
/// also at points that are chosen by answers, if the noise has `m` coordinates.
///
/// # Errors
/// [`KernelError::Parameter`] unless `tau R > 0`, `m >= 1` and `0 < beta < 1`.
pub fn everywhere(
    squared_deviation: &Rational,
    coordinates: u64,
    failure: &Rational,
) -> Result<Rational, KernelError> {
    above_zero("the variance", squared_deviation)?;
    at_least_one("the number of coordinates", coordinates)?;
    above_zero_below_one("beta", failure)?;
    let tail = (-Enclosure::of(failure, BITS).ln()?).shifted(1).sqrt()?;
    let length = Enclosure::integer(coordinates, BITS).sqrt()? + tail;
    let deviation = Enclosure::of(squared_deviation, BITS).sqrt()?;
    Ok((deviation * length).with_bits(64).upper())
}

fn integer(value: u32) -> Rational {
    Rational::from_integer(value.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::rational::{parse, ratio};

    #[test]
    fn bounds_have_the_values_of_another_program() {
        let near = |found: Rational, value: &str| {
            let known = parse(value).unwrap();
            let apart = (&found - &known) / known;
            assert!(apart < ratio(1, 1000) && apart > ratio(-1, 1000), "{found}");
        };
        // 2 sqrt(2 ln 40) and 2 (sqrt(1000) + sqrt(2 ln 20))
        let (four, beta) = (ratio(4, 1), ratio(1, 20));
        near(at_fixed_points(&four, 1, &beta).unwrap(), "5.43240");
        near(everywhere(&four, 1000, &beta).unwrap(), "68.1411");
        assert!(at_fixed_points(&four, 0, &beta).is_err());
        assert!(everywhere(&four, 0, &beta).is_err());
        assert!(everywhere(&ratio(0, 1), 1, &beta).is_err());
    }
}
