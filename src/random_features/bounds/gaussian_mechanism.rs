//! Theorem 7, the classical calibration of Gaussian noise: `sigma = c Delta/epsilon` with
//! `c = sqrt(2 ln(1.25/delta))`.

use super::{BITS, log_privacy};
use crate::number::range::{above_zero, above_zero_below_one};
use crate::number::{Enclosure, Rational};
use crate::privacy::gaussian;
use crate::random_features::RandomFeatureError;

/// `c = sqrt(2 ln(1.25/delta))`.
///
/// # Errors
/// [`RandomFeatureError::Parameter`] unless `0 < delta < 1`.
pub fn classical_multiplier(delta: &Rational) -> Result<Enclosure, RandomFeatureError> {
    above_zero_below_one("delta", delta)?;
    Ok(log_privacy(delta)?.shifted(1).sqrt()?)
}

/// The exact `delta(epsilon)` of the noise of Theorem 7: that of Gaussian noise at distance over
/// deviation `mu = epsilon/c`, in any dimension and for any `epsilon > 0`.
///
/// It grows strictly with `epsilon`, so that for each `delta` there is one threshold up to which the
/// noise keeps its promise. With `a = c - epsilon/(2c)` and `b = c + epsilon/(2c)` the profile is
/// `Q(a) - e^epsilon Q(b)`, and `phi(a) = e^epsilon phi(b)`; its derivative in `epsilon` is
/// `e^epsilon (phi(b)/c - Q(b))`, which is positive since `Q(b) < phi(b)/b` and `b > c`.
///
/// # Errors
/// [`RandomFeatureError::Parameter`] unless `epsilon > 0` and `0 < delta < 1`; those of the profile.
pub fn classical_delta(
    epsilon: &Rational,
    delta: &Rational,
) -> Result<Enclosure, RandomFeatureError> {
    above_zero("epsilon", epsilon)?;
    let c = classical_multiplier(delta)?;
    // The profile grows with mu.
    let least = gaussian::profile(&(epsilon / c.upper()), epsilon, BITS)?;
    let most = gaussian::profile(&(epsilon / c.lower()), epsilon, BITS)?;
    Ok(least.hull(&most))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::rational::{integer, parse, ratio, to_scientific};

    #[test]
    fn the_exact_delta_at_one_and_ten_to_the_minus_five() {
        let reached = classical_delta(&integer(1), &ratio(1, 100_000)).unwrap();
        assert!(reached.has_digits(20));
        assert_eq!(to_scientific(&reached.upper(), 4), "4.114e-8");
        let c = classical_multiplier(&ratio(1, 100_000)).unwrap();
        assert_eq!(to_scientific(&c.upper(), 10), "4.844805263");
    }

    #[test]
    fn the_noise_keeps_its_promise_up_to_one_threshold() {
        for (delta, holds, fails) in [
            ("0.5", "4.46", "4.48"),
            ("0.1", "5.74", "5.76"),
            ("1e-3", "7.4634", "7.4635"),
            ("1e-5", "8.4197", "8.4198"),
            ("1e-10", "9.8498", "9.8499"),
        ] {
            let delta = parse(delta).unwrap();
            let at = |epsilon| classical_delta(&parse(epsilon).unwrap(), &delta).unwrap();
            assert!(at(holds).is_below_rational(&delta));
            assert!(at(fails).is_above_rational(&delta));
        }
    }

    #[test]
    fn half_of_the_noise_does_not_keep_it() {
        // The broken twin: the factor 2 of the sensitivity is dropped.
        let (epsilon, delta) = (ratio(9, 10), ratio(1, 100_000));
        let c = classical_multiplier(&delta).unwrap();
        let mu = &epsilon * integer(2) / c.upper();
        let reached = gaussian::profile(&mu, &epsilon, BITS).unwrap();
        assert!(reached.is_above_rational(&delta));
    }
}
