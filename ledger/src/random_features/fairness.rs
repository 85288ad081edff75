//! Fairness: excess risk, its gap, and statistical parity; Figures 7 and 8.

use super::instances::{Instance, point_of_the_circle, x1, x2, x3, x4, x6};
use super::list;
use super::measures::{
    excess_risk as formula, excess_risk_by_enumeration, excess_risk_gap, kolmogorov_smirnov,
    kolmogorov_smirnov_on_grid, mean_squared_norm, statistical_parity, trace_of_hessian,
};
use crate::claim::{Check, Trouble};
use dp_assay::number::rational::{integer, ratio, to_scientific};
use dp_assay::number::{Enclosure, Rational};
use dp_assay::optimise::OptimiseError;
use dp_assay::optimise::exact::{Complex, minimum_norm, product, reals};
use num_bigint::BigInt;
use num_traits::{Signed, Zero};

/// Instances with complex and with real features.
fn instances() -> [Instance; 5] {
    [x1(), x2(), x3(), x4(6), x6(10, 2)]
}

/// Two groups of two real rows each, whose norms differ.
fn groups() -> ([Vec<Vec<Complex>>; 2], [Vec<Complex>; 2]) {
    let row = |a: i64, b: i64| reals(&[ratio(a, 5), ratio(b, 5)]);
    (
        [vec![row(5, 0), row(3, 4)], vec![row(1, 2), row(0, 3)]],
        [
            reals(&[integer(1), integer(0)]),
            reals(&[integer(-1), ratio(1, 2)]),
        ],
    )
}

pub(super) fn excess_risk(check: &mut Check) -> Result<(), Trouble> {
    check.exact("X1, X2, X3, X4 (N = 6), X6 (N = 2): the mean over all vectors of signs times 2/3, a noise of covariance 4/9 I, around the coefficients of least norm");
    let deviation = ratio(2, 3);
    let variance = &deviation * &deviation;
    for instance in instances() {
        let labels = reals(&instance.labels);
        let c = minimum_norm(&instance.rows, &labels)?;
        let found = excess_risk_by_enumeration(&instance.rows, &labels, &c, &deviation)?;
        let promised = formula(&instance.rows, &variance)?;
        check.holds(
            found == promised,
            format_args!(
                "{}: R = {found}, s^2 mean |phi|^2 = {promised}",
                instance.name
            ),
        );
        check.figure(format_args!("{}: R", instance.name), found);
    }
    Ok(())
}

pub(super) fn gap(check: &mut Check) -> Result<(), Trouble> {
    check.exact("two groups of two records, noise of all sign vectors, covariance 9/49 I; Hessians by exact second differences");
    let ([a, b], [labels_a, labels_b]) = groups();
    let (all, labels) = (
        [a.clone(), b.clone()].concat(),
        [labels_a.clone(), labels_b.clone()].concat(),
    );
    let deviation = ratio(3, 7);
    let variance = &deviation * &deviation;
    // An arbitrary model: the gap does not depend on it.
    let c = reals(&[ratio(1, 3), ratio(-2, 5)]);
    let whole = excess_risk_by_enumeration(&all, &labels, &c, &deviation)?;
    for (name, rows, labels_of) in [("a", &a, &labels_a), ("b", &b, &labels_b)] {
        let found = (excess_risk_by_enumeration(rows, labels_of, &c, &deviation)? - &whole).abs();
        let traces = (trace_of_hessian(rows, labels_of)? - trace_of_hessian(&all, &labels)?).abs();
        let promised = &variance * traces / BigInt::from(2);
        check.holds(
            found == promised && found.is_positive(),
            format_args!("group {name}: xi = {found}, (s^2/2) |Tr H^a - Tr H| = {promised}"),
        );
        let formula = excess_risk_gap(rows, &all, &variance)?;
        check.holds(
            found == formula,
            format_args!(
                "group {name}: xi = {found}, s^2 |difference of mean |phi|^2| = {formula}"
            ),
        );
        check.figure(format_args!("xi_{name}"), found);
    }
    Ok(())
}

pub(super) fn dropped_factor(check: &mut Check) -> Result<(), Trouble> {
    check.exact("squared loss, the Hessian by exact second differences; |x| = 1 for both records");
    let ([a, _], [labels, _]) = groups();
    let trace = trace_of_hessian(&a, &labels)?;
    let printed = mean_squared_norm(&a)?;
    check.refutes(
        trace != printed,
        "two records (1, 0) and (3/5, 4/5): Tr H = 2, mean |x|^2 = 1",
    );
    // What is meant, with the factor 2 of squared loss.
    check.holds(
        trace == &printed * BigInt::from(2),
        format_args!("Tr H = {trace}, twice the mean of |x|^2 = {printed}"),
    );
    check.figure("Tr H", trace);
    check.figure("mean |x|^2", printed);
    Ok(())
}

fn sample(values: &[i64]) -> Vec<Rational> {
    values.iter().map(|&value| integer(value)).collect()
}

/// All samples of `size` values of 0, 1, 2.
fn samples(size: u32) -> impl Iterator<Item = Vec<Rational>> {
    (0..3u32.pow(size)).map(move |code| {
        (0..size)
            .map(|place| integer(code / 3u32.pow(place) % 3))
            .collect()
    })
}

pub(super) fn parity(check: &mut Check) -> Result<(), Trouble> {
    let size = if check.quick() { 3 } else { 4 };
    check.exact(format_args!(
        "all pairs of samples of {size} and 2 values of 0, 1, 2, ties and all, against the supremum over points and midpoints"
    ));
    // The supremum over all t: at the points, and between them, where F is its limit from the left.
    let fine: Vec<Rational> = (-1..6).map(|half| ratio(half, 2)).collect();
    let mut pairs = 0;
    for a in samples(size) {
        for b in samples(2) {
            let exact = kolmogorov_smirnov(&a, &b)?;
            let supremum = kolmogorov_smirnov_on_grid(&a, &b, &fine)?;
            check.holds(
                exact == supremum,
                format_args!(
                    "{} and {}: {exact}, supremum {supremum}",
                    list(&a),
                    list(&b)
                ),
            );
            check.holds(
                exact == kolmogorov_smirnov(&b, &a)?,
                format_args!("{} and {} in the other order", list(&a), list(&b)),
            );
            pairs += 1;
        }
    }
    let groups = [sample(&[0, 1]), sample(&[1, 2]), sample(&[2, 2])];
    let three = statistical_parity(&groups)?;
    check.holds(
        three == integer(1),
        format_args!(
            "the groups (0, 1), (1, 2), (2, 2): {three}, between the first and the last 1"
        ),
    );
    check.figure("pairs", pairs);
    Ok(())
}

pub(super) fn grid(check: &mut Check) -> Result<(), Trouble> {
    let size = if check.quick() { 3 } else { 4 };
    check.exact(format_args!(
        "samples of {size} and 2 values of 0, 1, 2, four grids; and {{1/4}} against {{3/4}} on the grid 0, 1"
    ));
    let grids = [
        vec![],
        sample(&[1]),
        vec![ratio(-1, 2), ratio(3, 2)],
        sample(&[0, 2]),
    ];
    let mut below = 0;
    for a in samples(size) {
        for b in samples(2) {
            let exact = kolmogorov_smirnov(&a, &b)?;
            for grid in &grids {
                let found = kolmogorov_smirnov_on_grid(&a, &b, grid)?;
                check.holds(
                    found <= exact,
                    format_args!(
                        "{} and {} on {}: {found} of {exact}",
                        list(&a),
                        list(&b),
                        list(grid)
                    ),
                );
                below += u32::from(found < exact);
            }
        }
    }
    // All of one group below all of the other, both between two points of the grid.
    let (a, b) = (vec![ratio(1, 4)], vec![ratio(3, 4)]);
    let missed = kolmogorov_smirnov_on_grid(&a, &b, &sample(&[0, 1]))?;
    let exact = kolmogorov_smirnov(&a, &b)?;
    check.holds(
        missed.is_zero() && exact == integer(1),
        format_args!("{{1/4}} and {{3/4}}: {missed} on the grid, exactly {exact}"),
    );
    check.figure("pairs for which the grid is strictly below", below);
    Ok(())
}

/// Cosine features `sqrt(2/N) cos(...)` at N = 2: the cosines themselves.
fn cosines(values: [(i64, i64); 2]) -> Vec<Complex> {
    reals(&values.map(|(numerator, denominator)| ratio(numerator, denominator)))
}

/// The excess risk of noise of variance 1 for labels 0 and coefficients 0, by enumeration of signs.
fn risk_of_signs(rows: &[Vec<Complex>]) -> Result<Rational, OptimiseError> {
    let zeros = |count| vec![Complex::zero(); count];
    let width = rows.first().map_or(0, Vec::len);
    excess_risk_by_enumeration(rows, &zeros(rows.len()), &zeros(width), &integer(1))
}

pub(super) fn cosine_features(check: &mut Check) -> Result<(), Trouble> {
    check.exact("N = 2, s^2 = 1, excess risks by enumeration of signs; the mean over four phases at 20 rational points of the circle");
    // Two frequencies, one record a group: cosines (1, 3/5) and (3/5, 0), at angles that inputs and phases reach.
    let a = vec![cosines([(1, 1), (3, 5)])];
    let b = vec![cosines([(3, 5), (0, 1)])];
    let all = [a.clone(), b.clone()].concat();
    let gap = (risk_of_signs(&a)? - risk_of_signs(&all)?).abs();
    check.refutes(
        gap.is_positive(),
        "N = 2, one record a group, cosines (1, 3/5) and (3/5, 0): xi_a = s^2/2",
    );
    check.figure("xi_a / s^2", gap);
    // The other reading: in the mean over the phases the norm is that of every other row. Four phases a quarter
    // turn apart take the cosine to cos, -sin, -cos, sin; a uniform phase is a mixture of such fours.
    for n in 1..=20 {
        let (cos, sin) = point_of_the_circle(n);
        let phases = [cos.clone(), -&sin, -&cos, sin.clone()];
        let mean: Rational =
            phases.iter().map(|c| c * c * integer(2)).sum::<Rational>() / BigInt::from(4);
        check.holds(
            mean == integer(1),
            format_args!(
                "cos = {cos}, sin = {sin}: the mean of 2 cos^2 over four phases is {mean}"
            ),
        );
    }
    check.figure("mean of |phi|^2 over the phases, at every point", 1);
    Ok(())
}

pub(super) fn fourier_features(check: &mut Check) -> Result<(), Trouble> {
    check.exact("all groups of records of X1, X2, X3, X4 (N = 6), X6 (N = 2, cosine and sine pairs), excess risks by enumeration of signs");
    let mut groups = 0;
    for instance in instances() {
        let rows = &instance.rows;
        let whole = risk_of_signs(rows)?;
        for chosen in 1..(1u32 << rows.len()) {
            let group: Vec<Vec<Complex>> = rows
                .iter()
                .enumerate()
                .filter(|(place, _)| chosen >> place & 1 == 1)
                .map(|(_, row)| row.clone())
                .collect();
            let found = risk_of_signs(&group)?;
            check.holds(
                found == whole,
                format_args!(
                    "{}, group {chosen:b}: R_a = {found} s^2, R = {whole} s^2",
                    instance.name
                ),
            );
            groups += 1;
        }
        check.figure(
            format_args!("{}: R / s^2, for every group", instance.name),
            whole,
        );
    }
    check.figure("groups", groups);
    Ok(())
}

/// Two groups of two records each, three frequencies: pairs of cosine and sine.
fn two_groups() -> [Vec<Vec<Complex>>; 2] {
    let row =
        |half_tangents: &[(i64, i64); 3]| reals(&super::privacy::rational_features(half_tangents));
    [
        vec![
            row(&[(0, 1), (1, 2), (-2, 3)]),
            row(&[(1, 1), (5, 1), (1, 7)]),
        ],
        vec![
            row(&[(3, 1), (-1, 9), (2, 5)]),
            row(&[(-4, 3), (1, 3), (8, 1)]),
        ],
    ]
}

/// The headline of Section 4.2.
pub(super) fn smaller_gaps(check: &mut Check) -> Result<(), Trouble> {
    check.exact("all pairs of groups of two of six inputs of the plane, least squares on the inputs and features of the paper at two frequencies, noise of all sign vectors with variance 1 for both");
    let inputs = [(0, 0), (1, 0), (0, 1), (1, 1), (2, -1), (-1, 2)];
    // The features at half angles that are rational, one for each of the two frequencies.
    let features: Vec<Vec<Complex>> = inputs
        .iter()
        .map(|&(x, y)| {
            reals(&super::privacy::rational_features(&[
                (x + 2 * y, 3),
                (x - y, 5),
            ]))
        })
        .collect();
    let raw: Vec<Vec<Complex>> = inputs
        .iter()
        .map(|&(x, y)| reals(&[integer(x), integer(y)]))
        .collect();
    let pairs: Vec<[usize; 2]> = (0..6).flat_map(|j| (0..j).map(move |i| [i, j])).collect();
    let (mut instances, mut strict) = (0, 0);
    for one in &pairs {
        for two in pairs
            .iter()
            .filter(|two| two.iter().all(|j| !one.contains(j)))
        {
            let gap = |rows: &[Vec<Complex>]| -> Result<Rational, OptimiseError> {
                let group: Vec<_> = one.iter().map(|&j| rows[j].clone()).collect();
                let others = two.iter().map(|&j| rows[j].clone());
                let all: Vec<_> = group.iter().cloned().chain(others).collect();
                Ok((risk_of_signs(&group)? - risk_of_signs(&all)?).abs())
            };
            let (of_features, of_inputs) = (gap(&features)?, gap(&raw)?);
            check.holds(
                of_features.is_zero() && of_features <= of_inputs,
                format_args!(
                    "inputs {one:?} and {two:?}: gap {of_features}, of least squares {of_inputs}"
                ),
            );
            instances += 1;
            strict += u32::from(of_features < of_inputs);
        }
    }
    check.holds(strict > 0, "the gap is strictly smaller on some groups");
    check.figure(
        "pairs of groups, and with a strictly smaller gap",
        format_args!("{instances}, {strict}"),
    );
    Ok(())
}

pub(super) fn figure_7(check: &mut Check) -> Result<(), Trouble> {
    check.exact("the features of the paper, whose rows have one norm: two groups of two records, three frequencies, noise of all sign vectors");
    let [a, b] = two_groups();
    let all = [a.clone(), b.clone()].concat();
    let whole = risk_of_signs(&all)?;
    for (name, group) in [("a", &a), ("b", &b)] {
        let risk = risk_of_signs(group)?;
        check.refutes(
            risk == whole,
            "two groups of two records, three frequencies, noise of all sign vectors: the gap is 0, as for all rows of one norm",
        );
        check.figure(
            format_args!("excess risk of group {name}, over the variance"),
            risk,
        );
    }
    check.figure("excess risk of all records, over the variance", &whole);
    // The other reading: an average of 100 draws is positive by chance. The gap of one draw has mean 0, and this
    // variance; it is in proportion to the variance of the noise, which falls as 1/epsilon^2.
    let width = a.first().map_or(0, Vec::len);
    let mut variance = Rational::zero();
    for signs in 0..1u32 << width {
        let z: Vec<Rational> = (0..width)
            .map(|k| integer(if signs >> k & 1 == 1 { 1 } else { -1 }))
            .collect();
        let z = reals(&z);
        let risk = |rows: &[Vec<Complex>]| -> Rational {
            let sum: Rational = rows.iter().map(|row| product(row, &z).squared()).sum();
            sum / BigInt::from(rows.len())
        };
        let gap = risk(&a) - risk(&all);
        variance += &gap * &gap;
    }
    variance /= BigInt::from(1u32 << width);
    check.holds(
        variance.is_positive(),
        format_args!("the gap of one draw has variance {variance}"),
    );
    let of_the_average = Enclosure::of(&(variance / BigInt::from(100)), 64).sqrt()?;
    check.figure(
        "standard deviation of an average of 100 draws, over the variance of the noise",
        to_scientific(&of_the_average.upper(), 3),
    );
    Ok(())
}

pub(super) fn figure_8(check: &mut Check) -> Result<(), Trouble> {
    // The counterexample does not depend on the data.
    figure_7(check)
}
