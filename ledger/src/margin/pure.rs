//! Algorithm 1: its privacy.

use super::pairs;
use super::{BITS, of_the_coins, record};
use crate::claim::{Check, Trouble};
use crate::common::{multisets, neighbours, points_of, shares};
use dp_assay::coins::{Explorer, Layer, Meter};
use dp_assay::geometry::{LatticeCover, Record, SignMatrix};
use dp_assay::margin::pure::{PureParameters, error_scores, learn};
use dp_assay::margin::{Dataset, Domain};
use dp_assay::number::rational::{integer, ratio};
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
    pairs::both_labels(&[[one, 0], [0, one], [one, one]])
}

/// The cover of all integer points of norm at most 3: 7 on the line, 29 in the plane.
fn points_up_to_three(dimension: usize) -> Result<LatticeCover, Trouble> {
    let radius = [ratio(1, 3), ratio(48, 100)];
    Ok(LatticeCover::truncating(dimension, &radius[dimension - 1])?)
}

/// The largest ratio of probabilities of one point, over all matrices and all neighbouring datasets.
fn largest_ratio(records: usize, cover: &LatticeCover, times: u32) -> Result<Rational, Trouble> {
    let kinds = six_records(1);
    let datasets = multisets(kinds.len(), records);
    let pairs = neighbours(&datasets);
    let points = points_of(cover);
    let mut largest = Rational::zero();
    for matrix in SignMatrix::all(cover.dimension(), 2)? {
        let mut errors = Vec::new();
        for dataset in &datasets {
            let projected: Vec<Vec<i64>> = dataset
                .iter()
                .map(|&kind| kinds[kind].projected(Some(&matrix)))
                .collect::<Result<_, _>>()?;
            let scores = error_scores(&projected, cover)?;
            errors.push(
                points
                    .iter()
                    .map(|point| scores.score(point) as u32)
                    .collect(),
            );
        }
        largest = largest.max(pairs::largest_ratio(&errors, &pairs, records, times));
    }
    Ok(largest)
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
        pairs::half_of_epsilon_is_right(check, &instance, [&found, &twice], &most);
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
            for c in -3..=3 {
                let exponent = -(&epsilon * BigInt::from(errors(c))) / BigInt::from(2);
                weights.push(Enclosure::exp_of(&exponent, BITS)?);
            }
            let matrix = SignMatrix::from_signs(&[signs.map(|s| s as i8).to_vec()])?;
            for (c, share) in (-3..).zip(shares(&weights)?) {
                // Each of the four matrices is as likely.
                let expected = share.shifted(-2);
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
    let pairs = [pairs::one_against(Domain::unit_ball(grid, 1)?, &[one], 12)?];
    meter(check, "one of 12", None, ratio(1, 4), &pairs, &[])?;

    // 2. (1, -1)/sqrt 2, a little shorter, which (1, 1) and (-1, -1) send to 0.
    let others = [record(&[one, 0], true), record(&[0, one * 7 / 10], false)];
    let pairs = pairs::sent_to_zero(grid, &others)?;
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
