//! What no private interpolation of this kind can reach, whatever its features and its solver.
//!
//! An interpolator returns coefficients `c` with `phi(x_j) . c = y_j` at every record, and publishes `c + z`
//! with noise `z` that does not depend on the data. Then its prediction at `x_j` is `y_j` plus
//! `phi(x_j) . z`: the label is released with additive noise, and privacy needs enough of it.

use super::delta;
use crate::budgets;
use crate::claim::{Check, Trouble};
use dp_assay::number::range::above_zero;
use dp_assay::number::rational::{integer, parse, ratio, to_scientific_below};
use dp_assay::number::{Enclosure, Rational};
use dp_assay::privacy::gaussian;
use dp_assay::random_features::RandomFeatureError;
use dp_assay::random_features::bounds::BITS;
use dp_assay::random_features::bounds::gaussian_mechanism::classical_multiplier;
use num_traits::{One, Zero};

/// An enclosure of the least variance of Gaussian noise in the prediction at a record whose label may be
/// replaced by one at distance `range`: `(range/mu*)^2`, where `mu*` is the largest distance over
/// deviation at which Gaussian noise is (epsilon, delta)-private.
///
/// The noise may be of any covariance: `phi(x_j) . z` is Gaussian. Neighbours: the label of record `j` is
/// substituted, so that both datasets have the same features; both are interpolated.
///
/// # Errors
/// [`RandomFeatureError::Parameter`] unless `range > 0`; [`RandomFeatureError::Privacy`] for a budget that cannot be, or
/// with `delta = 0`.
pub(super) fn least_variance(
    range: &Rational,
    epsilon: &Rational,
    delta: &Rational,
) -> Result<Enclosure, RandomFeatureError> {
    above_zero("range", range)?;
    let budget = budgets::approximate(epsilon.clone(), delta.clone())?;
    let enough = gaussian::noise_multiplier(&budget)?;
    // That is within one part in 2^20 of the least; how much less is too little is certified anew.
    let too_little = &enough * ratio((1 << 19) - 1, 1 << 19);
    let reached = gaussian::profile(&too_little.recip(), epsilon, BITS)?;
    let lower = if reached.is_above_rational(delta) {
        too_little * range
    } else {
        Rational::zero()
    };
    let upper = enough * range;
    Ok(Enclosure::between(
        &(&lower * &lower),
        &(&upper * &upper),
        BITS,
    ))
}

/// A lower bound on `E (phi(x_j) . z)^2` for noise of *any* law that does not depend on the data, in the
/// same setting as [`least_variance`].
///
/// In units of `range`, let `u_k = Pr[|Z| >= k - 1/2]` up to ties. Privacy under a shift by 1, for the two
/// tails, says `u_1 >= (2 - 2 delta)/(1 + e^epsilon)` and `u_(k+1) >= (u_k - 2 delta)/e^epsilon`. And
/// `Z^2 >= 1/4` where `|Z| >= 1/2`, with a further `2(k - 1)` for each `k >= 2` with `|Z| >= k - 1/2`.
///
/// # Errors
/// Those of [`least_variance`]; `delta = 0` is allowed.
pub(super) fn least_mean_square(
    range: &Rational,
    epsilon: &Rational,
    delta: &Rational,
) -> Result<Rational, RandomFeatureError> {
    above_zero("range", range)?;
    budgets::approximate(epsilon.clone(), delta.clone())?;
    // Rounded up, and to few bits, so that what follows is a lower bound in small rationals.
    let odds = Enclosure::exp_of(epsilon, 40)?.upper();
    let lost = delta * integer(2);
    let mut tail = (integer(2) - &lost) / (Rational::one() + &odds);
    let mut sum = &tail * ratio(1, 4);
    let mut k = 1u32;
    while k < TAILS {
        k += 1;
        tail = Enclosure::of(&((&tail - &lost) / &odds), BITS).lower();
        if tail <= Rational::zero() {
            break;
        }
        sum += &tail * integer(2 * (k - 1));
    }
    Ok(sum * range * range)
}

/// The tails that are added up: the rest only makes the mean square larger.
const TAILS: u32 = 400;

/// The probability with which the best test tells the labels `y` from the labels `-y`, all of them turned,
/// by the coefficients that Algorithm 1 publishes, if their distance is at most the `Delta` that its noise
/// is for: at most `Phi(epsilon/(2c))`, `c = sqrt(2 ln(1.25/delta))`.
///
/// Lemma 9 bounds the distance of *any* two coefficient vectors, not only of neighbours. The best test of
/// two normal laws at distance over deviation `mu`, each with probability 1/2, is right with `Phi(mu/2)`.
///
/// # Errors
/// [`RandomFeatureError::Parameter`] unless `epsilon > 0` and `0 < delta < 1`.
pub(super) fn turned_labels_are_detected(
    epsilon: &Rational,
    delta: &Rational,
) -> Result<Enclosure, RandomFeatureError> {
    above_zero("epsilon", epsilon)?;
    let c = classical_multiplier(delta)?.shifted(1);
    let half_mu = Enclosure::of(epsilon, BITS).divided_by(&c)?;
    Ok(half_mu.normal_cdf())
}

pub(super) fn gaussian_noise(check: &mut Check) -> Result<(), Trouble> {
    check.certified("labels in [0, 1], delta = 1e-5, epsilon = 1/4, 1/2, 1, on both sides; any number of records, any features for which interpolation is possible with both labels");
    for (epsilon, at_least) in [
        (ratio(1, 4), "176.5"),
        (ratio(1, 2), "49.44"),
        (integer(1), "13.91"),
    ] {
        let found = least_variance(&integer(1), &epsilon, &delta())?;
        check.holds(
            found.is_above_rational(&parse(at_least)?),
            format_args!("epsilon = {epsilon}: variance at least {found}, stated {at_least}"),
        );
        // A little less noise is not private, and the upper end is.
        let delta_at = |variance: &Rational| -> Result<Enclosure, Trouble> {
            let mu = Enclosure::of(&variance.recip(), BITS).sqrt()?;
            let [least, most] =
                [mu.lower(), mu.upper()].map(|mu| gaussian::profile(&mu, &epsilon, BITS));
            Ok(least?.hull(&most?))
        };
        let (below, above) = (delta_at(&found.lower())?, delta_at(&found.upper())?);
        check.holds(
            below.is_above_rational(&delta()),
            format_args!(
                "epsilon = {epsilon}, variance {}: delta = {below}",
                found.lower()
            ),
        );
        check.holds(
            above.is_below_rational(&(delta() * ratio(1001, 1000))),
            format_args!(
                "epsilon = {epsilon}, variance {}: delta = {above}",
                found.upper()
            ),
        );
        check.figure(
            format_args!("epsilon = {epsilon}: at each record at least"),
            to_scientific_below(&found.lower(), 5),
        );
    }
    Ok(())
}

pub(super) fn any_noise(check: &mut Check) -> Result<(), Trouble> {
    check.certified("labels in [0, 1], delta = 1e-5, epsilon = 1/4, 1/2, 1; and below the mean square of Laplace noise");
    for (epsilon, at_least) in [
        (ratio(1, 4), "27.9"),
        (ratio(1, 2), "6.08"),
        (integer(1), "1.12"),
    ] {
        let found = least_mean_square(&integer(1), &epsilon, &delta())?;
        check.holds(
            found > parse(at_least)?,
            format_args!("epsilon = {epsilon}: at least {found}, stated {at_least}"),
        );
        // Laplace noise of scale 1/epsilon is private, so a larger bound would be wrong.
        let laplace = integer(2) / (&epsilon * &epsilon);
        check.holds(
            found < laplace,
            format_args!("epsilon = {epsilon}: {found}, Laplace noise {laplace}"),
        );
        check.figure(
            format_args!("epsilon = {epsilon}: at least, of Laplace noise"),
            format_args!("{}, {laplace}", to_scientific_below(&found, 5)),
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use dp_assay::number::rational::to_scientific;

    fn small() -> Rational {
        ratio(1, 100_000)
    }

    #[test]
    fn the_least_variance_at_each_budget_of_the_paper() {
        for (epsilon, below, above) in [
            (ratio(1, 4), "176.5", "176.51"),
            (ratio(1, 2), "49.44", "49.45"),
            (integer(1), "13.917", "13.918"),
        ] {
            let found = least_variance(&integer(1), &epsilon, &small()).unwrap();
            let read = |text| dp_assay::number::rational::parse(text).unwrap();
            assert!(found.is_above_rational(&read(below)) && found.is_below_rational(&read(above)));
        }
        // Labels in [-1, 1]: the range is 2, not 1. The factor 4 is not to be dropped.
        let twice = least_variance(&integer(2), &integer(1), &small()).unwrap();
        assert_eq!(to_scientific(&twice.lower(), 4), "55.67");
    }

    #[test]
    fn no_law_of_noise_does_much_better() {
        let found = least_mean_square(&integer(1), &integer(1), &small()).unwrap();
        assert_eq!(to_scientific(&found, 3), "1.12");
        // Laplace noise of scale 1 has mean square 2 and is (1, 0)-private: the bound must be below.
        let pure = least_mean_square(&integer(1), &integer(1), &Rational::zero()).unwrap();
        assert!(pure < integer(2) && pure > ratio(11, 10));
        // Without privacy nothing is asked.
        let none = least_mean_square(&integer(1), &integer(20), &Rational::zero()).unwrap();
        assert!(none < small());
    }

    #[test]
    fn turning_all_labels_is_hardly_seen() {
        for (epsilon, shown) in [
            (ratio(1, 4), "0.5103"),
            (ratio(1, 2), "0.5206"),
            (integer(1), "0.5411"),
            (integer(2), "0.5818"),
        ] {
            let found = turned_labels_are_detected(&epsilon, &small()).unwrap();
            assert_eq!(to_scientific(&found.midpoint().to_rational(), 4), shown);
        }
    }

    #[test]
    fn parameters_outside_their_range_are_refused() {
        assert!(least_variance(&integer(0), &integer(1), &small()).is_err());
        assert!(least_variance(&integer(1), &integer(1), &Rational::zero()).is_err());
        assert!(least_mean_square(&integer(1), &integer(-1), &small()).is_err());
        assert!(turned_labels_are_detected(&integer(0), &small()).is_err());
    }
}
