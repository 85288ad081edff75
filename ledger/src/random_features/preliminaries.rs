//! Definitions 1 and 2, and Theorem 6 for the Gaussian kernel.

use super::delta;
use crate::claim::{Check, Trouble};
use dp_assay::number::rational::{integer, ratio, to_scientific_above};
use dp_assay::number::{Enclosure, Rational};
use dp_assay::privacy::NeighbouringRelation::{self, AddOrRemove, Substitute};
use dp_assay::privacy::{Budget, gaussian};
use num_bigint::BigInt;

const BITS: u32 = 128;

/// The largest change of a number over all neighbours, by enumeration: datasets of 1 to 3 labels, each
/// between `-bound` and `bound`.
fn sensitivity(of: fn(&[i64]) -> i64, bound: i64, relation: NeighbouringRelation) -> i64 {
    let labels: Vec<i64> = (-bound..=bound).collect();
    let mut datasets: Vec<Vec<i64>> = vec![Vec::new()];
    let mut largest = 0;
    for _ in 0..3 {
        datasets = datasets
            .iter()
            .flat_map(|data| labels.iter().map(|&label| [&data[..], &[label]].concat()))
            .collect();
        for data in &datasets {
            for index in 0..data.len() {
                let neighbours: Vec<Vec<i64>> = match relation {
                    AddOrRemove => vec![[&data[..index], &data[index + 1..]].concat()],
                    Substitute => labels
                        .iter()
                        .map(|&label| [&data[..index], &[label], &data[index + 1..]].concat())
                        .collect(),
                };
                for neighbour in neighbours {
                    largest = largest.max((of(data) - of(&neighbour)).abs());
                }
            }
        }
    }
    largest
}

fn sum(data: &[i64]) -> i64 {
    data.iter().sum()
}

fn count(data: &[i64]) -> i64 {
    data.len() as i64
}

pub(super) fn definition_1(check: &mut Check) -> Result<(), Trouble> {
    check.certified("the sum of up to 3 labels in [-1, 1] at (1, 1e-5)");
    // 1. Noise that is enough for removal is too little for substitution.
    let epsilon = integer(1);
    let budget = Budget::approximate(epsilon.clone(), delta(), AddOrRemove)?;
    let removal = sensitivity(sum, 1, AddOrRemove);
    let deviation = gaussian::standard_deviation(&budget, &integer(removal))?;
    let at = |moves: i64| gaussian::profile(&(integer(moves) / &deviation), &epsilon, BITS);
    let removed = at(removal)?;
    check.holds(
        removed.upper() <= delta(),
        format_args!("the sum, removal, with noise for removal: delta(1) = {removed}"),
    );
    let substituted = at(sensitivity(sum, 1, Substitute))?;
    check.holds(
        substituted.is_above_rational(&delta()),
        format_args!("the sum, substitution, with noise for removal: delta(1) = {substituted}"),
    );
    check.figure("delta(1) under removal, with noise for removal", removed);
    check.figure(
        "delta(1) under substitution, with the same noise",
        substituted,
    );
    // 2. To publish the number of records is private under substitution only.
    check.exact("the number of up to 3 records");
    let [substituted, removed] =
        [Substitute, AddOrRemove].map(|relation| sensitivity(count, 1, relation));
    check.holds(
        substituted == 0,
        format_args!("the count changes by {substituted} by substitution"),
    );
    check.holds(
        removed == 1,
        format_args!("the count changes by {removed} by removal"),
    );
    Ok(())
}

pub(super) fn definition_2(check: &mut Check) -> Result<(), Trouble> {
    check.exact("sums of up to 3 labels in [-B, B], B = 1, 2, 3");
    for bound in 1..=3 {
        let removal = sensitivity(sum, bound, AddOrRemove);
        let substitution = sensitivity(sum, bound, Substitute);
        check.holds(
            removal == bound,
            format_args!("B = {bound}: {removal} by removal"),
        );
        check.holds(
            substitution == 2 * bound,
            format_args!("B = {bound}: {substitution} by substitution"),
        );
        check.figure(
            format_args!("B = {bound}"),
            format_args!("{removal} by removal, {substitution} by substitution"),
        );
    }
    Ok(())
}

pub(super) fn theorem_6(check: &mut Check) -> Result<(), Trouble> {
    check.certified(
        "one direction, s = 1, |x - x'| = 1/2, 1, 2, 3: the integral of cos(t w) against the normal density by a midpoint rule with a bound on its error",
    );
    // The midpoint rule over [-8, 8] with steps h errs by at most 16 h^2/24 max |g''|, and the rest of the line has
    // mass 2 Q(8). With g(w) = cos(t w) phi(w), |g''| <= (t^2 phi + 2 t |phi'| + |phi''|) <= (t^2 + 2 t + 1) phi(0):
    // |w| phi and |w^2 - 1| phi are at most phi(0).
    let steps = 1i64 << 10;
    let h = ratio(16, steps);
    let scale = Enclosure::integer(2, BITS) * Enclosure::pi(BITS);
    let density_at_zero = Enclosure::integer(1, BITS).divided_by(&scale.sqrt()?)?;
    let rest = Enclosure::integer(8, BITS).normal_upper().shifted(1);
    for t in [ratio(1, 2), integer(1), integer(2), integer(3)] {
        let mut sum = Enclosure::integer(0, BITS);
        for k in 0..steps {
            let w = &h * ratio(2 * k + 1, 2) - integer(8);
            let weight = Enclosure::exp_of(&(-(&w * &w) / BigInt::from(2)), BITS)?;
            sum = sum + Enclosure::of(&(&w * &t), BITS).cos()? * weight;
        }
        let found = sum * &density_at_zero * Enclosure::of(&h, BITS);
        let curvature = (&t + integer(1)).pow(2);
        let rule = Enclosure::of(&(curvature * &h * &h * ratio(16, 24)), BITS) * &density_at_zero;
        let allowed = (rule + &rest).upper();
        let kernel = Enclosure::exp_of(&(-(&t * &t) / BigInt::from(2)), BITS)?;
        let off: Rational = (found - kernel).abs().upper();
        check.holds(
            off <= allowed,
            format_args!("t = {t}: off by {off}, where the rule errs by at most {allowed}"),
        );
        check.figure(
            format_args!("t = {t}: mean and kernel differ by at most, and the rule may err by"),
            format_args!(
                "{}, {}",
                to_scientific_above(&off, 2),
                to_scientific_above(&allowed, 2)
            ),
        );
    }
    Ok(())
}
