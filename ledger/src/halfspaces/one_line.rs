//! `nuz20.thm11.one-line`: the choice and the generalisation of Algorithm 2 by one expectation.

use super::pure::explored;
use super::sample_complexity::goals;
use super::{BITS, exponent, of, record, rows_for};
use crate::claim::{Check, Trouble};
use crate::common::{dot, points_of};
use dp_assay::halfspaces::bounds::{Goal, Net, pure};
use dp_assay::halfspaces::pure::PureParameters;
use dp_assay::halfspaces::{Dataset, Record};
use dp_assay::number::rational::{integer, ratio, to_scientific};
use dp_assay::number::{Enclosure, Grid, NumberError, Rational};
use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};

/// `nuz20.thm11.one-line`.
pub(super) fn one_line(check: &mut Check) -> Result<(), Trouble> {
    let n = if check.quick() { 4 } else { 6 };
    check.certified(format_args!(
        "the learner that ships, draw by draw, without projection, gamma = 1/2: three points of the plane of masses 1/2, 1/3, 1/6, \
         with a separator and with none, all datasets of {n} records, epsilon = 1 and 6, alpha = 1/5, 1/3 and 1/2"
    ));
    for (name, labels) in [
        ("separable", [true, true, false]),
        ("not separable", [true, false, true]),
    ] {
        for epsilon in [integer(1), integer(6)] {
            on_all_samples(check, name, labels, n, &epsilon)?;
        }
    }
    records(check)
}

/// A law of records: on three points of the plane, two of which are opposite.
fn domain(labels: [bool; 3]) -> Vec<(Record, Rational)> {
    let masses = [ratio(1, 2), ratio(1, 3), ratio(1, 6)];
    let points: [&[i64]; 3] = [&[4, 0], &[2, 3], &[-4, 0]];
    let records = points.iter().zip(labels).map(|(x, y)| record(x, y));
    records.zip(masses).collect()
}

/// Whether a record counts against `w = k/q`: `y <w, x>/|x|` is below the threshold, or a tie.
fn is_bad(record: &Record, k: &[i64], q: u64, threshold: &Rational) -> bool {
    let product = dot(k, &record.features) * if record.positive { 1 } else { -1 };
    let squared = dot(&record.features, &record.features);
    let least = threshold * integer(q);
    product <= 0 || integer(product).pow(2) < &least * &least * integer(squared)
}

/// `Pr[some w has no bad record, and err(w) > alpha]`, over all datasets and all draws of the shipped learner, is at most
/// `|W| (1 - alpha (1 - e^(-epsilon/2)))^n`.
fn on_all_samples(
    check: &mut Check,
    name: &str,
    labels: [bool; 3],
    n: usize,
    epsilon: &Rational,
) -> Result<(), Trouble> {
    let (tenth, gamma, grid) = (ratio(1, 10), ratio(1, 2), Grid::new(2)?);
    let parameters = PureParameters::from_theorem(&tenth, &tenth, epsilon, &gamma, n, 2)?
        .with_projected_dimension(None)?
        .with_radius(ratio(2, 5))?;
    let cover = parameters.cover(2)?;
    let (points, q) = (points_of(&cover), cover.denominator());
    let threshold = &parameters.threshold().value;
    let domain = domain(labels);
    let bad = |k: &[i64]| {
        domain
            .iter()
            .map(|(record, _)| is_bad(record, k, q, threshold))
            .collect()
    };
    let bad: Vec<Vec<bool>> = points.iter().map(|k| bad(k)).collect();
    let error = |bad: &Vec<bool>| -> Rational {
        let masses = domain.iter().zip(bad).filter(|(_, bad)| **bad);
        masses.map(|((_, mass), _)| mass).sum()
    };
    let alphas = [ratio(1, 5), ratio(1, 3), ratio(1, 2)];
    let mut wrong = alphas.clone().map(|_| Rational::zero());
    for counts in counts(n, domain.len()) {
        let clean = |bad: &Vec<bool>| {
            counts
                .iter()
                .zip(bad)
                .all(|(count, bad)| *count == 0 || !bad)
        };
        if !bad.iter().any(clean) {
            continue;
        }
        let records = domain
            .iter()
            .zip(&counts)
            .flat_map(|((record, _), count)| vec![record.clone(); *count]);
        let law = explored(&Dataset::new(grid, 2, records.collect())?, &parameters)?;
        let probability = probability(&counts, &domain);
        for (k, bad) in points.iter().zip(&bad) {
            // At most this, however what is not explored turns out.
            let drawn = law.lower(&(None, k.clone())) + &law.undecided;
            for (wrong, alpha) in wrong.iter_mut().zip(&alphas) {
                if error(bad) > *alpha {
                    *wrong += &probability * &drawn;
                }
            }
        }
    }
    for (wrong, alpha) in wrong.iter().zip(&alphas) {
        let each = of(&Rational::one()) - of(alpha) * falls(epsilon)?;
        let bound = each.power(n as u64) * of(&integer(points.len()));
        check.holds(
            *wrong <= bound.lower(),
            format_args!(
                "{name}, n = {n}, epsilon = {epsilon}, alpha = {alpha}: {}",
                to_scientific(wrong, 4)
            ),
        );
        check.figure(
            format_args!(
                "{name}, epsilon = {epsilon}, alpha = {alpha}: probability, and its bound"
            ),
            format_args!(
                "{}, {}",
                to_scientific(wrong, 4),
                to_scientific(&bound.upper(), 4)
            ),
        );
    }
    Ok(())
}

/// `1 - e^(-epsilon/2)`: by how much a bad record lowers a weight.
fn falls(epsilon: &Rational) -> Result<Enclosure, NumberError> {
    Ok(of(&Rational::one()) - Enclosure::exp_of(&(-epsilon / integer(2)), BITS)?)
}

/// How often each of `kinds` records may occur among `n`.
fn counts(n: usize, kinds: usize) -> Vec<Vec<usize>> {
    if kinds == 1 {
        return vec![vec![n]];
    }
    let with = |first: usize| {
        counts(n - first, kinds - 1)
            .into_iter()
            .map(move |rest| [vec![first], rest].concat())
    };
    (0..=n).flat_map(with).collect()
}

/// The multinomial probability of these counts.
fn probability(counts: &[usize], domain: &[(Record, Rational)]) -> Rational {
    let factorial = |n: usize| (1..=n).map(BigInt::from).product::<BigInt>();
    let mut all = Rational::from(factorial(counts.iter().sum()));
    for (count, (_, mass)) in counts.iter().zip(domain) {
        all *= mass.pow(*count as i32) / factorial(*count);
    }
    all
}

/// The records that the library asks for, by the formulas of the statement; and of how many (b) asks for that is.
fn records(check: &mut Check) -> Result<(), Trouble> {
    check.certified("the requirements on n, m and r at what the library returns, kappa = 3/4 gamma and 17/20 gamma, epsilon in {1/10, 1, 10}");
    for (name, alpha, beta, gamma) in goals(check.quick()) {
        for (epsilon, fraction) in [
            (ratio(1, 10), ratio(3, 4)),
            (integer(1), ratio(17, 20)),
            (integer(10), ratio(3, 4)),
        ] {
            let name = format!("{name}, epsilon = {epsilon}");
            let goal = Goal::new(alpha.clone(), beta.clone(), gamma.clone(), epsilon.clone())?;
            let found = pure::one_line(&goal, &fraction, Net::Volume)?;
            let (n, m) = (
                integer(found.records.clone()),
                integer(found.dimension.clone()),
            );
            let rows = rows_for(&(&beta / (integer(2) * &n)), &found.kappa)?.upper();
            check.attained(format_args!("rows asked for, {name}"), &rows, &m);
            let left = (&gamma - &found.kappa) / (integer(1) - &gamma * &found.kappa);
            check.holds(
                found.radius < left && exponent(&found.kappa).is_positive(),
                format_args!("radius, {name}"),
            );
            // |W| (1 - alpha (1 - e^(-epsilon/2)))^n <= beta/2, in logarithms.
            let class = of(&m) * of(&(integer(1) + integer(2) / &found.radius)).ln()?;
            let needed = class + of(&(integer(2) / &beta)).ln()?;
            let each = -(of(&Rational::one()) - of(&alpha) * falls(&epsilon)?).ln()?;
            check.attained(
                format_args!("ln(2|W|/beta) of n times the fall, {name}"),
                &needed.upper(),
                &(each * of(&n)).lower(),
            );
            let before = pure::counted(&goal, &fraction, Net::Volume)?;
            check.holds(
                found.records < before.records,
                format_args!("fewer than (b) asks for, {name}"),
            );
            check.figure(
                format_args!("{name}: n, m, and n by (b)"),
                format_args!("{}, {}, {}", found.records, found.dimension, before.records),
            );
        }
    }
    Ok(())
}
