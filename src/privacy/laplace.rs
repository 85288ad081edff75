//! Continuous Laplace noise: its exact privacy profile, and the inverse.

use super::error::proper_delta;
use super::{LeastEpsilon, PrivacyError};
use crate::number::range::{above_zero, at_least_zero};
use crate::number::{Enclosure, Rational};
use num_bigint::BigInt;

/// The exact `delta(epsilon)` of continuous Laplace noise on a query with values on the line, for `epsilon >= 0`:
/// `max(0, 1 - e^((epsilon - shift/scale)/2))`, where the query moves by at most `shift` (Balle, Barthe, Gaboardi 2020, Theorem 3).
///
/// # Errors
/// [`PrivacyError::Parameter`] unless `scale > 0`, `shift >= 0` and `epsilon >= 0`; those of the exponential.
pub fn profile(
    scale: &Rational,
    shift: &Rational,
    epsilon: &Rational,
    bits: u32,
) -> Result<Enclosure, PrivacyError> {
    above_zero("the scale", scale)?;
    at_least_zero("the shift", shift)?;
    at_least_zero("epsilon", epsilon)?;
    let exponent = (epsilon - shift / scale) / BigInt::from(2);
    if exponent >= Rational::ZERO {
        return Ok(Enclosure::integer(0, bits));
    }
    Ok(-Enclosure::of(&exponent, bits).exp_minus_one()?)
}

/// The least `epsilon >= 0` with `delta(epsilon) <= delta`, for `0 <= delta < 1`: `max(0, shift/scale + 2 ln(1 - delta))`. It is always finite,
/// and `shift/scale` at `delta = 0`.
///
/// # Errors
/// [`PrivacyError::Parameter`] unless `scale > 0`, `shift >= 0` and `0 <= delta < 1`; those of the logarithm.
pub fn epsilon(
    scale: &Rational,
    shift: &Rational,
    delta: &Rational,
    bits: u32,
) -> Result<LeastEpsilon, PrivacyError> {
    above_zero("the scale", scale)?;
    at_least_zero("the shift", shift)?;
    proper_delta(delta)?;
    let spared = Enclosure::of(&-delta, bits).ln_1p()?.shifted(1);
    let epsilon = Enclosure::of(&(shift / scale), bits) + spared;
    Ok(LeastEpsilon::Finite(
        epsilon.max(&Enclosure::integer(0, bits)),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::rational::{integer, ratio};

    #[test]
    fn the_profile_is_the_mass_where_the_density_gains() {
        // Scale 2, shift 3, epsilon 1/2: the loss is above epsilon below (3 - 1)/2 = 1. The masses of ]-oo, 1] around 0 and around 3 are
        // 1 - e^(-1/2)/2 and e^-1/2.
        let bits = 128;
        let e = |x| Enclosure::exp_of(&x, bits).unwrap();
        let gain =
            e(ratio(-1, 2)).shifted(-1).complement() - e(ratio(1, 2)) * e(integer(-1)).shifted(-1);
        let found = profile(&integer(2), &integer(3), &ratio(1, 2), bits).unwrap();
        assert!(found.meets(&gain) && found.has_digits(36));
    }

    #[test]
    fn the_inverse_is_one_and_the_ends_are_exact() {
        let (scale, shift) = (ratio(7, 3), integer(2));
        for n in 1..12 {
            let at = ratio(n, 14);
            let delta = profile(&scale, &shift, &at, 256).unwrap();
            let found = epsilon(&scale, &shift, &delta.lower(), 160).unwrap();
            let found = found.finite().unwrap();
            assert!(
                (found - Enclosure::of(&at, 160)).abs().hi().magnitude() < -120,
                "{n}"
            );
        }
        let at_zero = epsilon(&scale, &shift, &integer(0), 64).unwrap();
        assert!(at_zero.finite().unwrap().contains(&ratio(6, 7)));
        let large = epsilon(&scale, &shift, &ratio(9, 10), 64).unwrap();
        assert!(large.finite().unwrap().hi().is_zero());
        assert!(
            profile(&scale, &shift, &ratio(6, 7), 64)
                .unwrap()
                .hi()
                .is_zero()
        );
        assert!(profile(&scale, &shift, &ratio(-1, 7), 64).is_err());
        assert!(epsilon(&scale, &shift, &integer(1), 64).is_err());
    }
}
