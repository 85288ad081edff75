//! What a fit promises: its sensitivity, with all that the arithmetic adds, and noise for it.

use super::BITS;
use crate::claim::{Check, Trouble};
use dp_assay::number::rational::{integer, parse, ratio};
use dp_assay::number::{Enclosure, Rational};
use dp_assay::privacy::{Budget, NeighbouringRelation, discrete_gaussian};
use dp_assay::random_features::steps::Fit;
use dp_assay::sample::DiscreteGaussian;
use num_bigint::BigInt;

/// Three budgets, or one if few are to do.
pub(super) fn budgets(neighbours: NeighbouringRelation, few: bool) -> Result<Vec<Budget>, Trouble> {
    [("1", "1e-5"), ("0.1", "1e-6"), ("8", "1e-9")]
        .into_iter()
        .take(if few { 1 } else { 3 })
        .map(|(epsilon, delta)| {
            Ok(Budget::approximate(
                parse(epsilon)?,
                parse(delta)?,
                neighbours,
            )?)
        })
        .collect()
}

/// The noise of this fit is certified anew to be within each budget, and an eighth of its variance is not certified.
pub(super) fn calibrated(check: &mut Check, name: &str, fit: &Fit) -> Result<(), Trouble> {
    let steps = &fit.sensitivity * integer(fit.grid.one());
    // The squared norm of an integer vector is an integer.
    let squared = (&steps * &steps).floor().to_integer();
    let dimension = fit.coefficients.len() as u64;
    for budget in budgets(fit.neighbours, !check.thorough())? {
        let noise = fit.noise(&budget)?;
        let reached = |variance: &Rational| {
            discrete_gaussian::delta(variance, &squared, dimension, budget.epsilon())
        };
        let enough = reached(noise.variance())?;
        let eighth = reached(&(noise.variance() / integer(8)))?;
        check.holds(
            enough <= *budget.delta() && eighth > *budget.delta(),
            format_args!(
                "{name}, {}, epsilon = {}: delta {enough}, with an eighth of the variance {eighth}",
                fit.neighbours,
                budget.epsilon()
            ),
        );
    }
    Ok(())
}

/// The noise is certified anew to be within the budget, for an integer vector of so many coordinates that moves by so much,
/// squared; and a third of its variance is not certified.
pub(super) fn certified_anew(
    check: &mut Check,
    name: &str,
    (squared, dimension): (&BigInt, u64),
    noise: &DiscreteGaussian,
    budget: &Budget,
) -> Result<(), Trouble> {
    let reached = |variance: &Rational| {
        discrete_gaussian::delta(variance, squared, dimension, budget.epsilon())
    };
    let enough = reached(noise.variance())?;
    let third = reached(&(noise.variance() / integer(3)))?;
    check.holds(
        enough <= *budget.delta() && third > *budget.delta(),
        format_args!(
            "{name}, epsilon = {}: delta {enough}, with a third of the variance {third}",
            budget.epsilon()
        ),
    );
    Ok(())
}

/// That the sensitivity of a fit in two columns is `exact`, and twice the tolerance and twice the rounding.
pub(super) fn adds_gap_and_rounding(
    check: &mut Check,
    name: &str,
    fit: &Fit,
    exact: &Rational,
) -> Result<(), Trouble> {
    // The tolerance is exact/2^12, the rounding sqrt(2)/2 steps.
    let step = Rational::new(1.into(), fit.grid.one().into());
    let rounding = Enclosure::integer(2, BITS).sqrt()? * Enclosure::of(&step, BITS);
    let added = &fit.sensitivity - exact * ratio((1 << 11) + 1, 1 << 11);
    let slack = ratio(1, 1 << 40);
    check.holds(
        !rounding.is_above_rational(&added)
            && rounding.is_above_rational(&(&added - &slack)),
        format_args!("{name}, {}: beyond the exact sensitivity and twice the tolerance {added}, twice the rounding {rounding}", fit.neighbours),
    );
    Ok(())
}
