//! R3: ridge, labels bounded one by one.

use super::fit::{adds_gap_and_rounding, calibrated};
use super::minimum::{Minimum, widened};
use super::release::{LEARNER, privately};
use super::{dataset, disc, domain, root};
use crate::claim::{Check, Trouble};
use crate::common::multisets;
use crate::random_features::edges;
use crate::random_features::{Largest, metered};
use dp_assay::number::rational::{integer, ratio, to_scientific, to_scientific_above};
use dp_assay::number::{Grid, Rational};
use dp_assay::optimise::exact::{self, reals};
use dp_assay::optimise::{FeatureMatrix, ridge};
use dp_assay::privacy::NeighbouringRelation;
use dp_assay::privacy::NeighbouringRelation::{AddOrRemove, Substitute};
use dp_assay::random_features::bounds::ridge_sensitivity;
use dp_assay::random_features::steps::{Fit, RidgeParameters};
use dp_assay::random_features::{Domain, RandomFeatureError, ridge_of_bounded_labels};
use num_rational::Ratio;
use num_traits::{One, Signed, Zero};

pub(in crate::random_features) fn bounded_labels(check: &mut Check) -> Result<(), Trouble> {
    crate::random_features::printed::of_ridge(check)?;
    edges::outside(check)?;
    edges::bounded_labels_fail(check)?;
    let most = if check.thorough() { 4 } else { 3 };
    check.exact(format_args!(
        "all neighbours of up to {most} records on the 13 rows of the unit disc in steps of 1/2 with label 1 (a label -1 is a row turned round, and a distance is convex in the labels), Lambda in {{1/4, 1, 4, 16}}; attained in one dimension for m up to 10,000; the solver on all pairs of those rows, two tolerances; {LEARNER}"
    ));
    // 1. How far neighbours are apart.
    on_the_grid(check, most)?;
    removals(check)?;
    mirrored(check)?;
    // 2. The solver's certified gap is no less than its error, on all datasets of two records.
    certified_gaps(check)?;
    // 3. What might not fit is refused by what is public.
    refuses_by_what_is_public(check)?;
    // 4. The learner's fits on all datasets of one record stay within their sensitivity, gap and rounding
    //    included, on a grid so coarse that the exact sensitivity alone is exceeded.
    for neighbours in [Substitute, AddOrRemove] {
        fits_of_one_record(check, neighbours)?;
    }
    let parameters = RidgeParameters {
        penalty: integer(1),
        coefficient_grid: Grid::new(1)?,
    };
    privately(
        check,
        "R3",
        2,
        &|data, features, _| ridge_of_bounded_labels::fit(data, features, &parameters),
        &|data, map, budget, coins| {
            ridge_of_bounded_labels::learn(data, map, &parameters, budget, coins)
        },
    )?;
    metered::ridge_of_bounded_labels(check)
}

/// No neighbours of up to so many records on the grid are farther apart than the bounds.
fn on_the_grid(check: &mut Check, most: usize) -> Result<(), Trouble> {
    let rows = disc(1);
    let mut pairs = 0u64;
    for penalty in [1i64, 4, 16, 64] {
        let lambda = ratio(penalty, 4);
        for m in 1..=most {
            let mut removed = Largest::from(Ratio::zero());
            let mut substituted = Largest::from(Ratio::zero());
            for others in multisets(rows.len(), m - 1) {
                let others: Vec<[i64; 2]> = others.into_iter().map(|place| rows[place]).collect();
                let labelled = |row: Option<[i64; 2]>| {
                    Minimum::of(
                        others.iter().copied().chain(row).map(|row| (row, 1)),
                        penalty,
                    )
                };
                let without = labelled(None);
                let with: Vec<Minimum> = rows.iter().map(|&row| labelled(Some(row))).collect();
                for (place, one) in with.iter().enumerate() {
                    let name = format_args!("beside {others:?}: {:?}", rows[place]);
                    removed.see(one.squared_distance(&without), name);
                    for (other, two) in with.iter().enumerate().skip(place) {
                        substituted.see(
                            one.squared_distance(two),
                            format_args!("{name} or {:?}", rows[other]),
                        );
                        pairs += 1;
                    }
                }
            }
            for (found, neighbours) in [(removed, AddOrRemove), (substituted, Substitute)] {
                let bound =
                    ridge_sensitivity::of_bounded_labels(&integer(1), &lambda, m, neighbours)?;
                // In units of 2^1.
                let squared = widened(found.value) * integer(4);
                check.holds(
                    squared <= bound.pow(2),
                    format_args!("Lambda = {lambda}, m = {m}, {neighbours}, {} in halves: {squared}, bound {bound}", found.instance),
                );
                if m == 3 {
                    check.figure(
                        format_args!(
                            "Lambda = {lambda}, m = 3, {neighbours}: largest distance / bound"
                        ),
                        format_args!(
                            "{} / {}",
                            to_scientific(&root(&squared)?, 5),
                            to_scientific_above(&bound, 5)
                        ),
                    );
                }
            }
        }
    }
    check.figure("pairs compared under substitution", pairs);
    Ok(())
}

/// The removal formula, where it is attained and nearly so.
fn removals(check: &mut Check) -> Result<(), Trouble> {
    // 1. The removal formula is attained for small Lambda = m/k^2, k >= 2 m - 1: m - 1 rows 1/k with label 1,
    //    the removed row (2 m - 1)/k with label -1, distance exactly k/2.
    for m in [1i64, 2, 3, 10, 1338, 10_000] {
        for k in [2 * m - 1, 2 * m, 10 * m] {
            let lambda = ratio(m, k * k);
            let removal = ridge_sensitivity::removal(&integer(1), &lambda, m as usize)?;
            let distance = one_dimension(&lambda, m - 1, &ratio(1, k), &ratio(2 * m - 1, k));
            check.holds(
                distance == ratio(k, 2)
                    && removal >= distance
                    && &removal * ratio((1 << 30) - 1, 1 << 30) <= distance,
                format_args!(
                    "m = {m}, Lambda = {lambda}: removal moves by {distance}, formula {removal}"
                ),
            );
        }
    }
    // 2. For larger Lambda, m - 1 rows r with label 1 and a removed row 1 with label -1, best r = p/2048.
    for lambda in [1i64, 10, 100] {
        for m in [10i64, 1338, 10_000] {
            let penalty = integer(lambda);
            let removal = ridge_sensitivity::removal(&integer(1), &penalty, m as usize)?;
            let best = (0..=2048)
                .map(|p| one_dimension(&penalty, m - 1, &ratio(p, 2048), &integer(1)))
                .fold(Rational::zero(), Rational::max);
            check.holds(
                &best * ratio(1001, 1000) >= removal,
                format_args!(
                    "Lambda = {lambda}, m = {m}: removal moves by {best}, formula {removal}"
                ),
            );
            check.attained(
                format_args!("Lambda = {lambda}, m = {m}: distance by removal, and the formula"),
                &best,
                &removal,
            );
        }
    }
    Ok(())
}

/// How much the substitution bound may still be improved.
fn mirrored(check: &mut Check) -> Result<(), Trouble> {
    for lambda in [1i64, 10, 100, 1000] {
        let bound = ridge_sensitivity::substitution(&integer(1), &integer(lambda), 10_000)?;
        let attack = mirrored_rows(&integer(lambda), 9_999);
        check.holds(
            attack <= bound,
            format_args!("Lambda = {lambda}, m = 10,000, mirrored rows: {attack}, bound {bound}"),
        );
        check.figure(
            format_args!("Lambda = {lambda}, m = 10,000: attained by substitution / bound"),
            format_args!(
                "{} / {}",
                to_scientific(&attack, 5),
                to_scientific_above(&bound, 5)
            ),
        );
    }
    Ok(())
}

/// The distance that removal makes in one dimension: `others` rows `r` with label 1, and one row `a` with label -1.
fn one_dimension(penalty: &Rational, others: i64, r: &Rational, a: &Rational) -> Rational {
    let square = penalty + r * r * integer(others);
    let before = r * integer(others) / &square;
    let after = (r * integer(others) - a) / (square + a * a);
    (before - after).abs()
}

/// The largest distance found when, beside rows `r e1` with label 1, a row `(cos, sin)` with label -1 becomes
/// `(cos, -sin)`: `2 sin (1 + cos M r / s) / (Lambda (1 + cos^2/s + sin^2/Lambda))` with `s = Lambda + M r^2`.
fn mirrored_rows(penalty: &Rational, others: i64) -> Rational {
    let mut best = Rational::zero();
    for p in 1..=128 {
        let r = ratio(p, 128);
        let s = penalty + &r * &r * integer(others);
        for n in 1..32 {
            // A Pythagorean angle: tan of its half is n/32.
            let t = ratio(n, 32);
            let whole = Rational::one() + &t * &t;
            let (cos, sin) = (
                (Rational::one() - &t * &t) / &whole,
                integer(2) * &t / whole,
            );
            let q = &cos * &cos / &s + &sin * &sin / penalty;
            let residual = Rational::one() + cos * &r * integer(others) / &s;
            best = best.max(integer(2) * sin * residual / (penalty * (Rational::one() + q)));
        }
    }
    best
}

/// Labels of up to 2^30 on a coefficient grid of 2^-40 might not fit in 64 bits: refused for the label 0 as well.
fn refuses_by_what_is_public(check: &mut Check) -> Result<(), Trouble> {
    let largest_label = 1 << 30;
    let domain = Domain {
        label_grid: Grid::new(0)?,
        largest_label,
        ..domain(Substitute, 1)?
    };
    let parameters = RidgeParameters {
        penalty: integer(1),
        coefficient_grid: Grid::new(40)?,
    };
    for label in [0, 1, largest_label] {
        let (data, features) = dataset(domain, 1, &[[2, 0]], &[label])?;
        let refused = ridge_of_bounded_labels::fit(&data, &features, &parameters);
        check.holds(
            matches!(refused, Err(RandomFeatureError::Overflow { .. })),
            format_args!("R3, label {label} of up to 2^30 in steps of 2^-40: {refused:?}"),
        );
    }
    Ok(())
}

/// The solver on every pair of rows of the disc with labels 1 and -1, at tolerances so large that it stops far from the
/// minimum; the minimum by elimination, exactly.
fn certified_gaps(check: &mut Check) -> Result<(), Trouble> {
    let one_half = Grid::new(1)?;
    let limits = ridge::Limits {
        label_grid: one_half,
        largest_label: 2,
        most_rows: 2,
    };
    let mut nearest = Largest::from(Rational::zero());
    for penalty in [ratio(1, 4), integer(1), integer(4)] {
        for tolerance in [ratio(1, 4), ratio(1, 1 << 10)] {
            for a in disc(1) {
                for b in disc(1) {
                    let rows: Vec<Vec<i32>> = [a, b]
                        .iter()
                        .map(|row| row.map(|x| x as i32).to_vec())
                        .collect();
                    let features = FeatureMatrix::new(one_half, 2, &rows)?;
                    let found = ridge::solve(&features, &[2, -2], &limits, &penalty, &tolerance)?;
                    let exact_rows = [a, b].map(|row| reals(&row.map(|x| ratio(x, 2))));
                    let exact =
                        exact::ridge(&exact_rows, &reals(&[integer(1), integer(-1)]), &penalty)?;
                    let step = ratio(1, 1 << found.bits);
                    let off: Rational = found
                        .coefficients
                        .iter()
                        .zip(&exact)
                        .map(|(&c, exact)| (integer(c) * &step - &exact.re).pow(2))
                        .sum();
                    let instance = format_args!(
                        "rows {a:?}, {b:?}, Lambda = {penalty}, tolerance {tolerance}"
                    );
                    check.holds(
                        off <= found.gap.pow(2) && found.gap <= tolerance,
                        format_args!(
                            "the solver, {instance}: squared error {off}, gap {}",
                            found.gap
                        ),
                    );
                    if found.gap.is_positive() {
                        nearest.see(off / found.gap.pow(2), instance);
                    }
                }
            }
        }
    }
    check.attained(
        format_args!(
            "squared error of the solver over its squared gap ({})",
            nearest.instance
        ),
        &nearest.value,
        &Rational::one(),
    );
    Ok(())
}

/// All datasets of one record of the disc, or of none, on a coefficient grid of halves.
fn fits_of_one_record(check: &mut Check, neighbours: NeighbouringRelation) -> Result<(), Trouble> {
    let parameters = RidgeParameters {
        penalty: integer(2),
        coefficient_grid: Grid::new(1)?,
    };
    let fit = |rows: &[[i64; 2]], labels: &[i64]| -> Result<Fit, RandomFeatureError> {
        let (data, features) = dataset(domain(neighbours, 1)?, 3, rows, labels)?;
        ridge_of_bounded_labels::fit(&data, &features, &parameters)
    };
    let mut fits = Vec::new();
    for row in disc(3) {
        for label in [-2, -1, 2] {
            fits.push((format!("{row:?} with {label}"), fit(&[row], &[label])?));
        }
    }
    let others = match neighbours {
        Substitute => fits.clone(),
        AddOrRemove => vec![("no record".to_owned(), fit(&[], &[])?)],
    };
    let mut farthest = Largest::from(0);
    for (name, one) in &fits {
        for (other, two) in &others {
            let gap = |k: usize| one.coefficients[k] - two.coefficients[k];
            let squared = gap(0) * gap(0) + gap(1) * gap(1);
            farthest.see(squared, format_args!("{name} or {other}"));
        }
    }
    let largest = ratio(farthest.value, 4);
    let promised = &fits[0].1.sensitivity;
    let exact =
        ridge_sensitivity::of_bounded_labels(&integer(1), &parameters.penalty, 1, neighbours)?;
    check.holds(
        largest <= promised.pow(2) && largest > exact.pow(2),
        format_args!(
            "the learner, steps of 1/2, {neighbours}, {}: squared distance {largest}, promised {promised}, exact {exact}",
            farthest.instance
        ),
    );
    adds_gap_and_rounding(check, "R3", &fits[0].1, &exact)?;
    calibrated(check, "R3", &fits[0].1)?;
    check.figure(
        format_args!(
            "the learner, steps of 1/2, {neighbours}: largest distance, exact sensitivity, promised"
        ),
        format_args!(
            "{}, {}, {}",
            to_scientific(&root(&largest)?, 5),
            to_scientific_above(&exact, 5),
            to_scientific_above(promised, 5)
        ),
    );
    Ok(())
}
