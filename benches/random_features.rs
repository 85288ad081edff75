//! The repaired learners at the size of the paper's largest experiment, each as a ratio to its limit.
//!
//! `cargo bench --bench random_features`

use dp_assay::coins::{ChaCha, Coins};
use dp_assay::number::Grid;
use dp_assay::number::rational::{integer, parse, ratio, to_scientific};
use dp_assay::privacy::{Budget, NeighbouringRelation};
use dp_assay::random_features::{
    Dataset, Domain, FeatureMap, Frequencies, Record, ridge_of_bounded_labels,
};
use std::time::Instant;

fn main() {
    if std::env::args().any(|argument| argument == "--test") {
        return;
    }
    let start = Instant::now();
    let (data, map) = (records(1338, 9), map(10_000, 9));
    println!(
        "frequencies and data: {:.2} s",
        start.elapsed().as_secs_f64()
    );
    ridge(&data, &map);
}

/// Prints `seconds` beside `limit`.
fn report(what: &str, seconds: f64, limit: f64) {
    println!(
        "{what}: {seconds:.2} s, {:.2} of the limit of {limit} s",
        seconds / limit
    );
}

fn records(m: usize, dimension: usize) -> Dataset {
    let domain = Domain {
        input_grid: Grid::new(20).expect("a grid"),
        dimension,
        largest_feature: 1 << 20,
        label_grid: Grid::new(20).expect("a grid"),
        largest_label: 1 << 20,
        neighbours: NeighbouringRelation::Substitute,
        records: m,
    };
    let mut coins = ChaCha::reproducible(1, 0);
    let mut uniform = || coins.bits(20).expect("coins") as i64;
    let records = (0..m)
        .map(|_| {
            let features: Vec<i64> = (0..dimension).map(|_| uniform()).collect();
            let label = (features[0] + features[1]) / 2 - (1 << 19);
            Record { features, label }
        })
        .collect();
    Dataset::new(domain, records).expect("records in the domain")
}

fn map(count: usize, dimension: usize) -> FeatureMap {
    let grid = Grid::new(20).expect("a grid");
    let mut coins = ChaCha::reproducible(2, 0);
    let frequencies =
        Frequencies::draw(count, dimension, &integer(2), grid, &mut coins).expect("frequencies");
    FeatureMap::new(frequencies, grid, grid).expect("a map")
}

fn ridge(data: &Dataset, map: &FeatureMap) {
    let relation = NeighbouringRelation::Substitute;
    let budget = Budget::approximate(integer(1), parse("1e-5").expect("a number"), relation)
        .expect("a budget");
    for penalty in [ratio(1, 16), integer(1), integer(64)] {
        let parameters = ridge_of_bounded_labels::Parameters {
            penalty: penalty.clone(),
            coefficient_grid: Grid::new(20).expect("a grid"),
        };
        let start = Instant::now();
        let features = map.matrix(data).expect("features");
        let seconds = start.elapsed().as_secs_f64();
        println!("  the features: {seconds:.2} s");
        let step = Instant::now();
        let fit = ridge_of_bounded_labels::fit(data, &features, &parameters).expect("a fit");
        println!("  the minimum: {:.2} s", step.elapsed().as_secs_f64());
        let step = Instant::now();
        fit.release(&budget, &mut ChaCha::reproducible(3, 0))
            .expect("a model");
        println!("  the noise: {:.2} s", step.elapsed().as_secs_f64());
        report(
            &format!(
                "R3 end to end, N = 10,000, m = 1,338, Lambda = {penalty}, sensitivity {}",
                to_scientific(&fit.sensitivity, 5)
            ),
            start.elapsed().as_secs_f64(),
            30.0,
        );
    }
}
