//! The learners on the meter: on small adversarial pairs and at full size, along drawn and steered outcomes.

use super::record;
use crate::budgets::{self, budget};
use crate::claim::{Check, Trouble};
use crate::common::{random_records, turned};
use dp_assay::coins::{ChaCha, Meter, Outcomes, Promise, lockstep};
use dp_assay::geometry::SignMatrix;
use dp_assay::halfspaces::data::EfficientModel;
use dp_assay::halfspaces::efficient::EfficientParameters;
use dp_assay::halfspaces::full_batch::{FullBatchParameters, FullBatchPlan};
use dp_assay::halfspaces::pure::{self, PureParameters};
use dp_assay::halfspaces::steps::{Hinge, overridden};
use dp_assay::halfspaces::{Dataset, HalfspaceError, Record, Shape, as_printed};
use dp_assay::number::rational::{integer, ratio};
use dp_assay::number::{Grid, Rational};
use dp_assay::privacy::meter::{Cost, judge, meter};
use dp_assay::privacy::{Budget, Published};
use std::sync::Arc;

/// Of the coins of metered runs: what they certify does not depend on the seed of the statistical tests.
const SEED: u64 = 1;

/// Two datasets that differ in one record, and what they are.
struct Pair {
    /// Its number of records and dimension: what all pairs of one family have in common.
    family: String,
    name: String,
    first: Dataset,
    second: Dataset,
}

impl Pair {
    fn new(
        family: impl Into<String>,
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
            family: family.into(),
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
            let family = format!("n = {n}, d = {d}, {against} against");
            Pair::new(family, what, grid, first.clone(), 0, other)
        };
        families.push(replaced.into_iter().map(pair).collect::<Result<_, _>>()?);
    }
    Ok(families)
}

/// `n` random records of norm at most 1 in dimension `d`, labelled by the first coordinate; one of them turned, and one
/// replaced by the origin.
fn large_pairs(grid: Grid, n: usize, d: usize) -> Result<Vec<Pair>, HalfspaceError> {
    let limit = grid.one() / (d.isqrt() as i64 + 1);
    let records = random_records((n, d), limit, &mut ChaCha::reproducible(11, 0))?;
    let family = format!("n = {n}, d = {d}");
    let others = [
        ("a label turned", turned(&records[0])),
        ("the origin instead", record(&vec![0; d], true)),
    ];
    let pair = |(what, other)| Pair::new(&family, what, grid, records.clone(), 0, other);
    others.map(pair).into_iter().collect()
}

/// `rows` rows and two features: the record is (1, -1), which the matrices with rows (1, 1) and (-1, -1) send to 0, or it
/// takes the place of one that no matrix does; two others say + and -.
fn projected_pairs(grid: Grid, rows: usize) -> Result<Vec<Pair>, HalfspaceError> {
    // (1, -1)/sqrt 2, a little shorter.
    let side = grid.one() * 7 / 10;
    let others = [record(&[grid.one(), 0], true), record(&[0, side], false)];
    let sent_to_zero = record(&[side, -side], true);
    let mut pairs = Vec::new();
    for (what, other) in [
        ("the label turned", record(&[side, -side], false)),
        ("a record aside", record(&[side, side], true)),
        ("one that is never sent to 0", record(&[0, -side], true)),
        ("the origin instead", record(&[0, 0], true)),
    ] {
        let mut records = vec![sent_to_zero.clone()];
        records.extend(others.iter().cloned());
        let family = format!("n = 3, d = 2, {rows} rows");
        pairs.push(Pair::new(family, what, grid, records, 0, other)?);
    }
    Ok(pairs)
}

/// Drawn outcomes, and steered ones: far out, `patience` draws in a row in one direction.
fn outcomes(steered: &[(u32, u64)]) -> Vec<(String, Outcomes)> {
    let coins = |stream| ChaCha::reproducible(SEED, stream);
    let drawn = ("as drawn".to_owned(), Outcomes::drawn(coins(1)));
    let far = (1..).zip(steered).map(|(stream, &(stretch, patience))| {
        let outcomes = Outcomes::far_out(coins(stream), stretch).patiently(patience);
        (format!("{stretch} times as far out"), outcomes)
    });
    std::iter::once(drawn).chain(far).collect()
}

/// A learner on pairs of one shape, along drawn and steered outcomes: it keeps its promises, and comes near them unless a
/// reason is given. Each shape is a family, so that a cost in one does not stand for another.
fn near_its_promises<T: Published + Send>(
    check: &mut Check,
    learner: impl Fn(&Dataset, &mut Meter) -> Result<T, HalfspaceError> + Sync,
    claim: &Budget,
    pairs: &[Pair],
    steered: &[(u32, u64)],
    reasons: &[(&str, &str)],
) -> Result<(), Trouble> {
    check.family(&pairs[0].family, reasons, |family| {
        for pair in pairs {
            for (how, outcomes) in outcomes(steered) {
                let instance = format_args!("{}, {how}", pair.name);
                let datasets = (&pair.first, &pair.second);
                family.run(instance, &learner, datasets, outcomes, claim)?;
            }
        }
        Ok(())
    })
}

/// The same in a projection, along drawn outcomes: with an `A` that sends the record to 0, and with one that does not.
fn near_its_promises_projected<T: Published + Send>(
    check: &mut Check,
    learner: impl Fn(&Dataset, &mut Meter) -> Projected<T> + Sync,
    claim: &Budget,
    (pairs, rows): (&[Pair], usize),
    reasons: &[(&str, &str)],
) -> Result<(), Trouble> {
    let mut images = Vec::new();
    check.family(&pairs[0].family, reasons, |family| {
        for sent_to_zero in [true, false] {
            let seed = seed_of_matrix(&pairs[0].first, rows, sent_to_zero)?;
            for pair in pairs {
                let drawn = Outcomes::drawn(ChaCha::reproducible(seed, 3));
                let instance = format!("{}, A of seed {seed}", pair.name);
                let datasets = (&pair.first, &pair.second);
                let ((matrix, _), _) = family.run(&instance, &learner, datasets, drawn, claim)?;
                let image = pair.first.projected(matrix.as_ref())?.swap_remove(0);
                images.push((instance, sent_to_zero, image));
            }
        }
        Ok(())
    })?;
    for (instance, sent_to_zero, image) in images {
        let as_meant = is_zero(&image) == sent_to_zero;
        check.holds(as_meant, format_args!("{instance}: A x = {image:?}"));
    }
    Ok(())
}

/// On the same records in another order nothing is lost.
fn permuted<T: Published + Send>(
    check: &mut Check,
    learner: impl Fn(&Dataset, &mut Meter) -> T + Sync,
    claim: &Budget,
    pair: &Pair,
) -> Result<(), Trouble> {
    let data = &pair.first;
    let reversed: Vec<Record> = data.records().iter().rev().cloned().collect();
    let reversed = Dataset::new(data.grid(), data.dimension(), reversed)?;
    let drawn = Outcomes::drawn(ChaCha::reproducible(SEED, 2));
    let instance = format!("{}: the records reversed", pair.family);
    let report = judge(&lockstep(learner, data, &reversed, drawn), claim)?;
    check.sound(&report, &instance);
    check.holds(report.loss.is_zero(), &instance);
    Ok(())
}

/// The first seed whose matrix of so many rows sends the first record to 0, or does not.
fn seed_of_matrix(data: &Dataset, rows: usize, sent_to_zero: bool) -> Result<u64, Trouble> {
    let mut seed = 1;
    loop {
        let mut coins = ChaCha::reproducible(seed, 3);
        let matrix = SignMatrix::random(rows, data.dimension(), &mut coins)?;
        if is_zero(&matrix.apply(&data.records()[0].features)?) == sent_to_zero {
            return Ok(seed);
        }
        seed += 1;
    }
}

fn is_zero(vector: &[i64]) -> bool {
    vector.iter().all(|&v| v == 0)
}

/// What a learner returns: the matrix, and all of it.
type Projected<T> = Result<(Option<SignMatrix>, T), HalfspaceError>;

/// Why the choice takes less than nine tenths of its promise on most families: only on that of twelve records, eleven of
/// them against the one that changes, is it searched for.
fn of_the_choice(name: &'static str, pair: &Pair) -> Vec<(&'static str, &'static str)> {
    match pair.first.records().len() {
        12 => Vec::new(),
        1000 => vec![(name, "random records, not the worst ones")],
        _ => vec![(
            name,
            "the candidate that the record favours has much weight already; against eleven it has little",
        )],
    }
}

const POINT: &str = "the choice of a point";
const CANDIDATE: &str = "the choice of a candidate";

/// `nuz20.alg2`: Algorithm 2 as shipped.
pub(super) fn algorithm_2(check: &mut Check) -> Result<(), Trouble> {
    let claim = budgets::pure(integer(1))?;
    let half = ratio(1, 2);
    check.certified(
        "learn metered: n = 2, 3 and 12 in one and two dimensions, n = 3 in two dimensions projected to 2 and 3 rows with \
         A x = 0 for some A, n = 1000 in 20 dimensions projected to 3; one record turned, moved or sent to the origin; \
         drawn and steered outcomes; the records reversed",
    );
    let parameters = |n: usize, d: usize, rows: Option<usize>, radius: Rational| {
        PureParameters::from_theorem(&half, &half, claim.epsilon(), &half, n, d)?
            .with_projected_dimension(rows)?
            .with_radius(radius)
    };
    for pairs in small_pairs(Grid::new(4)?)? {
        let shape = pairs[0].first.shape();
        let parameters = parameters(shape.records, shape.dimension, None, ratio(1, 20))?;
        let learner = |data: &Dataset, coins: &mut Meter| pure::learn(data, &parameters, coins);
        let reasons = of_the_choice(POINT, &pairs[0]);
        permuted(check, learner, &claim, &pairs[0])?;
        near_its_promises(check, learner, &claim, &pairs, &[(1, 1)], &reasons)?;
    }
    for rows in [2, 3] {
        let pairs = projected_pairs(Grid::new(4)?, rows)?;
        let parameters = parameters(3, 2, Some(rows), ratio(1, 5))?;
        let learner = |data: &Dataset, coins: &mut Meter| {
            pure::learn(data, &parameters, coins).map(|model| (model.projection.clone(), model))
        };
        let reasons = of_the_choice(POINT, &pairs[0]);
        permuted(check, learner, &claim, &pairs[0])?;
        near_its_promises_projected(check, learner, &claim, (&pairs, rows), &reasons)?;
    }
    let parameters = parameters(1000, 20, Some(3), ratio(1, 5))?;
    let pairs = large_pairs(Grid::new(12)?, 1000, 20)?;
    let learner = |data: &Dataset, coins: &mut Meter| pure::learn(data, &parameters, coins);
    near_its_promises(check, learner, &claim, &pairs, &[(1, 1)], &[])
}

/// A learner that descends and chooses, by its pair and the rows of its projection: projected, in both orders, and at size
/// without a projection.
fn projected_and_at_size<L>(
    check: &mut Check,
    claim: &Budget,
    all_rows: &[usize],
    plan: impl Fn(&Pair, Option<usize>) -> Result<L, HalfspaceError>,
) -> Result<(), Trouble>
where
    L: Fn(&Dataset, &mut Meter) -> Result<EfficientModel, HalfspaceError> + Sync,
{
    for &rows in all_rows {
        let pairs = projected_pairs(Grid::new(8)?, rows)?;
        let learn = plan(&pairs[0], Some(rows))?;
        let learner = |data: &Dataset, coins: &mut Meter| {
            learn(data, coins).map(|model| (model.projection.clone(), model))
        };
        let reasons = of_the_choice(CANDIDATE, &pairs[0]);
        permuted(check, learner, claim, &pairs[0])?;
        near_its_promises_projected(check, learner, claim, (&pairs, rows), &reasons)?;
    }
    let pairs = large_pairs(Grid::new(12)?, 1000, 20)?;
    let learner = plan(&pairs[0], None)?;
    let reasons = of_the_choice(CANDIDATE, &pairs[0]);
    near_its_promises(check, learner, claim, &pairs, &[], &reasons)
}

/// `nuz20.alg3.corrected`: the repaired Algorithm 3 as shipped.
pub(super) fn algorithm_3(check: &mut Check) -> Result<(), Trouble> {
    let claim = budget("1", "1e-6")?;
    let steps = if check.thorough() { 1000 } else { 60 };
    let all_rows: &[usize] = if check.quick() { &[2] } else { &[2, 3] };
    check.certified(format_args!(
        "learn metered: n = 2, 3 and 12 in one and two dimensions with n^2 steps, n = 3 projected to {all_rows:?} rows with A x = 0 \
         for some A, n = 1000 in 20 dimensions with {steps} steps; one record turned, moved or sent to the origin; drawn and \
         steered outcomes; the records reversed",
    ));
    let plan = |pair: &Pair, rows: Option<usize>, steps: Option<u64>| {
        let shape = (pair.first.records().len(), pair.first.dimension());
        let goal = (&ratio(1, 2), &ratio(1, 2));
        let mut parameters =
            EfficientParameters::from_theorem(goal, claim.clone(), &ratio(1, 2), shape)?;
        parameters.projected_dimension = overridden(rows);
        if let Some(steps) = steps {
            parameters.steps = overridden(steps);
        }
        parameters.plan(pair.first.shape())
    };
    for pairs in small_pairs(Grid::new(8)?)? {
        let plan = plan(&pairs[0], None, None)?;
        let learner = |data: &Dataset, coins: &mut Meter| plan.learn(data, coins);
        let reasons = of_the_choice(CANDIDATE, &pairs[0]);
        permuted(check, learner, &claim, &pairs[0])?;
        near_its_promises(check, learner, &claim, &pairs, &[(1000, 1)], &reasons)?;
    }
    projected_and_at_size(check, &claim, all_rows, |pair, rows| {
        let plan = plan(pair, rows, rows.is_none().then_some(steps))?;
        Ok(move |data: &Dataset, coins: &mut Meter| plan.learn(data, coins))
    })
}

/// `nuz20.full-batch`: F' as shipped.
pub(super) fn full_batch(check: &mut Check) -> Result<(), Trouble> {
    let claim = budget("1", "1e-6")?;
    check.certified(
        "learn metered: n = 2, 3 and 12 in one and two dimensions, n = 3 projected to 2 and 3 rows with A x = 0 for some A, \
         n = 1000 in 20 dimensions; one record turned, moved or sent to the origin; drawn and steered outcomes; the records \
         reversed; and one run alone, without a choice, for n = 2, 3 and 12",
    );
    let plan = |pair: &Pair,
                rows: Option<usize>,
                runs: Option<u32>|
     -> Result<FullBatchPlan, HalfspaceError> {
        let shape = (pair.first.records().len(), pair.first.dimension());
        let goal = (&ratio(1, 2), &ratio(1, 2));
        let mut parameters =
            FullBatchParameters::from_theorem(goal, claim.clone(), &ratio(1, 2), shape)?;
        parameters.projected_dimension = overridden(rows);
        if let Some(runs) = runs {
            parameters.runs = overridden(runs);
        }
        parameters.plan(pair.first.shape())
    };
    for pairs in small_pairs(Grid::new(8)?)? {
        for runs in [None, Some(1)] {
            let plan = plan(&pairs[0], None, runs)?;
            let learner = |data: &Dataset, coins: &mut Meter| plan.learn(data, coins);
            let reasons = match runs {
                None => of_the_choice(CANDIDATE, &pairs[0]),
                Some(_) => Vec::new(),
            };
            permuted(check, learner, &claim, &pairs[0])?;
            // Each run goes to one end of the ball; against eleven records such runs are searched for.
            let often = if pairs[0].first.records().len() == 12 {
                8
            } else {
                1
            };
            let ends = vec![(1000, plan.steps()); often];
            near_its_promises(check, learner, &claim, &pairs, &ends, &reasons)?;
        }
    }
    projected_and_at_size(check, &claim, &[2, 3], |pair, rows| {
        let plan = plan(pair, rows, None)?;
        Ok(move |data: &Dataset, coins: &mut Meter| plan.learn(data, coins))
    })
}

/// One run, smoothed over all of its margin, of `steps` steps.
pub(super) fn smoothed_plan(
    (epsilon, delta): (&str, &str),
    (margin, steps): (Rational, Option<u64>),
    shape: Shape,
) -> Result<FullBatchPlan, Trouble> {
    let parameters = FullBatchParameters {
        budget: budget(epsilon, delta)?,
        margin,
        smoothing: integer(1),
        projected_dimension: overridden(None),
        runs: overridden(1),
        steps,
    };
    Ok(parameters.plan(shape)?)
}

/// `nuz20.full-batch.smoothed`: one run of F' as shipped, smoothed over all of its margin.
pub(super) fn smoothed(check: &mut Check) -> Result<(), Trouble> {
    let claim = budget("1", "1e-6")?;
    check.certified(
        "learn metered, one smoothed run: n = 2, 3 and 12 in one and two dimensions; one record turned, moved or sent to the origin; \
         drawn and steered outcomes; the records reversed",
    );
    for pairs in small_pairs(Grid::new(8)?)? {
        let shape = pairs[0].first.shape();
        let plan = smoothed_plan(("1", "1e-6"), (ratio(1, 2), None), shape)?;
        let learner = |data: &Dataset, coins: &mut Meter| plan.learn(data, coins);
        permuted(check, learner, &claim, &pairs[0])?;
        near_its_promises(check, learner, &claim, &pairs, &[(1000, plan.steps())], &[])?;
    }
    Ok(())
}

/// `nuz20.alg3`, `nuz20.alg-F`: Algorithm 3 as printed on the pair of the counterexample, `n` records that say + and one of
/// them turned: the meter's rules do not certify what is claimed. They bound from above, so that this is no counterexample.
/// The stages promise twice the epsilon that is claimed; and there is a transcript in which the choice takes nearly all of
/// epsilon, and all draws together cost more than is claimed.
pub(super) fn algorithm_3_as_printed(
    check: &mut Check,
    n: usize,
    claim: &Budget,
) -> Result<(), Trouble> {
    let grid = Grid::new(3)?;
    let along = vec![record(&[grid.one()], true); n];
    let turned = record(&[grid.one()], false);
    let pair = Pair::new(format!("n = {n}"), "a label turned", grid, along, 0, turned)?;
    // k = 4.
    let goal = (&integer(1), &ratio(1, 4));
    let learner = |data: &Dataset, coins: &mut Meter| {
        as_printed::learn_not_private(data, claim, goal, None, coins)
    };
    let instance = format!("n = {n}, epsilon = {}", claim.epsilon());
    check.certified(format_args!(
        "the printed algorithm metered on S and S', {instance}, runs led to the ends of the ball: the meter's rules do not \
         certify the printed claim"
    ));
    let gradients = (n * n - 1) as u64;
    let mut found = None;
    for seed in 1..=8 {
        let coins = ChaCha::reproducible(seed, 0);
        let outcomes = Outcomes::far_out(coins, 1000).patiently(gradients);
        let report = meter(learner, &pair.first, &pair.second, outcomes, claim)?;
        check.holds(
            report.equal_results,
            format_args!("equal results, seed {seed}"),
        );
        let twice = Cost::Bounded {
            epsilon: claim.epsilon() * integer(2),
            delta: claim.delta().clone(),
        };
        check.holds(
            report.promised == Some(twice),
            format_args!("the stages promise twice epsilon, seed {seed}"),
        );
        let all_of_epsilon = Promise::Pure(claim.epsilon().clone());
        let choice = (report.stages.iter())
            .filter(|stage| stage.stage.whole == all_of_epsilon)
            .find_map(|stage| stage.attained.clone());
        let nearly_all = choice.filter(|taken| *taken > ratio(9, 10));
        if let (Some(taken), true) = (nearly_all, exceeds(&report.cost, claim)) {
            found = Some((taken, report.cost));
            break;
        }
    }
    check.holds(
        found.is_some(),
        format_args!("{instance}: a transcript in which the choice takes most of epsilon and all draws cost more"),
    );
    if let Some((taken, cost)) = found {
        check.attained(
            format_args!("loss of the choice, of all of epsilon, {instance}"),
            &taken,
            &integer(1),
        );
        check.figure(
            format_args!("cost of all draws of the same transcript, at most, {instance}"),
            cost,
        );
    }
    Ok(())
}

/// Whether the meter bounds the cost, and by more than is claimed.
fn exceeds(cost: &Cost, claim: &Budget) -> bool {
    match cost {
        Cost::Unbounded(_) => false,
        Cost::Bounded { epsilon, delta } => epsilon > claim.epsilon() || delta > claim.delta(),
    }
}

/// `nuz20.alg-noisegd`: a run with the printed noise, of the linear loss, on a pair as in the counterexample: the meter's
/// rules do not certify what is claimed.
pub(super) fn noise_as_printed(check: &mut Check, n: u64, claim: &Budget) -> Result<(), Trouble> {
    check.certified(format_args!(
        "Noise-GD with the printed noise metered: n = {n}, epsilon = {}, delta = {}: the meter's rules do not certify it",
        claim.epsilon(),
        claim.delta()
    ));
    let grid = Grid::new(3)?;
    let one = grid.one();
    // Linear on the whole ball: every margin is below 2.
    let hinge = Hinge {
        target: integer(2),
        width: integer(1),
    };
    let noise = as_printed::printed_noise(claim, 1, n, grid)?;
    let points = |first: i64| {
        let mut points = vec![vec![-one]; n as usize];
        points[0] = vec![first];
        Arc::new(points)
    };
    let learner = |points: &Arc<Vec<Vec<i64>>>, coins: &mut Meter| noise.run(points, &hinge, coins);
    let drawn = Outcomes::drawn(ChaCha::reproducible(SEED, 0));
    let report = meter(learner, &points(one), &points(-one), drawn, claim)?;
    check.holds(report.equal_results, "equal results");
    check.holds(
        exceeds(&report.cost, claim),
        "the meter's rules certify the printed claim",
    );
    check.figure("cost of a run, at most, by the meter's rules", report.cost);
    Ok(())
}

/// `nuz20.thm8`: whether Algorithm 3 as printed gives different results for equal draws.
pub(super) fn results_differ(
    first: &Dataset,
    second: &Dataset,
    claim: &Budget,
    rows: usize,
) -> Result<bool, Trouble> {
    let half = ratio(1, 2);
    let learner = |data: &Dataset, coins: &mut Meter| {
        as_printed::learn_not_private(data, claim, (&half, &half), Some(rows), coins)
    };
    let drawn = Outcomes::drawn(ChaCha::reproducible(1, 0));
    Ok(!meter(learner, first, second, drawn, claim)?.equal_results)
}
