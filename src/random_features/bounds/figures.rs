//! The closed forms behind the plotted errors: the expected test error of a model with independent noise
//! is that of the model without, plus the variance of the noise times the mean square norm of the
//! features. With the features of the authors' code (rows of norm about 1) and its
//! `Delta = 4/sqrt(N)`, `delta_p = 1e-5`, what the noise adds is a function of `N` and `epsilon_p` alone.
//!
//! That code's noise is too small by a factor of about `sqrt(N)` for its features, so none of these errors
//! is that of a private model: see `lnsx25.e-p`.

use super::{BITS, log_privacy, of, whole};
use crate::number::range::{above_zero, above_zero_below_one, require};
use crate::number::rational::integer;
use crate::number::{Enclosure, Rational};
use crate::random_features::RandomFeatureError;

/// What Algorithm 1's Gaussian noise adds, as coded: `2 ln(1.25/delta_p) 16/(N epsilon_p^2)`.
///
/// # Errors
/// [`RandomFeatureError::Parameter`] unless `features >= 1`, `epsilon > 0` and `0 < delta < 1`.
pub fn gaussian_noise(
    features: u64,
    epsilon: &Rational,
    delta: &Rational,
) -> Result<Enclosure, RandomFeatureError> {
    check(features, epsilon)?;
    above_zero_below_one("delta", delta)?;
    let factor = integer(32) / (integer(features) * epsilon * epsilon);
    Ok(log_privacy(delta)? * of(&factor))
}

/// What the noise of the Gamma mechanism adds, as coded: `16 (N + 1)/(N epsilon_p^2)`, since
/// `E R^2 = N (N + 1) Delta^2/epsilon_p^2` is shared by `N` coordinates.
///
/// # Errors
/// [`RandomFeatureError::Parameter`] unless `features >= 1` and `epsilon > 0`.
pub fn gamma_noise(features: u64, epsilon: &Rational) -> Result<Rational, RandomFeatureError> {
    check(features, epsilon)?;
    Ok(integer(16 * (u128::from(features) + 1)) / (integer(features) * epsilon * epsilon))
}

/// What the noise of the stochastic gradient baseline adds, as coded with `T = m` steps of `1/m`:
/// `2 ln(2.5/delta_p) Delta^2/epsilon_p^2`, `Delta = 16 e (1 + C)(2 + C)/m^2`, `C = 3 ln(2m/delta_p)`.
///
/// # Errors
/// [`RandomFeatureError::Parameter`] unless `records >= 1`, `epsilon > 0` and `0 < delta < 1`.
pub fn gradient_noise(
    records: u64,
    epsilon: &Rational,
    delta: &Rational,
) -> Result<Enclosure, RandomFeatureError> {
    check(records, epsilon)?;
    above_zero_below_one("delta", delta)?;
    let c = of(&(integer(2 * u128::from(records)) / delta)).ln()? * whole(3);
    let e = Enclosure::exp_of(&integer(1), BITS)?;
    let delta_c = (e * (&c + whole(1)) * (&c + whole(2)))
        .shifted(4)
        .divided_by(&whole(records).squared())?;
    let log = of(&(Rational::new(5.into(), 2.into()) / delta))
        .ln()?
        .shifted(1);
    Ok(log * delta_c.squared() * of(&(epsilon * epsilon).recip()))
}

/// The mean square of `n` labels that were divided by their common l2 norm, `1/n`: the test error of the
/// predictor that is always 0.
///
/// # Errors
/// [`RandomFeatureError::Parameter`] unless `labels >= 1`.
pub fn zero_predictor(labels: u64) -> Result<Rational, RandomFeatureError> {
    require(labels >= 1, "labels", &labels, "at least 1")?;
    Ok(integer(labels).recip())
}

fn check(size: u64, epsilon: &Rational) -> Result<(), RandomFeatureError> {
    require(size >= 1, "features or records", &size, "at least 1")?;
    Ok(above_zero("epsilon", epsilon)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::rational::{ratio, to_scientific};

    #[test]
    fn the_curves_of_figure_1_are_their_noise() {
        let (one, delta) = (integer(1), ratio(1, 100_000));
        let shown = |value: &Enclosure| to_scientific(&value.midpoint().to_rational(), 4);
        for (features, ours) in [(1, "375.6"), (1500, "0.2504"), (5000, "0.07511")] {
            assert_eq!(
                shown(&gaussian_noise(features, &one, &delta).unwrap()),
                ours
            );
        }
        assert_eq!(gamma_noise(1600, &one).unwrap(), ratio(1601, 100));
        assert_eq!(
            shown(&gradient_noise(1000, &one, &delta).unwrap()),
            "0.5636"
        );
        assert_eq!(zero_predictor(2000).unwrap(), ratio(1, 2000));
    }

    #[test]
    fn parameters_outside_their_range_are_refused() {
        let (one, delta) = (integer(1), ratio(1, 100_000));
        assert!(gaussian_noise(0, &one, &delta).is_err());
        assert!(gaussian_noise(1, &one, &one).is_err());
        assert!(gamma_noise(1, &integer(0)).is_err());
        assert!(gradient_noise(0, &one, &delta).is_err());
        assert!(zero_predictor(0).is_err());
    }
}
