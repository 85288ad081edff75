//! What we promised, and what it takes: each line is one run, as a ratio to its stated limit.
//!
//! `cargo bench --bench margin`. Memory is the most that the process has had so far, records included (Linux only): what
//! takes least runs first.

use dp_assay::coins::{ChaCha, Coins};
use dp_assay::geometry::{Record, ShiftInvariantKernel};
use dp_assay::margin::efficient::EfficientParameters;
use dp_assay::margin::erm::Accounting;
use dp_assay::margin::kernel::KernelParameters;
use dp_assay::margin::map::{Map, MapKind};
use dp_assay::margin::pure::{self, PureParameters};
use dp_assay::margin::{Dataset, Domain, Margin};
use dp_assay::number::Grid;
use dp_assay::number::chosen::overridden;
use dp_assay::number::rational::{integer, ratio};
use dp_assay::privacy::{Budget, NeighbouringRelation};
use std::time::Instant;

fn main() {
    if std::env::args().any(|argument| argument == "--test") {
        return;
    }
    cover(&records(1000, 10, 20));
    let data = records(10_000, 4096, 16);
    for (what, kind) in [
        ("without a projection", MapKind::Identity),
        ("random signs", MapKind::Signs),
        ("fast map", MapKind::Hadamard),
    ] {
        efficient(&data, what, kind, None);
    }
    // As many rows as the fast map may have, so that it is compared with random signs.
    for (what, map) in [
        ("random signs", Map::Signs(1000)),
        ("fast map", Map::Hadamard(1000)),
        (
            "two-stage map",
            Map::TwoStage {
                first: 4000,
                last: 1000,
            },
        ),
    ] {
        efficient(&data, what, MapKind::Identity, Some(map));
    }
    drop(data);
    kernel(&records(1000, 10, 16));
}

/// `m` records of norm at most 1 in dimension `d`, on a grid of `2^-bits`.
fn records(m: usize, d: usize, bits: u32) -> Dataset {
    let grid = Grid::new(bits).expect("a grid");
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

/// `epsilon = 1`, `delta = 1e-6`.
fn budget() -> Budget {
    let substitute = NeighbouringRelation::Substitute;
    Budget::approximate(integer(1), ratio(1, 1_000_000), substitute).expect("a budget")
}

/// The most memory that this process has had, in MB; 0 where the system does not say.
fn megabytes() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.split_whitespace().next()?.parse::<f64>().ok());
    kilobytes.unwrap_or_default() * 1024.0 / 1e6
}

/// Algorithm 1 on a cover of 10^8 points: the smallest of that size among the radii of a hundredth.
fn cover(data: &Dataset) {
    let limit = 60.0;
    let of_radius = |hundredths| {
        PureParameters::new(integer(1), Some(5), ratio(hundredths, 100)).expect("parameters")
    };
    let d = data.domain().dimension();
    let points = |parameters: &PureParameters| parameters.points(d).unwrap_or(u128::MAX);
    let large = |parameters: &PureParameters| points(parameters) >= 100_000_000;
    let parameters = (1..=100).rev().map(of_radius).find(large);
    let parameters = parameters.expect("a radius");
    let start = Instant::now();
    pure::learn(data, &parameters, &mut ChaCha::reproducible(2, 0)).expect("a model");
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "Algorithm 1, {} records, a cover of {} points in 5 dimensions: {seconds:.2} s, {:.2} of the limit of {limit} s; at \
         most {:.0} MB, the limit is 200",
        data.records().len(),
        points(&parameters),
        seconds / limit,
        megabytes()
    );
}

/// Algorithm 2 at beta = 1/20, margin 1/4, the calibration of its noise included; with the theorem's map of a kind, or one
/// of our own.
fn efficient(data: &Dataset, what: &str, kind: MapKind, map: Option<Map>) {
    let (limit, beta) = (60.0, ratio(1, 20));
    let shape = (data.records().len(), data.domain().dimension());
    let margin = Margin::new(integer(1), integer(1), ratio(1, 4)).expect("a margin");
    let start = Instant::now();
    let mixture = Accounting::Mixture;
    let parameters =
        EfficientParameters::from_theorem_for(kind, &beta, budget(), margin, mixture, shape);
    let mut parameters = parameters.expect("parameters");
    if let Some(map) = map {
        parameters.map = overridden(map);
    }
    let plan = parameters.plan(data.domain(), shape.0).expect("a plan");
    let planned = start.elapsed().as_secs_f64();
    plan.learn(data, &mut ChaCha::reproducible(2, 0))
        .expect("a model");
    let seconds = start.elapsed().as_secs_f64();
    let k = plan.erm().phases().dimension();
    println!(
        "Algorithm 2, m = {}, d = {}, {what} (k = {k}): {seconds:.2} s, {planned:.2} of them for the noise; {:.2} of the limit \
         of {limit} s",
        shape.0,
        shape.1,
        seconds / limit
    );
}

/// Algorithm 3 with the theorem's frequencies for the Gaussian kernel, margin 1/4, beta = 1/20.
fn kernel(data: &Dataset) {
    let gaussian = ShiftInvariantKernel::Gaussian {
        variance: integer(1),
    };
    let m = data.records().len();
    let (norms, mixture) = ((integer(1), ratio(1, 4)), Accounting::Mixture);
    let parameters =
        KernelParameters::fourier(gaussian, &ratio(1, 20), budget(), norms, mixture, m);
    let parameters = parameters.expect("parameters");
    let start = Instant::now();
    let plan = parameters.plan(data.domain(), m).expect("a plan");
    plan.learn(data, &mut ChaCha::reproducible(2, 0))
        .expect("a model");
    println!(
        "Algorithm 3, m = {m}, {:?}: {:.1} s; at most {:.0} MB so far, the limit is 2000",
        parameters.features,
        start.elapsed().as_secs_f64(),
        megabytes()
    );
}
