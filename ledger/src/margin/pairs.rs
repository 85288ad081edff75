//! Datasets and metered runs that the rows of several learners share.

use super::record;
use crate::budgets;
use crate::claim::{Check, Trouble};
use crate::common::{random_records, turned};
use dp_assay::coins::{ChaCha, Meter, Outcomes};
use dp_assay::geometry::Record;
use dp_assay::margin::{Dataset, Domain, MarginError};
use dp_assay::number::rational::to_scientific;
use dp_assay::number::{Enclosure, Grid, Rational};
use dp_assay::privacy::{Budget, Published};
use num_traits::Zero;

/// A dataset and its neighbour.
pub(super) type Pair = (Dataset, Dataset);

/// Pairs of these records and of the same with another first one.
pub(super) fn with_other_first(
    domain: Domain,
    mut records: Vec<Record>,
    others: impl IntoIterator<Item = Record>,
) -> Result<Vec<Pair>, Trouble> {
    let first = Dataset::new(domain, records.clone())?;
    let mut pairs = Vec::new();
    for other in others {
        records[0] = other;
        pairs.push((first.clone(), Dataset::new(domain, records.clone())?));
    }
    Ok(pairs)
}

/// The first record turned, and sent to the origin.
pub(super) fn turned_or_at_the_origin(
    domain: Domain,
    records: Vec<Record>,
) -> Result<Vec<Pair>, Trouble> {
    let others = [
        turned(&records[0]),
        record(&vec![0; domain.dimension()], true),
    ];
    with_other_first(domain, records, others)
}

/// `n` random records in 20 dimensions, labelled by the first coordinate; the first of them turned, and sent to the origin.
pub(super) fn random(seed: u64, n: usize) -> Result<Vec<Pair>, Trouble> {
    let domain = Domain::unit_ball(Grid::new(10)?, 20)?;
    let mut coins = ChaCha::reproducible(seed, 12);
    turned_or_at_the_origin(domain, random_records((n, 20), 200, &mut coins)?)
}

/// `n` records on one point: one that says +, against all others; and all of them against it.
pub(super) fn one_against(domain: Domain, point: &[i64], n: usize) -> Result<Pair, Trouble> {
    let against = vec![record(point, false); n];
    let mut first = against.clone();
    first[0].positive = true;
    Ok((Dataset::new(domain, first)?, Dataset::new(domain, against)?))
}

/// (1, -1)/sqrt 2, a little shorter, which (1, 1) and (-1, -1) send to 0, beside these records; turned, moved, and sent to the
/// origin.
pub(super) fn sent_to_zero(grid: Grid, beside: &[Record]) -> Result<Vec<Pair>, Trouble> {
    let side = grid.one() * 7 / 10;
    let records = [&[record(&[side, -side], true)], beside].concat();
    let others = [
        record(&[side, -side], false),
        record(&[side, side], true),
        record(&[0, 0], true),
    ];
    with_other_first(Domain::unit_ball(grid, 2)?, records, others)
}

/// Both labels of each point.
pub(super) fn both_labels(points: &[[i64; 2]]) -> Vec<Record> {
    let both = |x: &[i64; 2]| [record(x, true), record(x, false)];
    points.iter().flat_map(both).collect()
}

/// The 36 datasets of two of six records of the plane, in steps of a quarter.
pub(super) fn two_of_six() -> Result<Vec<Dataset>, Trouble> {
    let domain = Domain::unit_ball(Grid::new(2)?, 2)?;
    let six = both_labels(&[[4, 0], [0, 3], [2, -2]]);
    let mut all = Vec::new();
    for first in &six {
        for second in &six {
            all.push(Dataset::new(domain, vec![first.clone(), second.clone()])?);
        }
    }
    Ok(all)
}

/// The largest loss between neighbours among [`two_of_six`], each of which has this law.
pub(super) fn largest_loss_of_two_of_six(laws: &[Vec<Enclosure>]) -> Result<Rational, Trouble> {
    let mut logarithms: Vec<Vec<Enclosure>> = Vec::new();
    for law in laws {
        logarithms.push(law.iter().map(Enclosure::ln).collect::<Result<_, _>>()?);
    }
    let mut worst = Rational::zero();
    for (here, law) in logarithms.iter().enumerate() {
        for (there, other) in logarithms.iter().enumerate() {
            if (here / 6 == there / 6) != (here % 6 == there % 6) {
                let losses = law.iter().zip(other).map(|(p, q)| (p - q).upper());
                worst = losses.fold(worst, Rational::max);
            }
        }
    }
    Ok(worst)
}

/// The largest ratio of probabilities of one output over the pairs, with weights `(3/2)^-(times errors)`, times a power of 3
/// that makes them integers.
pub(super) fn largest_ratio(
    errors: &[Vec<u32>],
    pairs: &[(usize, usize)],
    records: usize,
    times: u32,
) -> Rational {
    let most = times * records as u32;
    let weight = |errors: &u32| {
        let exponent = times * errors;
        2u128.pow(exponent) * 3u128.pow(most - exponent)
    };
    let law = |errors: &Vec<u32>| {
        let weights: Vec<u128> = errors.iter().map(weight).collect();
        let total: u128 = weights.iter().sum();
        (weights, total)
    };
    let laws: Vec<(Vec<u128>, u128)> = errors.iter().map(law).collect();
    // A numerator and a denominator.
    let mut largest = (0u128, 1u128);
    for &(here, there) in pairs {
        let ((here, total), (there, other_total)) = (&laws[here], &laws[there]);
        for (p, q) in here.iter().zip(there) {
            let (above, below) = (p * other_total, q * total);
            if above * largest.1 > below * largest.0 {
                largest = (above, below);
            }
        }
    }
    Rational::new(largest.0.into(), largest.1.into())
}

/// The largest ratio, with the exponent `epsilon/2`, is within `e^epsilon`; with twice the exponent it is not.
pub(super) fn half_of_epsilon_is_right(
    check: &mut Check,
    instance: &str,
    [found, twice]: [&Rational; 2],
    most: &Rational,
) {
    check.holds(found <= most, instance);
    check.holds(
        twice > most,
        format_args!("{instance}: the exponent epsilon is seen to be too much"),
    );
    let six = |ratio: &Rational| to_scientific(ratio, 6);
    check.figure(
        format_args!("largest ratio, {instance}"),
        format_args!(
            "{found} = {}; with the exponent epsilon {}",
            six(found),
            six(twice)
        ),
    );
}

/// Meters a pure learner on pairs of one shape, along drawn and steered outcomes of so many streams of coins (several where
/// what is drawn first decides what a record is worth), and on the first dataset reversed, where nothing is lost.
pub(super) fn metered<T: Published + Send>(
    check: &mut Check,
    name: &str,
    epsilon: &Rational,
    learner: impl Fn(&Dataset, &mut Meter) -> Result<T, MarginError> + Sync,
    pairs: &[Pair],
    streams: u64,
    reasons: &[(&str, &str)],
) -> Result<(), Trouble> {
    let seed = check.seed();
    let claim = budgets::pure(epsilon.clone())?;
    let losses = check.family(name, reasons, |family| {
        let mut losses = Vec::new();
        for (first, second) in pairs {
            for stream in 1..=streams {
                let steered = (ChaCha::reproducible(seed, stream), 1);
                family.drawn_and_steered(&learner, (first, second), steered, &claim)?;
            }
            let reversed = first.records().iter().rev().cloned().collect();
            let reversed = Dataset::new(first.domain(), reversed)?;
            let drawn = Outcomes::drawn(ChaCha::reproducible(seed, 5));
            let (_, report) =
                family.run("reversed", &learner, (first, &reversed), drawn, &claim)?;
            losses.push(report.loss);
        }
        Ok(losses)
    })?;
    let nothing = losses.iter().all(|loss| loss.is_zero());
    check.holds(nothing, format_args!("{name}: the records reversed"));
    Ok(())
}

/// Meters a learner that descends on pairs that differ in the first record, so often along drawn and steered outcomes; and where
/// `stretch` is given, also so far out.
pub(super) fn metered_descents<T: Published + Send>(
    check: &mut Check,
    (name, claim): (&str, &Budget),
    learner: impl Fn(&Dataset, &mut Meter) -> Result<T, MarginError> + Sync,
    (pairs, times): (&[Pair], u64),
    stretch: Option<u32>,
    reasons: &[(&str, &str)],
) -> Result<(), Trouble> {
    check.family(name, reasons, |family| {
        family.differing_in(0);
        for (number, (first, second)) in (0u64..).zip(pairs) {
            for time in 0..times {
                // What is certified does not depend on the seed of the statistical tests.
                let coins = ChaCha::reproducible(1, 100 * number + time);
                let steered = (coins.clone(), 6);
                family.drawn_and_steered(&learner, (first, second), steered, claim)?;
                if let (0, Some(stretch)) = (time, stretch) {
                    let far = Outcomes::far_out(coins, stretch);
                    family.run("far out", &learner, (first, second), far, claim)?;
                }
            }
        }
        Ok(())
    })
}
