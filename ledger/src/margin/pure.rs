//! Algorithm 1: its privacy.

use super::pairs;
use super::{BITS, of_the_coins, record};
use crate::claim::{Check, Trouble};
use dp_assay::coins::{Explorer, Layer, Meter};
use dp_assay::geometry::{LatticeCover, Record, SignMatrix};
use dp_assay::margin::pure::{PureParameters, error_scores, learn};
use dp_assay::margin::{Dataset, Domain};
use dp_assay::number::rational::{integer, ratio, to_scientific};
use dp_assay::number::{Enclosure, Grid, Rational};
use num_bigint::BigInt;
use num_traits::{One, Zero};

/// `bms22.alg1.dp`.
pub(super) fn privacy(check: &mut Check) -> Result<(), Trouble> {
    super::edges::pure_fails(check)?;
    enumerated(check)?;
    explored(check)?;
    metered(check)
}

/// Both labels of (1, 0), (0, 1) and (1, 1), in steps of a grid.
pub(super) fn six_records(one: i64) -> Vec<Record> {
    let points = [[one, 0], [0, one], [one, one]];
    let both = |x: &[i64; 2]| [record(x, true), record(x, false)];
    points.iter().flat_map(both).collect()
}

/// All multisets of `size` of `kinds` kinds, each as an ascending list.
pub(super) fn multisets(kinds: usize, size: usize) -> Vec<Vec<usize>> {
    let mut found: Vec<Vec<usize>> = vec![Vec::new()];
    for _ in 0..size {
        let more = |list: &Vec<usize>| {
            let from = list.last().copied().unwrap_or(0);
            let list = list.clone();
            (from..kinds).map(move |kind| [&list[..], &[kind]].concat())
        };
        found = found.iter().flat_map(more).collect();
    }
    found
}

/// All places of pairs of lists that differ in exactly one entry, as multisets.
pub(super) fn neighbours(lists: &[Vec<usize>]) -> Vec<(usize, usize)> {
    let differ = |one: &Vec<usize>, other: &Vec<usize>| {
        let mut left = other.clone();
        let missing = one.iter().filter(|kind| {
            let place = left.iter().position(|other| other == *kind);
            place.map(|place| left.swap_remove(place)).is_none()
        });
        missing.count()
    };
    let mut found = Vec::new();
    for (here, one) in lists.iter().enumerate() {
        for (there, other) in lists.iter().enumerate() {
            if differ(one, other) == 1 {
                found.push((here, there));
            }
        }
    }
    found
}

/// The cover of all integer points of norm at most 3: 7 on the line, 29 in the plane.
fn points_up_to_three(dimension: usize) -> Result<LatticeCover, Trouble> {
    let radius = [ratio(1, 3), ratio(48, 100)];
    Ok(LatticeCover::truncating(dimension, &radius[dimension - 1])?)
}

fn all_points(cover: &LatticeCover) -> Vec<Vec<i64>> {
    let mut points = Vec::new();
    let mut lines = cover.lines();
    while let Some(line) = lines.next_line() {
        points.extend((0..line.length()).map(|place| line.point(place)));
    }
    points
}

/// The largest ratio of probabilities of one point, over all matrices and all neighbouring datasets, with weights
/// `(3/2)^-(times errors)`, times a power of 3 that makes them integers.
fn largest_ratio(records: usize, cover: &LatticeCover, times: u32) -> Result<Rational, Trouble> {
    let kinds = six_records(1);
    let datasets = multisets(kinds.len(), records);
    let pairs = neighbours(&datasets);
    let points = all_points(cover);
    let most = times * records as u32;
    // A numerator and a denominator.
    let mut largest = (0u128, 1u128);
    for matrix in SignMatrix::all(cover.dimension(), 2)? {
        let mut laws = Vec::new();
        for dataset in &datasets {
            let projected: Vec<Vec<i64>> = dataset
                .iter()
                .map(|&kind| kinds[kind].projected(Some(&matrix)))
                .collect::<Result<_, _>>()?;
            let scores = error_scores(&projected, cover)?;
            let weight = |point: &Vec<i64>| {
                let exponent = times * scores.score(point) as u32;
                2u128.pow(exponent) * 3u128.pow(most - exponent)
            };
            let weights: Vec<u128> = points.iter().map(weight).collect();
            let total: u128 = weights.iter().sum();
            laws.push((weights, total));
        }
        for &(here, there) in &pairs {
            let ((here, total), (there, other_total)) = (&laws[here], &laws[there]);
            for (p, q) in here.iter().zip(there) {
                let (above, below) = (p * other_total, q * total);
                if above * largest.1 > below * largest.0 {
                    largest = (above, below);
                }
            }
        }
    }
    Ok(Rational::new(largest.0.into(), largest.1.into()))
}

/// All datasets of few of six records, in rationals; and the same with twice the exponent, which must be too much.
fn enumerated(check: &mut Check) -> Result<(), Trouble> {
    let instances: &[(usize, usize)] = if check.quick() {
        &[(1, 3), (2, 2)]
    } else {
        &[(1, 3), (2, 2), (2, 3)]
    };
    check.exact(format_args!(
        "d = 2, six records, e^epsilon = 9/4, all integer points of norm at most 3: (rows, records) = {instances:?}, all \
         datasets, neighbours, matrices and points"
    ));
    let most = ratio(9, 4);
    let mut worst = Rational::zero();
    for &(rows, records) in instances {
        let cover = points_up_to_three(rows)?;
        let instance = format!("{rows} rows, {records} records");
        let found = largest_ratio(records, &cover, 1)?;
        let twice = largest_ratio(records, &cover, 2)?;
        check.holds(found <= most, &instance);
        check.holds(
            twice > most,
            format_args!("{instance}: the exponent epsilon is seen to be too much"),
        );
        let six = |ratio: &Rational| to_scientific(ratio, 6);
        check.figure(
            format_args!("largest ratio, {instance}"),
            format_args!(
                "{found} = {}; with the exponent epsilon {}",
                six(&found),
                six(&twice)
            ),
        );
        worst = worst.max(found);
    }
    check.attained("largest ratio, against e^epsilon", &worst, &most);
    Ok(())
}

/// The learner as shipped, draw by draw: the law of the matrix and the point, against a count of its own.
fn explored(check: &mut Check) -> Result<(), Trouble> {
    let size = 2;
    check.certified(format_args!(
        "learn, draw by draw: one row, seven points, epsilon = 1, all datasets of {size} of six records of the plane: the law \
         of the matrix and the point, against a count of its own"
    ));
    let epsilon = integer(1);
    let parameters = PureParameters::new(epsilon.clone(), Some(1), ratio(1, 6))?;
    let domain = Domain::new(Grid::new(2)?, 2, 6)?;
    let kinds = six_records(4);
    for dataset in multisets(kinds.len(), size) {
        let records: Vec<Record> = dataset.iter().map(|&kind| kinds[kind].clone()).collect();
        let data = Dataset::new(domain, records.clone())?;
        let law = Explorer::new(Layer::Laws, 10_000).explore(|coins| {
            let model = learn(&data, &parameters, coins);
            let shown = model.map(|model| (model.projection, model.point));
            shown.map_err(of_the_coins)
        })?;
        let tiny = Rational::new(BigInt::one(), BigInt::one() << 100);
        check.holds(
            law.undecided < tiny && law.lower.len() == 28,
            format_args!("records {dataset:?}: {} outcomes", law.lower.len()),
        );
        for signs in [[1i64, 1], [1, -1], [-1, 1], [-1, -1]] {
            // Of c in -3..=3 the records with y c <signs, x> <= 0, for x in steps of four.
            let errors = |c: i64| {
                let lost = |r: &&Record| {
                    let product = signs[0] * r.features[0] + signs[1] * r.features[1];
                    let signed = if r.positive { product } else { -product };
                    c * signed <= 0
                };
                records.iter().filter(lost).count()
            };
            let mut weights = Vec::new();
            let mut total = Enclosure::integer(0, BITS);
            for c in -3..=3 {
                let exponent = -(&epsilon * BigInt::from(errors(c))) / BigInt::from(2);
                let weight = Enclosure::exp_of(&exponent, BITS)?;
                total = total + &weight;
                weights.push((c, weight));
            }
            let matrix = SignMatrix::from_signs(&[signs.map(|s| s as i8).to_vec()])?;
            for (c, weight) in weights {
                let expected = weight.divided_by(&total.shifted(2))?;
                let outcome = (Some(matrix.clone()), vec![c]);
                check.holds(
                    law.allows(&outcome, &expected),
                    format_args!("records {dataset:?}, signs {signs:?}, point {c}"),
                );
            }
        }
    }
    Ok(())
}

/// Small and larger, along drawn and steered outcomes, and reversed.
fn metered(check: &mut Check) -> Result<(), Trouble> {
    check.certified(
        "learn metered: 12 records on one point of the line, one against all others; three records of the plane and one row, \
         one of them sent to 0 by some matrices; 300 random records in 20 dimensions, three rows; one record turned, moved \
         or sent to the origin; drawn and steered outcomes; the records reversed",
    );
    let grid = Grid::new(10)?;
    let one = grid.one();
    // 1. One against all others: the point that it favours has little weight.
    let mut first = vec![record(&[one], false); 12];
    first[0].positive = true;
    let line = Domain::unit_ball(grid, 1)?;
    let against = Dataset::new(line, vec![record(&[one], false); 12])?;
    let pairs = [(Dataset::new(line, first)?, against)];
    meter(check, "one of 12", None, ratio(1, 4), &pairs, &[])?;

    // 2. (1, -1)/sqrt 2, a little shorter, which (1, 1) and (-1, -1) send to 0.
    let side = one * 7 / 10;
    let plane = Domain::unit_ball(grid, 2)?;
    let others = [record(&[one, 0], true), record(&[0, side], false)];
    let with = |first: Record| -> Result<Dataset, Trouble> {
        let mut records = vec![first];
        records.extend(others.iter().cloned());
        Ok(Dataset::new(plane, records)?)
    };
    let first = with(record(&[side, -side], true))?;
    let mut pairs = Vec::new();
    for other in [
        record(&[side, -side], false),
        record(&[side, side], true),
        record(&[0, 0], true),
    ] {
        pairs.push((first.clone(), with(other)?));
    }
    let reason = "only one of twelve records is searched for";
    let reasons = [("the choice of a point", reason)];
    meter(
        check,
        "one of 3, one row",
        Some(1),
        ratio(1, 6),
        &pairs,
        &reasons,
    )?;

    // 3. At size.
    let pairs = pairs::random(check.seed(), 300)?;
    meter(
        check,
        "one of 300, three rows",
        Some(3),
        ratio(1, 4),
        &pairs,
        &[],
    )
}

fn meter(
    check: &mut Check,
    name: &str,
    rows: Option<usize>,
    radius: Rational,
    pairs: &[(Dataset, Dataset)],
    reasons: &[(&str, &str)],
) -> Result<(), Trouble> {
    let epsilon = integer(1);
    let parameters = PureParameters::new(epsilon.clone(), rows, radius)?;
    let learner = |data: &Dataset, coins: &mut Meter| learn(data, &parameters, coins);
    // Several matrices: a row sends a record to 0 or does not.
    pairs::metered(check, name, &epsilon, learner, pairs, 4, reasons)
}
