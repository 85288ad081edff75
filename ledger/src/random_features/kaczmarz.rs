//! The method of Kaczmarz (Section 4.1): in the limit, after `m` steps, and in one pass.

use super::instances::{x1, x2};
use super::interpolation::least_eigenvalue;
use super::{Largest, all_second_rows, list, second, squared_distance};
use crate::claim::{Check, Trouble};
use dp_assay::coins::{CoinsError, Explorer, Layer};
use dp_assay::number::rational::{integer, ratio, to_scientific_above};
use dp_assay::number::{Enclosure, Rational};
use dp_assay::optimise::OptimiseError;
use dp_assay::optimise::exact::{
    Complex, difference, kaczmarz as pass, minimum_norm, predictions, reals, squared_norm,
};
use dp_assay::random_features::as_coded;
use num_bigint::BigInt;
use num_traits::Zero;

const BITS: u32 = 128;

/// All sequences of `steps` records out of `m`.
fn sequences(m: usize, steps: u32) -> impl Iterator<Item = Vec<usize>> {
    (0..m.pow(steps)).map(move |mut code| {
        let mut next = || {
            let record = code % m;
            code /= m;
            record
        };
        (0..steps).map(|_| next()).collect()
    })
}

/// `E |c_k - c|^2` over uniform sequences of `steps` records, exactly.
fn expected_error(
    rows: &[Vec<Complex>],
    labels: &[Complex],
    steps: u32,
) -> Result<Rational, OptimiseError> {
    let c = minimum_norm(rows, labels)?;
    let mut sum = Rational::zero();
    for order in sequences(rows.len(), steps) {
        sum += squared_distance(&pass(rows, labels, &order)?, &c);
    }
    Ok(sum / BigInt::from(rows.len()).pow(steps))
}

pub(super) fn convergence(check: &mut Check) -> Result<(), Trouble> {
    let steps = if check.quick() { 5 } else { 8 };
    check.certified(format_args!(
        "X1 and X2: the expectation over all sequences of up to {steps} records (rows are of equal norm: uniform sampling is row-norm sampling); attained on X2"
    ));
    for instance in [x1(), x2()] {
        let name = instance.name;
        let labels = reals(&instance.labels);
        let frobenius: Rational = instance.rows.iter().map(|row| squared_norm(row)).sum();
        let rate = least_eigenvalue(&instance.rows)?
            .divided_by(&Enclosure::of(&frobenius, BITS))?
            .complement();
        let start = squared_norm(&minimum_norm(&instance.rows, &labels)?);
        for k in 0..=steps {
            let found = expected_error(&instance.rows, &labels, k)?;
            let bound = rate.power(k.into()) * Enclosure::of(&start, BITS);
            check.holds(
                !bound.is_below_rational(&found),
                format_args!("{name}, k = {k}: E|c_k - c|^2 = {found}, at most {bound}"),
            );
            // Orthogonal rows attain it.
            check.holds(
                name != "X2" || bound.contains(&found),
                format_args!("{name}, k = {k}: {found} attains {bound}"),
            );
            if k == steps {
                check.figure(
                    format_args!("{name}: E|c_{k} - c|^2 and its bound"),
                    format_args!("{} and {bound}", to_scientific_above(&found, 6)),
                );
            }
        }
    }
    Ok(())
}

pub(super) fn one_epoch(check: &mut Check) -> Result<(), Trouble> {
    let largest = if check.quick() { 4 } else { 5 };
    check.certified(format_args!(
        "orthonormal rows, m = 2 to {largest}, the expectation by enumeration of all sequences; its formula at m = 1204"
    ));
    // Orthonormal rows, the best conditioned there are: E|c_m - c|^2 = (1 - 1/m)^m |c|^2, as each record that
    // was missed keeps its whole error.
    for m in 2..=largest {
        let unit = |j: usize| (0..m).map(move |k| integer(i32::from(j == k)));
        let rows: Vec<Vec<Complex>> = (0..m)
            .map(|j| reals(&unit(j).collect::<Vec<_>>()))
            .collect();
        let labels = reals(&(1..=m).map(|j| ratio(j as i64, 3)).collect::<Vec<_>>());
        let found = expected_error(&rows, &labels, m as u32)?;
        let kept = num_traits::pow(ratio(m as i64 - 1, m as i64), m);
        check.holds(
            found == &kept * squared_norm(&labels),
            format_args!("m = {m}: E|c_m - c|^2 = {found}, (1 - 1/m)^m = {kept}"),
        );
        check.refutes(
            kept >= ratio(1, 4),
            "m orthonormal rows: E|c_m - c|^2 = (1 - 1/m)^m |c|^2, at least a quarter of |c|^2",
        );
        check.figure(format_args!("E|c_m - c|^2 / |c|^2 at m = {m}"), kept);
    }
    let kept = |m: i64, steps: i64| Enclosure::of(&ratio(m - 1, m), BITS).power(steps as u64);
    let real = kept(1204, 1204);
    check.holds(
        real.is_above_rational(&ratio(36, 100)),
        format_args!("m = 1204: {real}"),
    );
    check.figure("the same at m = 1204", real);
    // The other reading: with more steps it does converge.
    let more = kept(1204, 5 * 1204);
    check.holds(
        more.is_below_rational(&ratio(1, 100)),
        format_args!("m = 1204, 5 m steps: {more}"),
    );
    check.figure("at m = 1204 after 5 m steps", more);
    Ok(())
}

/// Section 4.1 on Table 1: its errors by the pseudo-inverse and by Kaczmarz, in hundredths, at each `N`.
const TABLE_1: [(&str, u64, i64, i64); 10] = [
    ("medical", 2000, 39, 29),
    ("medical", 4000, 19, 17),
    ("medical", 6000, 14, 14),
    ("medical", 8000, 12, 12),
    ("medical", 10_000, 11, 11),
    ("wine", 2000, 79, 52),
    ("wine", 4000, 41, 39),
    ("wine", 6000, 33, 35),
    ("wine", 8000, 30, 32),
    ("wine", 10_000, 31, 32),
];

pub(super) fn choice_of_solver(check: &mut Check) -> Result<(), Trouble> {
    // 1. The table itself.
    check.exact("the entries of Table 1; the program's Kaczmarz on orthonormal features, m = 2 and 3, on every order");
    let mut farthest = 0;
    for (data, features, pseudo_inverse, kaczmarz) in TABLE_1 {
        let apart = (pseudo_inverse - kaczmarz).abs();
        if features == 2000 {
            check.refutes(
                apart >= 10,
                "Table 1 at N = 2000: 0.39 and 0.29 (medical), 0.79 and 0.52 (wine)",
            );
            check.figure(
                format_args!("{data}, N = {features}: error by pinv, by Kaczmarz"),
                format_args!("0.{pseudo_inverse}, 0.{kaczmarz}"),
            );
        } else {
            farthest = farthest.max(apart);
            check.holds(
                apart <= 2,
                format_args!("{data}, N = {features}: they differ by {apart} hundredths"),
            );
        }
    }
    check.figure(
        "from N = 4000 on they differ by at most, in hundredths",
        farthest,
    );
    // 2. Why: the interpolation has no error on its records; after m steps those that were not drawn keep theirs.
    for m in [2usize, 3] {
        let unit = |j: usize| (0..m).map(move |k| integer(i32::from(j == k)));
        let rows: Vec<Vec<Complex>> = (0..m)
            .map(|j| reals(&unit(j).collect::<Vec<_>>()))
            .collect();
        let labels: Vec<Rational> = (1..=m).map(|j| ratio(j as i64, 3)).collect();
        let left = |c: &[Complex]| -> Rational {
            squared_norm(&difference(&predictions(&rows, c), &reals(&labels)))
        };
        let explored =
            Explorer::new(Layer::UniformBelow, 1 << 10).explore(
                |coins| match as_coded::kaczmarz(&rows, &labels, coins) {
                    Ok(c) => Ok(left(&c)),
                    Err(OptimiseError::Coins(error)) => Err(error),
                    Err(_) => Err(CoinsError::NoOutcome),
                },
            )?;
        let mean: Rational = explored
            .lower
            .iter()
            .map(|(error, mass)| error * mass)
            .sum();
        let all: Rational = labels.iter().map(|y| y * y).sum();
        let kept = num_traits::pow(ratio(m as i64 - 1, m as i64), m);
        let interpolated = left(&minimum_norm(&rows, &reals(&labels))?);
        check.holds(
            explored.undecided.is_zero() && mean == &kept * &all && interpolated.is_zero(),
            format_args!("m = {m}: mean square {mean} left of {all}, by least norm {interpolated}"),
        );
    }
    Ok(())
}

pub(super) fn one_pass(check: &mut Check) -> Result<(), Trouble> {
    let n = if check.quick() { 4 } else { 5 };
    check.exact(format_args!(
        "all passes over two records of {n} quarter turns, five pairs of labels of norm 1, both orders; the distance of every end to every end with rows of ones; one record alone"
    ));
    let mut farthest = Largest::from(Rational::zero());
    let mut longest = Largest::from(Rational::zero());
    let mut passes = 0;
    for order in [[0, 1], [1, 0]] {
        let mut ends: Vec<(String, Vec<Complex>)> = Vec::new();
        for rows in all_second_rows(n as u32) {
            for labels in [[3, 4], [3, -4], [4, 3], [0, 5], [-5, 0]] {
                let c = pass(&rows, &reals(&labels.map(|y| ratio(y, 5))), &order)?;
                let name = format!(
                    "second row {}, labels {labels:?}/5, order {order:?}",
                    second(&rows)
                );
                // 1. |c|^2 <= |y|^2 / N.
                longest.see(squared_norm(&c), &name);
                ends.push((name, c));
                passes += 1;
            }
        }
        // 2. All ends are within the bound of each other, those of neighbours in particular. The first five are
        //    those with rows of ones.
        let of_ones: Vec<_> = ends[..5].to_vec();
        for (name, first) in &ends {
            for (other, last) in &of_ones {
                farthest.see(
                    squared_distance(first, last),
                    format_args!("{name}; {other}"),
                );
            }
        }
    }
    check.attained(
        format_args!("largest |c|^2 ({})", longest.instance),
        &longest.value,
        &ratio(1, n),
    );
    check.holds(
        farthest.value <= ratio(4, n),
        format_args!("{}: {}, at most 4/N", farthest.instance, farthest.value),
    );
    check.figure("largest squared distance of two records", &farthest.value);
    // 3. One record whose label changes sign, and without it.
    let row = vec![vec![Complex::quarter_turns(0); n as usize]];
    let [c, d] = [1, -1].map(|y| pass(&row, &reals(&[integer(y)]), &[0]));
    let (c, d) = (c?, d?);
    check.attained(
        "substitution, one record, its label reversed: |c - c'|^2",
        &squared_distance(&c, &d),
        &ratio(4, n),
    );
    check.holds(
        squared_norm(&c) <= ratio(4, n),
        format_args!("removal of one record: {}", list(&c)),
    );
    // 4. X8.
    let x8 = squared_norm(&pass(&x1().rows, &reals(&x1().labels), &[0, 1])?);
    check.holds(x8 <= ratio(1, 3), format_args!("X8: |c|^2 = {x8}"));
    check.figure("passes", passes);
    check.figure("X8: |c|^2, at most 1/3", x8);
    Ok(())
}
