//! The learners on the meter: on small adversarial pairs and at full size, along drawn and steered outcomes.

use super::record;
use crate::claim::{Check, Trouble};
use crate::coins::{ChaCha, Coins, Meter, Outcomes};
use crate::halfspaces::efficient::{EfficientParameters, EfficientPlan};
use crate::halfspaces::full_batch::{FullBatchParameters, FullBatchPlan};
use crate::halfspaces::pure::{self, PureParameters};
use crate::halfspaces::steps::overridden;
use crate::halfspaces::{Dataset, HalfspaceError, Record, as_printed};
use crate::number::rational::{integer, ratio};
use crate::number::{Grid, Rational};
use crate::privacy::meter::{Cost, Worst, meter};
use crate::privacy::{Budget, NeighbouringRelation};

/// Two datasets that differ in one record, and what they are.
struct Pair {
    name: String,
    first: Dataset,
    second: Dataset,
}

impl Pair {
    fn new(
        name: impl Into<String>,
        grid: Grid,
        first: Vec<Record>,
        place: usize,
        other: Record,
    ) -> Result<Self, HalfspaceError> {
        let dimension = other.features.len();
        let mut second = first.clone();
        second[place] = other;
        Ok(Self {
            name: name.into(),
            first: Dataset::new(grid, dimension, first)?,
            second: Dataset::new(grid, dimension, second)?,
        })
    }
}

/// n = 2, 3 and 12, on the line and in the plane: a record turned, moved aside, sent to the origin, with the others in
/// favour of it, against it, or both. Against eleven the candidate that the record favours has little weight, and the
/// choice comes near its promise. Those of one shape together.
fn small_pairs(grid: Grid) -> Result<Vec<Vec<Pair>>, HalfspaceError> {
    let one = grid.one();
    let mut families = Vec::new();
    let against = |n: usize| vec![false; n - 1];
    for (others, d) in [
        (against(2), 1),
        (vec![true], 2),
        (vec![true, false], 2),
        (against(12), 1),
    ] {
        let n = others.len() + 1;
        let against = others.iter().filter(|&&positive| !positive).count();
        let along = |axis: usize, size: i64, positive| {
            let mut x = vec![0; d];
            x[axis] = size;
            record(&x, positive)
        };
        let mut first = vec![along(0, one, true)];
        first.extend(others.iter().map(|&positive| along(0, one, positive)));
        let mut replaced = vec![
            ("the label turned", along(0, one, false)),
            ("the record turned", along(0, -one, true)),
            ("the origin instead", along(0, 0, true)),
        ];
        if d == 2 {
            replaced.push(("a record aside", along(1, one, true)));
        }
        let pair = |(what, other)| {
            let name = format!("n = {n}, d = {d}, {against} against: {what}");
            Pair::new(name, grid, first.clone(), 0, other)
        };
        families.push(replaced.into_iter().map(pair).collect::<Result<_, _>>()?);
    }
    Ok(families)
}

/// `n` random records of norm at most 1 in dimension `d`, labelled by the first coordinate; one of them turned, and one
/// replaced by the origin.
fn large_pairs(grid: Grid, n: usize, d: usize) -> Result<Vec<Pair>, HalfspaceError> {
    let mut coins = ChaCha::reproducible(11, 0);
    let limit = grid.one() / (d.isqrt() as i64 + 1);
    let mut records = Vec::new();
    for _ in 0..n {
        let mut features = Vec::new();
        for _ in 0..d {
            features.push((coins.bits(62)? % (2 * limit as u64 + 1)) as i64 - limit);
        }
        let positive = features[0] >= 0;
        records.push(Record { features, positive });
    }
    let turned = Record {
        positive: !records[0].positive,
        ..records[0].clone()
    };
    let origin = record(&vec![0; d], true);
    Ok(vec![
        Pair::new(
            format!("n = {n}, d = {d}: a label turned"),
            grid,
            records.clone(),
            0,
            turned,
        )?,
        Pair::new(
            format!("n = {n}, d = {d}: the origin instead"),
            grid,
            records,
            0,
            origin,
        )?,
    ])
}

fn budget(epsilon: Rational, delta: Rational) -> Result<Budget, Trouble> {
    let substitute = NeighbouringRelation::Substitute;
    Ok(Budget::approximate(epsilon, delta, substitute)?)
}

/// Drawn outcomes, and steered ones: far out, `patience` draws in a row in one direction.
fn outcomes(seed: u64, steered: &[(u32, u64)]) -> Vec<(String, Outcomes)> {
    let coins = || ChaCha::reproducible(seed, 1);
    let drawn = ("as drawn".to_owned(), Outcomes::drawn(coins()));
    let far = steered.iter().map(|&(stretch, patience)| {
        let outcomes = Outcomes::far_out(coins(), stretch).patiently(patience);
        (format!("{stretch} times as far out"), outcomes)
    });
    std::iter::once(drawn).chain(far).collect()
}

/// Meters a learner on a pair along all these outcomes: each run is sound, and on the same records in another order
/// nothing is lost.
fn meter_pair<T: PartialEq + Send>(
    check: &mut Check,
    learner: impl Fn(&Dataset, &mut Meter) -> Result<T, HalfspaceError> + Sync,
    pair: &Pair,
    steered: &[(u32, u64)],
    claim: &Budget,
    worst: &mut Worst,
) -> Result<(), Trouble> {
    for (how, outcomes) in outcomes(check.seed(), steered) {
        let report = meter(&learner, &pair.first, &pair.second, outcomes, claim)?;
        check.sound(&report, format_args!("{}, {how}", pair.name));
        worst.enter(&report);
    }
    Ok(())
}

/// On the same records in another order nothing is lost.
fn meter_permuted<T: PartialEq + Send>(
    check: &mut Check,
    learner: impl Fn(&Dataset, &mut Meter) -> Result<T, HalfspaceError> + Sync,
    pair: &Pair,
    claim: &Budget,
) -> Result<(), Trouble> {
    let data = &pair.first;
    let reversed: Vec<Record> = data.records().iter().rev().cloned().collect();
    let reversed = Dataset::new(data.grid(), data.dimension(), reversed)?;
    let drawn = Outcomes::drawn(ChaCha::reproducible(check.seed(), 2));
    let report = meter(learner, data, &reversed, drawn, claim)?;
    let lost = !report.loss.is_none() || !report.is_sound();
    check.holds(!lost, format_args!("{}: the records reversed", pair.name));
    Ok(())
}

/// `nuz20.alg2`: Algorithm 2 as shipped.
pub(super) fn algorithm_2(check: &mut Check) -> Result<(), Trouble> {
    let grid = Grid::new(4)?;
    let claim = Budget::pure(integer(1), NeighbouringRelation::Substitute)?;
    let half = ratio(1, 2);
    let mut worst = Worst::default();
    check.certified(
        "learn metered: n = 2, 3 and 12 in one and two dimensions, n = 1000 in 20 dimensions projected to 3; one record \
         turned, moved or sent to the origin; drawn and steered outcomes; the records reversed",
    );
    let parameters = |n: usize, d: usize, rows: Option<usize>, radius: Rational| {
        PureParameters::from_theorem(&half, &half, claim.epsilon(), &half, n, d)?
            .with_projected_dimension(rows)?
            .with_radius(radius)
    };
    for pairs in small_pairs(grid)? {
        let (n, d) = (pairs[0].first.records().len(), pairs[0].first.dimension());
        let parameters = parameters(n, d, None, ratio(1, 20))?;
        let learner = |data: &Dataset, coins: &mut Meter| pure::learn(data, &parameters, coins);
        meter_permuted(check, learner, &pairs[0], &claim)?;
        for pair in &pairs {
            meter_pair(check, learner, pair, &[(1, 1)], &claim, &mut worst)?;
        }
    }
    let parameters = parameters(1000, 20, Some(3), ratio(1, 5))?;
    for pair in large_pairs(Grid::new(12)?, 1000, 20)? {
        let learner = |data: &Dataset, coins: &mut Meter| pure::learn(data, &parameters, coins);
        meter_pair(check, learner, &pair, &[(1, 1)], &claim, &mut worst)?;
    }
    check.near_promises(&worst, &[]);
    Ok(())
}

/// `nuz20.alg3.corrected`: the repaired Algorithm 3 as shipped.
pub(super) fn algorithm_3(check: &mut Check) -> Result<(), Trouble> {
    let claim = budget(integer(1), ratio(1, 1_000_000))?;
    let steps = if check.thorough() { 1000 } else { 60 };
    check.certified(format_args!(
        "learn metered: n = 2, 3 and 12 in one and two dimensions with n^2 steps, n = 1000 in 20 dimensions with {steps}; one \
         record turned, moved or sent to the origin; drawn and steered outcomes; the records reversed",
    ));
    let plan = |pair: &Pair, steps: Option<u64>| -> Result<EfficientPlan, HalfspaceError> {
        let shape = (pair.first.records().len(), pair.first.dimension());
        let goal = (&ratio(1, 2), &ratio(1, 2));
        let mut parameters =
            EfficientParameters::from_theorem(goal, claim.clone(), &ratio(1, 2), shape)?;
        parameters.projected_dimension = overridden(None);
        if let Some(steps) = steps {
            parameters.steps = overridden(steps);
        }
        parameters.plan(pair.first.shape())
    };
    let mut worst = Worst::default();
    for pairs in small_pairs(Grid::new(8)?)? {
        let plan = plan(&pairs[0], None)?;
        let learner = |data: &Dataset, coins: &mut Meter| plan.learn(data, coins);
        meter_permuted(check, learner, &pairs[0], &claim)?;
        for pair in &pairs {
            meter_pair(check, learner, pair, &[(1000, 1)], &claim, &mut worst)?;
        }
    }
    for pair in large_pairs(Grid::new(12)?, 1000, 20)? {
        let plan = plan(&pair, Some(steps))?;
        let learner = |data: &Dataset, coins: &mut Meter| plan.learn(data, coins);
        meter_pair(check, learner, &pair, &[], &claim, &mut worst)?;
    }
    check.near_promises(&worst, &[]);
    Ok(())
}

/// `nuz20.full-batch`: F' as shipped.
pub(super) fn full_batch(check: &mut Check) -> Result<(), Trouble> {
    let claim = budget(integer(1), ratio(1, 1_000_000))?;
    check.certified(
        "learn metered: n = 2, 3 and 12 in one and two dimensions, n = 1000 in 20 dimensions; one record turned, moved or sent to \
         the origin; drawn and steered outcomes; the records reversed",
    );
    let plan = |pair: &Pair| -> Result<FullBatchPlan, HalfspaceError> {
        let shape = (pair.first.records().len(), pair.first.dimension());
        let goal = (&ratio(1, 2), &ratio(1, 2));
        let mut parameters =
            FullBatchParameters::from_theorem(goal, claim.clone(), &ratio(1, 2), shape)?;
        parameters.projected_dimension = overridden(None);
        parameters.plan(pair.first.shape())
    };
    let mut worst = Worst::default();
    for pairs in small_pairs(Grid::new(8)?)? {
        let plan = plan(&pairs[0])?;
        let learner = |data: &Dataset, coins: &mut Meter| plan.learn(data, coins);
        meter_permuted(check, learner, &pairs[0], &claim)?;
        for pair in &pairs {
            // Each run goes to one end of the ball.
            meter_pair(
                check,
                learner,
                pair,
                &[(1000, plan.steps())],
                &claim,
                &mut worst,
            )?;
        }
    }
    for pair in large_pairs(Grid::new(12)?, 1000, 20)? {
        let plan = plan(&pair)?;
        let learner = |data: &Dataset, coins: &mut Meter| plan.learn(data, coins);
        meter_pair(check, learner, &pair, &[], &claim, &mut worst)?;
    }
    check.near_promises(&worst, &[]);
    Ok(())
}

/// `nuz20.alg3`, `nuz20.alg-F`: what the stages of Algorithm 3 as printed promise together, on a pair on which nothing
/// differs: twice the epsilon that is claimed.
pub(super) fn algorithm_3_as_printed(check: &mut Check) -> Result<(), Trouble> {
    let claim = budget(integer(1), ratio(1, 1_000_000))?;
    let records = vec![record(&[16], true), record(&[16], false)];
    let data = Dataset::new(Grid::new(4)?, 1, records)?;
    let goal = (&ratio(1, 2), &ratio(1, 2));
    let learner = |data: &Dataset, coins: &mut Meter| {
        as_printed::learn_not_private(data, &claim, goal, None, coins)
    };
    let drawn = Outcomes::drawn(ChaCha::reproducible(check.seed(), 0));
    let report = meter(learner, &data, &data, drawn, &claim)?;
    check.exact("the printed algorithm metered on one dataset: the promises of its stages");
    let twice = Cost::Bounded {
        epsilon: integer(2),
        delta: claim.delta().clone(),
    };
    check.holds(report.equal_results, "equal results on equal data");
    check.holds(
        report.promised == Some(twice),
        format_args!("{:?}", report.promised),
    );
    Ok(())
}
