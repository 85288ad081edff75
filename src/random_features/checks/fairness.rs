//! Fairness: excess risk, its gap, and statistical parity.

use super::{Effort, Evidence, LedgerError, refuted, verified};
use crate::number::Rational;
use crate::number::rational::{integer, ratio};
use crate::optimise::exact::{Complex, minimum_norm, reals};
use crate::random_features::fairness::{
    excess_risk as formula, excess_risk_by_enumeration, excess_risk_gap, kolmogorov_smirnov,
    kolmogorov_smirnov_on_grid, mean_squared_norm, statistical_parity, trace_of_hessian,
};
use crate::random_features::instances::{Instance, x1, x2, x3, x4, x6};
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

pub(super) fn excess_risk(_effort: &Effort) -> Result<Evidence, LedgerError> {
    let deviation = ratio(2, 3);
    let variance = &deviation * &deviation;
    let mut holds = true;
    let mut evidence = verified(
        true,
        "exact enumeration",
        "X1, X2, X3, X4 (N = 6), X6 (N = 2): the mean over all vectors of signs times 2/3, a noise of covariance 4/9 I, around the coefficients of least norm",
    );
    for instance in instances() {
        let labels = reals(&instance.labels);
        let c = minimum_norm(&instance.rows, &labels)?;
        let found = excess_risk_by_enumeration(&instance.rows, &labels, &c, &deviation)?;
        holds &= found == formula(&instance.rows, &variance)?;
        evidence = evidence.figure(format!("{}: R", instance.name), found);
    }
    Ok(Evidence {
        status: verified(holds, "", "").status,
        ..evidence
    })
}

pub(super) fn gap(_effort: &Effort) -> Result<Evidence, LedgerError> {
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
    let mut holds = true;
    let mut evidence = verified(
        true,
        "exact enumeration",
        "two groups of two records, noise of all sign vectors, covariance 9/49 I; Hessians by exact second differences",
    );
    for (name, rows, labels_of) in [("a", &a, &labels_a), ("b", &b, &labels_b)] {
        let by_enumeration =
            (excess_risk_by_enumeration(rows, labels_of, &c, &deviation)? - &whole).abs();
        let traces = (trace_of_hessian(rows, labels_of)? - trace_of_hessian(&all, &labels)?).abs();
        holds &= by_enumeration == &variance * traces / BigInt::from(2);
        holds &= by_enumeration == excess_risk_gap(rows, &all, &variance)?;
        evidence = evidence.figure(format!("xi_{name}"), by_enumeration);
    }
    Ok(Evidence {
        status: verified(holds, "", "").status,
        ..evidence
    })
}

pub(super) fn dropped_factor(_effort: &Effort) -> Result<Evidence, LedgerError> {
    let ([a, _], [labels, _]) = groups();
    let trace = trace_of_hessian(&a, &labels)?;
    let printed = mean_squared_norm(&a)?;
    Ok(refuted(
        trace == &printed * BigInt::from(2) && trace != printed,
        "exact counterexample",
        "two records of norm 1, squared loss; the Hessian is 2 mean(phi phi^T)",
    )
    .figure("Tr H", trace)
    .figure("mean |x|^2", printed))
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

pub(super) fn parity(effort: &Effort) -> Result<Evidence, LedgerError> {
    let size = if effort.quick { 3 } else { 4 };
    // The supremum over all t: at the points, and between them, where F is its limit from the left.
    let fine: Vec<Rational> = (-1..6).map(|half| ratio(half, 2)).collect();
    let (mut holds, mut pairs) = (true, 0);
    for a in samples(size) {
        for b in samples(2) {
            let exact = kolmogorov_smirnov(&a, &b)?;
            holds &= exact == kolmogorov_smirnov_on_grid(&a, &b, &fine)?;
            holds &= exact == kolmogorov_smirnov(&b, &a)?;
            pairs += 1;
        }
    }
    let three = statistical_parity(&[sample(&[0, 1]), sample(&[1, 2]), sample(&[2, 2])])?;
    holds &= three == integer(1);
    Ok(verified(
        holds,
        "exact enumeration",
        format!("{pairs} pairs of samples of {size} and 2 values of 0, 1, 2, ties and all"),
    ))
}

pub(super) fn grid(effort: &Effort) -> Result<Evidence, LedgerError> {
    let size = if effort.quick { 3 } else { 4 };
    let grids = [
        vec![],
        sample(&[1]),
        vec![ratio(-1, 2), ratio(3, 2)],
        sample(&[0, 2]),
    ];
    let (mut holds, mut below) = (true, 0);
    for a in samples(size) {
        for b in samples(2) {
            let exact = kolmogorov_smirnov(&a, &b)?;
            for grid in &grids {
                let found = kolmogorov_smirnov_on_grid(&a, &b, grid)?;
                holds &= found <= exact;
                below += u32::from(found < exact);
            }
        }
    }
    // All of one group below all of the other, both between two points of the grid.
    let (a, b) = (vec![ratio(1, 4)], vec![ratio(3, 4)]);
    let missed = kolmogorov_smirnov_on_grid(&a, &b, &sample(&[0, 1]))?;
    holds &= missed.is_zero() && kolmogorov_smirnov(&a, &b)? == integer(1);
    Ok(verified(
        holds && below > 0,
        "exact enumeration",
        format!("samples of {size} and 2 values of 0, 1, 2, four grids; and {{1/4}} against {{3/4}} on the grid 0, 1"),
    )
    .figure("pairs for which the grid is strictly below", below))
}

/// Cosine features `sqrt(2/N) cos(...)` at N = 2: the cosines themselves.
fn cosines(values: [(i64, i64); 2]) -> Vec<Complex> {
    reals(&values.map(|(numerator, denominator)| ratio(numerator, denominator)))
}

pub(super) fn cosine_features(_effort: &Effort) -> Result<Evidence, LedgerError> {
    // Two frequencies, one record a group: cosines (1, 3/5) and (3/5, 0), at angles that inputs and phases reach.
    let a = vec![cosines([(1, 1), (3, 5)])];
    let b = vec![cosines([(3, 5), (0, 1)])];
    let all = [a.clone(), b.clone()].concat();
    let gap = excess_risk_gap(&a, &all, &integer(1))?;
    Ok(refuted(
        gap.is_positive(),
        "exact counterexample",
        "N = 2, one record a group, cosines (1, 3/5) and (3/5, 0), s^2 = 1: |phi|^2 depends on x",
    )
    .figure(
        "mean |phi|^2 of the groups",
        format!("{} and {}", mean_squared_norm(&a)?, mean_squared_norm(&b)?),
    )
    .figure("xi_a / s^2", gap))
}

pub(super) fn fourier_features(_effort: &Effort) -> Result<Evidence, LedgerError> {
    // Every row has squared norm N, and so has every mean: for each split of the records of each instance.
    let (mut holds, mut splits) = (true, 0);
    for instance in instances() {
        let rows = &instance.rows;
        for chosen in 1..(1u32 << rows.len()) {
            let group: Vec<Vec<Complex>> = rows
                .iter()
                .enumerate()
                .filter(|(place, _)| chosen >> place & 1 == 1)
                .map(|(_, row)| row.clone())
                .collect();
            holds &= excess_risk_gap(&group, rows, &integer(1))?.is_zero();
            splits += 1;
        }
        holds &= mean_squared_norm(rows)? == integer(instance.frequencies);
    }
    Ok(verified(
        holds,
        "exact instances",
        format!("{splits} groups of records of X1, X2, X3, X4 (N = 6), X6 (N = 2, cosine and sine pairs)"),
    )
    .figure("R itself, for every group", "N s^2"))
}
