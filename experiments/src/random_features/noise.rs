//! The noise of the paper's code, and what privacy it really gives.

use dp_assay::number::{Enclosure, Rational, rational};
use dp_assay::privacy::gaussian;
use dp_assay_cli::error::Error;
use num_traits::{One, Zero};

/// The precision of certified values.
const BITS: u32 = 128;

/// The paper's delta, everywhere.
pub const DELTA: f64 = 1e-5;

/// The paper's sensitivity with `eta = 3/8`: right for features of norm sqrt(N), where its code has
/// features of norm about 1.
pub fn sensitivity(features: usize) -> f64 {
    4.0 / (features as f64).sqrt()
}

/// The standard deviation of a coordinate of the noise: `sqrt(2 ln(1.25/delta)) sensitivity / epsilon`.
pub fn deviation(features: usize, epsilon: f64) -> f64 {
    (2.0 * (1.25 / DELTA).ln()).sqrt() * sensitivity(features) / epsilon
}

/// What the noise adds to the mean squared error of predictions with features of mean squared norm 1:
/// `375.55 / (epsilon^2 N)`. Exact in the mean, since the noise is centred and independent of the rest.
pub fn added_error(features: usize, epsilon: f64) -> f64 {
    deviation(features, epsilon).powi(2)
}

/// A certified lower bound on the epsilon at which the paper's release is `(epsilon, 1e-5)`-private,
/// where it claims 1.
///
/// Two datasets that differ in one label, 0 or 1, at a record with features `phi`; the coefficients of
/// both satisfy `<phi, c> = label`, so that they are at least `1/|phi|` apart. The noise has standard
/// deviation `sqrt(2 ln(1.25/delta)) 4/sqrt(N)`. Along the difference the two releases are normal laws
/// at distance `mu >= sqrt(N) / (4 sqrt(2 ln(1.25/delta)) |phi|)` over their deviation, and the profile
/// of the pair is the exact one for `mu`.
///
/// `squared_norm` is that of `phi` as floats add it up: squares are rounded `features` times and added
/// as often, each with a relative error of at most 2^-53, all terms positive, so that it is right to a
/// factor `1 + 2^-52 (features + 1)` for less than 2^40 features.
pub fn true_epsilon(features: usize, squared_norm: f64) -> Result<f64, Error> {
    let delta = rational::ratio(1, 100_000);
    let above = rational::from_f64(squared_norm)?
        * (Rational::one() + Rational::new((features as u64 + 1).into(), (1u64 << 52).into()));
    // mu^2 = N / (32 ln(1.25/delta) |phi|^2)
    let logarithm = Enclosure::of(&(rational::ratio(5, 4) / &delta), BITS).ln()?;
    let square = Enclosure::of(
        &(rational::integer(features as u64) / (above * rational::integer(32))),
        BITS,
    )
    .divided_by(&logarithm)?;
    let mu = square.sqrt()?.lower();
    if mu.is_zero() {
        return Ok(0.0);
    }
    surely_exceeded(&mu)
}

/// The same in floats for any distance over the noise's deviation, to report what is not certified.
pub fn epsilon_at_distance(mu: f64) -> Result<f64, Error> {
    surely_exceeded(&rational::from_f64(mu)?)
}

/// The largest multiple of 1/64 at which the profile of normal laws at distance `mu` is surely above the
/// paper's delta; 0 if there is none.
fn surely_exceeded(mu: &Rational) -> Result<f64, Error> {
    let delta = rational::ratio(1, 100_000);
    let exceeds = |steps: u64| -> Result<bool, Error> {
        let epsilon = Rational::new(steps.into(), 64.into());
        Ok(gaussian::profile(mu, &epsilon, BITS)?.lower() > delta)
    };
    // The profile falls in epsilon.
    let (mut low, mut high) = (0, 1);
    while exceeds(high)? {
        (low, high) = (high, 2 * high);
    }
    while high - low > 1 {
        let middle = low.midpoint(high);
        if exceeds(middle)? {
            low = middle;
        } else {
            high = middle;
        }
    }
    // A multiple of 1/64 is a float.
    Ok(low as f64 / 64.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_noise_adds_375_over_n() {
        // 32 ln(125000) = 375.554...
        assert!((added_error(2000, 1.0) * 2000.0 - 375.554).abs() < 1e-3);
        assert!((added_error(1000, 0.5) * 1000.0 - 4.0 * 375.554).abs() < 1e-2);
    }

    #[test]
    fn features_of_norm_root_n_would_have_kept_the_claim() {
        // With the features of the paper's text the same noise has mu = 1/(4 c) = 0.0516.
        assert!(true_epsilon(2000, 2000.0).unwrap() < 1.0);
        // With those of its code, what is claimed to be 1 is above 10.
        assert!(true_epsilon(2000, 1.0).unwrap() > 10.0);
    }

    #[test]
    fn the_certified_epsilon_is_that_of_the_profile() {
        let n = 10_000;
        let certified = true_epsilon(n, 1.0).unwrap();
        let near = epsilon_at_distance(1.0 / deviation(n, 1.0)).unwrap();
        assert!((certified - near).abs() <= 1.0 / 64.0, "{certified} {near}");
        let mu = rational::from_f64(1.0 / deviation(n, 1.0)).unwrap();
        let at = |epsilon: f64| {
            let epsilon = rational::from_f64(epsilon).unwrap();
            gaussian::profile(&mu, &epsilon, 128).unwrap()
        };
        let delta = rational::ratio(1, 100_000);
        assert!(at(certified - 0.02).lower() > delta);
        assert!(at(certified + 0.04).upper() < delta);
    }
}
