//! What we promised, and what it takes: each line is one run, as a ratio to its stated limit.
//!
//! `cargo bench --bench halfspaces`

use dp_assay::coins::{ChaCha, Coins};
use dp_assay::geometry::{CoverKind, LatticeCover, SignMatrix};
use dp_assay::halfspaces::{Dataset, Record, pure};
use dp_assay::number::Grid;
use dp_assay::number::rational::{integer, ratio};
use dp_assay::sample::{DiscreteGaussian, DiscreteLaplace};
use dp_assay::stats::{TwoSample, clopper_pearson};
use std::time::Instant;

fn main() {
    if std::env::args().any(|argument| argument == "--test") {
        return;
    }
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
