//! What we promised, and what it takes: each line is one run, as a ratio to its stated limit.
//!
//! `cargo bench --bench halfspaces`; `-- metering` for what it costs to meter the learners, alone, and `-- descent` for
//! Noise-GD, alone.

use dp_assay::coins::{ChaCha, Coins, Meter, Outcomes};
use dp_assay::geometry::{CoverKind, LatticeCover, SignMatrix};
use dp_assay::halfspaces::efficient::EfficientParameters;
use dp_assay::halfspaces::full_batch::FullBatchParameters;
use dp_assay::halfspaces::pure::PureParameters;
use dp_assay::halfspaces::steps::overridden;
use dp_assay::halfspaces::{Dataset, Record, pure};
use dp_assay::number::Grid;
use dp_assay::number::rational::{integer, ratio};
use dp_assay::privacy::meter::meter;
use dp_assay::privacy::{Budget, NeighbouringRelation, Published};
use dp_assay::sample::{DiscreteGaussian, DiscreteLaplace};
use dp_assay::stats::{TwoSample, clopper_pearson};
use std::time::Instant;

fn main() {
    if std::env::args().any(|argument| argument == "--test") {
        return;
    }
    if std::env::args().any(|argument| argument == "descent") {
        descent();
        return;
    }
    metering();
    if std::env::args().any(|argument| argument == "metering") {
        return;
    }
    descent();
    cover(
        "10^7 cover points, 1,000 records, long lines (m = 4)",
        4,
        (3, 100),
        20.0,
    );
    cover(
        "10^7 cover points, 1,000 records, short lines (m = 10)",
        10,
        (3, 5),
        20.0,
    );
    projection();
    samplers();
    bounds();
}

/// Prints `seconds` beside `limit`.
fn report(what: &str, seconds: f64, limit: f64) {
    println!(
        "{what}: {seconds:.2} s, {:.2} of the limit of {limit} s",
        seconds / limit
    );
}

fn records(n: usize, dimension: usize) -> Dataset {
    let grid = Grid::new(20).expect("a grid of 20 bits");
    let mut coins = ChaCha::reproducible(1, 0);
    let most = grid.one() / (dimension as i64 + 1);
    let records = (0..n)
        .map(|_| Record {
            features: (0..dimension)
                .map(|_| coins.bits(20).expect("coins") as i64 % most)
                .collect(),
            positive: coins.bits(1).expect("coins") == 1,
        })
        .collect();
    Dataset::new(grid, dimension, records).expect("records in the ball")
}

/// The learners metered where one record is turned round.
fn metering() {
    for (n, d, limit) in [(1000, 20, 5.0), (30, 2, 10.0)] {
        let first = records(n, d);
        let mut others = first.records().to_vec();
        others[0].positive = !others[0].positive;
        let second = Dataset::new(first.grid(), d, others).expect("records in the ball");
        let (pair, sizes) = ([first, second], format!("n = {n}, d = {d}"));
        let (tenth, gamma) = (ratio(1, 10), ratio(3, 5));

        let claim = Budget::pure(integer(1), NeighbouringRelation::Substitute).expect("a budget");
        let parameters = PureParameters::from_theorem(&tenth, &tenth, &integer(1), &gamma, n, d)
            .and_then(|parameters| parameters.with_projected_dimension((d > 4).then_some(4)))
            .and_then(|parameters| parameters.with_radius(ratio(1, 4)))
            .expect("parameters");
        beside_plain(
            &format!("Algorithm 2, {sizes}"),
            limit,
            &pair,
            &claim,
            |data, coins| pure::learn(data, &parameters, coins),
            |data, coins| pure::learn(data, &parameters, coins),
        );

        let claim = Budget::approximate(
            integer(1),
            ratio(1, 1_000_000),
            NeighbouringRelation::Substitute,
        )
        .expect("a budget");
        let goal = (&tenth, &tenth);
        let mut parameters = FullBatchParameters::from_theorem(goal, claim.clone(), &gamma, (n, d))
            .expect("parameters");
        parameters.projected_dimension = overridden(None);
        let plan = parameters.plan(pair[0].shape()).expect("a plan");
        beside_plain(
            &format!("F', {} steps, {sizes}", plan.steps()),
            limit,
            &pair,
            &claim,
            |data, coins| parameters.plan(data.shape())?.learn(data, coins),
            |data, coins| parameters.plan(data.shape())?.learn(data, coins),
        );

        let mut parameters = EfficientParameters::from_theorem(goal, claim.clone(), &gamma, (n, d))
            .expect("parameters");
        parameters.projected_dimension = overridden(None);
        parameters.runs = overridden(2);
        parameters.steps = overridden(3000);
        beside_plain(
            &format!("Algorithm 3, 6,000 steps, {sizes}"),
            limit,
            &pair,
            &claim,
            |data, coins| parameters.plan(data.shape())?.learn(data, coins),
            |data, coins| parameters.plan(data.shape())?.learn(data, coins),
        );
    }
}

/// Prints the time of a metered run, judged, beside that of a plain run on each dataset: all in one run, the best of
/// three each. The runs of the meter are two threads.
fn beside_plain<T: Published + Send>(
    what: &str,
    limit: f64,
    pair: &[Dataset; 2],
    claim: &Budget,
    plain: impl Fn(&Dataset, &mut ChaCha) -> T,
    metered: impl Fn(&Dataset, &mut Meter) -> T + Sync,
) {
    let (mut twice, mut together) = (f64::MAX, f64::MAX);
    for _ in 0..3 {
        let start = Instant::now();
        for data in pair {
            plain(data, &mut ChaCha::reproducible(5, 0));
        }
        twice = twice.min(start.elapsed().as_secs_f64());
        let start = Instant::now();
        let outcomes = Outcomes::drawn(ChaCha::reproducible(5, 0));
        let found = meter(&metered, &pair[0], &pair[1], outcomes, claim).expect("a report");
        together = together.min(start.elapsed().as_secs_f64());
        assert!(found.is_sound(), "{what}: {found}");
    }
    println!(
        "metering {what}: {together:.3} s, {:.2} times two plain runs (limit: {limit})",
        together / twice
    );
}

fn cover(what: &str, dimension: usize, radius: (i64, i64), limit: f64) {
    let data = records(1000, dimension);
    let radius = ratio(radius.0, radius.1);
    let points = LatticeCover::rounding(dimension, &radius)
        .and_then(|cover| cover.count_at_most(u128::MAX))
        .expect("a cover");
    let parameters = pure::PureParameters::from_theorem(
        &ratio(1, 10),
        &ratio(1, 10),
        &integer(1),
        &ratio(9, 10),
        1000,
        dimension,
    )
    .and_then(|parameters| parameters.with_radius(radius))
    .expect("parameters")
    .with_cover_kind(CoverKind::Rounding);
    let start = Instant::now();
    pure::learn(&data, &parameters, &mut ChaCha::reproducible(2, 0)).expect("a model");
    report(
        &format!("{what}, {points} points, scored twice"),
        start.elapsed().as_secs_f64(),
        limit,
    );
}

/// Noise-GD of Algorithm 3 on 1,000 records of dimension 64, with the noise of its n^2 = 10^6 steps: 6.4 10^7 draws.
fn descent() {
    let (n, d, steps) = (1000, 64, 1_000_000);
    let data = records(n, d);
    let claim = Budget::approximate(
        integer(1),
        ratio(1, 1_000_000),
        NeighbouringRelation::Substitute,
    )
    .expect("a budget");
    let goal = (&ratio(1, 10), &ratio(1, 10));
    let mut parameters =
        EfficientParameters::from_theorem(goal, claim, &ratio(3, 5), (n, d)).expect("parameters");
    parameters.projected_dimension = overridden(None);
    parameters.runs = overridden(1);
    parameters.steps = overridden(steps);
    let plan = parameters.plan(data.shape()).expect("a plan");
    let start = Instant::now();
    plan.learn(&data, &mut ChaCha::reproducible(5, 0))
        .expect("a model");
    report(
        "Noise-GD, n = 1,000, d = 64, 10^6 steps",
        start.elapsed().as_secs_f64(),
        10.0,
    );
}

fn projection() {
    let data = records(10_000, 1000);
    let matrix = SignMatrix::random(100, 1000, &mut ChaCha::reproducible(3, 0)).expect("a matrix");
    let start = Instant::now();
    data.projected(Some(&matrix)).expect("a projection");
    report(
        "10,000 records from dimension 1,000 to 100",
        start.elapsed().as_secs_f64(),
        5.0,
    );
}

/// Draws a second, beside the plain bit source: the reference samplers are not fast, and say how slow.
fn samplers() {
    let mut coins = ChaCha::reproducible(4, 0);
    let n = 20_000;
    let laplace = DiscreteLaplace::new(integer(1000)).expect("a scale");
    let start = Instant::now();
    for _ in 0..n {
        coins.draw(&laplace).expect("a draw");
    }
    report(
        "20,000 discrete Laplace draws of scale 1,000",
        start.elapsed().as_secs_f64(),
        2.0,
    );
    let gaussian = DiscreteGaussian::new(integer(1_000_000)).expect("a variance");
    let start = Instant::now();
    for _ in 0..n {
        coins.draw(&gaussian).expect("a draw");
    }
    report(
        "20,000 discrete Gaussian draws of sigma 1,000",
        start.elapsed().as_secs_f64(),
        4.0,
    );
}

/// The certified bounds at the most calls that are audited as a rule, and beyond.
fn bounds() {
    let start = Instant::now();
    clopper_pearson::lower(10_000_000, 3_000_000, &ratio(1, 1_000_000)).expect("a bound");
    report(
        "Clopper-Pearson of 10^7 trials",
        start.elapsed().as_secs_f64(),
        5.0,
    );
    let test = TwoSample::new(1_000_000, 1_000_000, &ratio(1, 20)).expect("a test");
    for (x, y) in [(500_000, 183_940), (20_000, 7_358), (500_000, 1_239)] {
        let start = Instant::now();
        test.epsilon_lower(x, y, &integer(0)).expect("a bound");
        report(
            &format!("the exact bound of {x} and {y} of 10^6 each"),
            start.elapsed().as_secs_f64(),
            10.0,
        );
    }
}
