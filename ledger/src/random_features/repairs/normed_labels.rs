//! R2: ridge, label vectors of norm at most 1.

use super::fit::{adds_gap_and_rounding, calibrated};
use super::minimum::{Minimum, widened};
use super::release::{LEARNER, privately};
use super::{dataset, disc, domain};
use crate::claim::{Check, Trouble};
use crate::random_features::edges;
use crate::random_features::{Largest, metered};
use dp_assay::number::rational::{integer, ratio};
use dp_assay::number::{Grid, Rational};
use dp_assay::privacy::NeighbouringRelation::{AddOrRemove, Substitute};
use dp_assay::random_features::bounds::ridge_sensitivity;
use dp_assay::random_features::steps::RidgeParameters;
use dp_assay::random_features::{RandomFeatureError, ridge_of_normed_labels};
use num_rational::Ratio;
use num_traits::{One, Zero};

pub(in crate::random_features) fn normed_labels(check: &mut Check) -> Result<(), Trouble> {
    crate::random_features::printed::of_ridge(check)?;
    edges::divisors(check)?;
    edges::normed_labels_fail(check)?;
    // Rows in steps of 1/2 up to length 1, or to 2, beyond the unit disc; labels in steps of 1/2.
    let rows = if check.thorough() { disc(2) } else { disc(1) };
    let labels = disc(1);
    check.exact(format_args!(
        "all neighbours of two records on {} rows in steps of 1/2, labels in steps of 1/2 with norm at most 1, Lambda in {{1/4, 1, 4}}: one row removed, or substituted with its label; {LEARNER}",
        rows.len()
    ));
    let mut pairs = 0u64;
    for penalty in [1i64, 4, 16] {
        // 4^1 Lambda = penalty; a squared distance in units of (2^1)^2, labels in halves.
        let lambda = ratio(penalty, 4);
        let mut substituted = Largest::from(Ratio::zero());
        let mut removed = Largest::from(Ratio::zero());
        for other in &rows {
            for kept in [0, 1, 2] {
                let alone = Minimum::of([(*other, kept)].into_iter(), penalty);
                let all: Vec<([i64; 2], i64, Minimum)> = rows
                    .iter()
                    .flat_map(|row| {
                        labels
                            .iter()
                            .filter(|l| l[1] == kept)
                            .map(move |l| (*row, l[0]))
                    })
                    .map(|(row, label)| {
                        let records = [(*other, kept), (row, label)];
                        (row, label, Minimum::of(records.into_iter(), penalty))
                    })
                    .collect();
                for (place, (row, label, one)) in all.iter().enumerate() {
                    let name = format_args!("beside {other:?} with {kept}: {row:?} with {label}");
                    removed.see(one.squared_distance(&alone), name);
                    for (second, of_second, two) in &all[place..] {
                        substituted.see(
                            one.squared_distance(two),
                            format_args!("{name}, or {second:?} with {of_second}"),
                        );
                        pairs += 1;
                    }
                }
            }
        }
        // Units: rows and labels are both in halves.
        for (found, neighbours, factor) in [(substituted, Substitute, 1), (removed, AddOrRemove, 4)]
        {
            let squared = widened(found.value);
            let share = &squared * &lambda * integer(factor);
            // At Lambda = 4 the bound is attained by rows of length 2.
            if penalty <= 4 || check.thorough() {
                check.attained(
                    format_args!("Lambda = {lambda}, {neighbours}: squared distance over the bound ({}, in halves)", found.instance),
                    &share,
                    &Rational::one(),
                );
            } else {
                check.holds(
                    share <= Rational::one(),
                    format_args!("Lambda = {lambda}, {neighbours}: {}", found.instance),
                );
            }
            // And within what the library's sensitivities say.
            let bound = ridge_sensitivity::of_normed_labels(&lambda, neighbours)?;
            check.holds(
                squared <= bound.pow(2),
                format_args!(
                    "Lambda = {lambda}, {neighbours}, {}: {squared}, bound {bound}",
                    found.instance
                ),
            );
        }
    }
    check.figure("pairs compared under substitution", pairs);
    // The learner: its noise is calibrated, and it refuses longer labels.
    let parameters = RidgeParameters {
        penalty: ratio(1, 4),
        coefficient_grid: Grid::new(16)?,
    };
    for neighbours in [Substitute, AddOrRemove] {
        let (data, features) = dataset(domain(neighbours, 2)?, 1, &[[2, 0], [0, 2]], &[1, 1])?;
        let fit = ridge_of_normed_labels::fit(&data, &features, &parameters)?;
        let exact = ridge_sensitivity::of_normed_labels(&parameters.penalty, neighbours)?;
        adds_gap_and_rounding(check, "R2", &fit, &exact)?;
        calibrated(check, "R2", &fit)?;
        let (data, features) = dataset(domain(neighbours, 2)?, 1, &[[2, 0], [0, 2]], &[2, 1])?;
        let refused = ridge_of_normed_labels::fit(&data, &features, &parameters);
        check.holds(
            refused == Err(RandomFeatureError::LabelsTooLong),
            format_args!("R2, {neighbours}, labels (1, 1/2): {refused:?}"),
        );
    }
    let coarse = RidgeParameters {
        penalty: integer(1),
        coefficient_grid: Grid::new(1)?,
    };
    privately(
        check,
        "R2",
        2,
        &|data, features, _| ridge_of_normed_labels::fit(data, features, &coarse),
        &|data, map, budget, coins| {
            ridge_of_normed_labels::learn(data, map, &coarse, budget, coins)
        },
    )?;
    metered::ridge_of_normed_labels(check)
}
