//! What we promised, and what it takes: each line is one run, as a ratio to its stated limit.
//!
//! `cargo bench --bench margin`

use dp_assay::coins::{ChaCha, Coins};
use dp_assay::geometry::Record;
use dp_assay::margin::efficient::{Accounting, EfficientParameters, Map};
use dp_assay::margin::{Dataset, Domain, Margin};
use dp_assay::number::Grid;
use dp_assay::number::chosen::overridden;
use dp_assay::number::rational::ratio;
use dp_assay::privacy::{Budget, NeighbouringRelation};
use std::time::Instant;

fn main() {
    if std::env::args().any(|argument| argument == "--test") {
        return;
    }
    let data = records(10_000, 4096);
    for (what, map) in [
        ("without a projection", Some(Map::Identity)),
        ("projected as Theorem 3.2 asks", None),
    ] {
        efficient(&data, what, map);
    }
}

/// `m` records of norm at most 1 in dimension `d`, on a grid of 2^-20.
fn records(m: usize, d: usize) -> Dataset {
    let grid = Grid::new(20).expect("a grid of 20 bits");
    let mut coins = ChaCha::reproducible(1, 0);
    let most = grid.one() as u64 / (d.isqrt() as u64 + 1);
    let records = (0..m).map(|_| {
        let features: Vec<i64> = (0..d)
            .map(|_| (coins.bits(30).expect("coins") % (2 * most + 1)) as i64 - most as i64)
            .collect();
        Record {
            positive: features[0] > 0,
            features,
        }
    });
    let domain = Domain::unit_ball(grid, d).expect("a domain");
    Dataset::new(domain, records.collect()).expect("records in the ball")
}

/// Algorithm 2 at epsilon = 1, delta = 1e-6, beta = 1/20, margin 1/4, the calibration of its noise included.
fn efficient(data: &Dataset, what: &str, map: Option<Map>) {
    let (m, d) = (data.records().len(), data.domain().dimension());
    let budget = Budget::approximate(
        ratio(1, 1),
        ratio(1, 1_000_000),
        NeighbouringRelation::Substitute,
    );
    let margin = Margin::new(ratio(1, 1), ratio(1, 1), ratio(1, 4)).expect("a margin");
    let start = Instant::now();
    let mut parameters = EfficientParameters::from_theorem(
        &ratio(1, 20),
        budget.expect("a budget"),
        margin,
        Accounting::Mixture,
        (m, d),
    )
    .expect("parameters");
    if let Some(map) = map {
        parameters.map = overridden(map);
    }
    let plan = parameters.plan(data.domain(), m).expect("a plan");
    let planned = start.elapsed().as_secs_f64();
    let mut coins = ChaCha::reproducible(2, 0);
    plan.learn(data, &mut coins).expect("a model");
    let seconds = start.elapsed().as_secs_f64();
    let k = plan.erm().phases().dimension();
    println!(
        "Algorithm 2, m = {m}, d = {d}, {what} (k = {k}): {seconds:.2} s, {planned:.2} of them for the noise; {:.2} of the limit of 60 s",
        seconds / 60.0
    );
}
