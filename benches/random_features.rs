//! The repaired learners at the size of the paper's largest experiment, each as a ratio to its limit.
//!
//! `cargo bench --bench random_features`; `-- metering` for what it costs to meter the learners, alone.

use dp_assay::coins::{ChaCha, Coins, Meter, Outcomes};
use dp_assay::geometry::{FeatureMap, Frequencies};
use dp_assay::number::Grid;
use dp_assay::number::rational::{integer, parse, ratio, to_scientific};
use dp_assay::optimise::{kaczmarz::clipped_pass, minimum_norm};
use dp_assay::privacy::meter::meter;
use dp_assay::privacy::{Budget, NeighbouringRelation};
use dp_assay::random_features::steps::RidgeParameters;
use dp_assay::random_features::{
    Dataset, Domain, Model, RandomFeatureError, Record, clipped_gradient_descent,
    clipped_interpolation, clipped_kaczmarz, noisy_statistics, ridge_of_bounded_labels,
    ridge_of_normed_labels,
};
use nalgebra::{DMatrix, DVector};
use std::time::Instant;

fn main() {
    if std::env::args().any(|argument| argument == "--test") {
        return;
    }
    metering();
    if std::env::args().any(|argument| argument == "metering") {
        return;
    }
    let start = Instant::now();
    let (data, map) = (records(1338, 9), map(10_000, 9));
    println!(
        "frequencies and data: {:.2} s",
        start.elapsed().as_secs_f64()
    );
    ridge(&data, &map);
    pass(&data, &map);
    interpolation(&data, &map);
    descent(&data);
    statistics(&data);
}

/// Prints `seconds` beside `limit`.
fn report(what: &str, seconds: f64, limit: f64) {
    println!(
        "{what}: {seconds:.3} s, {:.2} of the limit of {limit:.3} s",
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

/// A learner, beside plain runs of it: it is written once for two kinds of coins.
macro_rules! beside_plain {
    ($what:expr, $limit:expr, $pair:expr, $claim:expr, |$data:ident, $coins:ident| $learn:expr) => {
        time_beside_plain(
            &$what,
            $limit,
            $pair,
            $claim,
            |$data, $coins| $learn,
            |$data, $coins| $learn,
        )
    };
}
/// The learners metered where one record has the opposite label.
fn metering() {
    let relation = NeighbouringRelation::Substitute;
    let claim = Budget::approximate(integer(1), parse("1e-5").expect("a number"), relation)
        .expect("a budget");
    for (m, frequencies, limit) in [(1000, 500, 5.0), (30, 20, 10.0)] {
        let (first, map) = (records(m, 9), map(frequencies, 9));
        let mut others = first.records().to_vec();
        others[0].label = -others[0].label;
        let second = Dataset::new(*first.domain(), others).expect("records in the domain");
        let (pair, sizes) = ([first, second], format!("m = {m}, N = {frequencies}"));
        let coefficient_grid = Grid::new(24).expect("a grid");

        let parameters = clipped_interpolation::Parameters {
            eta: ratio(3, 8),
            coefficient_grid,
        };
        beside_plain!(
            format!("R1, {sizes}"),
            limit,
            &pair,
            &claim,
            |data, coins| { clipped_interpolation::learn(data, &map, &parameters, &claim, coins) }
        );
        let parameters = RidgeParameters {
            penalty: integer(m as u64 / 8),
            coefficient_grid,
        };
        beside_plain!(
            format!("R2, {sizes}"),
            limit,
            &of_norm_one(&pair),
            &claim,
            |data, coins| { ridge_of_normed_labels::learn(data, &map, &parameters, &claim, coins) }
        );
        beside_plain!(
            format!("R3, {sizes}"),
            limit,
            &pair,
            &claim,
            |data, coins| {
                ridge_of_bounded_labels::learn(data, &map, &parameters, &claim, coins)
            }
        );
        let parameters =
            clipped_kaczmarz::Parameters::suggested(pair[0].domain(), &claim).expect("parameters");
        beside_plain!(
            format!("R4, {sizes}"),
            limit,
            &pair,
            &claim,
            |data, coins| { clipped_kaczmarz::learn(data, &map, &parameters, &claim, coins) }
        );
        // Of so many features a Gram matrix would be large.
        let (columns, _) = linear(&pair[0]);
        let parameters = noisy_statistics::Parameters::suggested().expect("parameters");
        beside_plain!(
            format!("R5, m = {m}, columns"),
            limit,
            &pair,
            &claim,
            |data, coins| { noisy_statistics::learn(data, &columns, &parameters, &claim, coins) }
        );
        let mut parameters =
            clipped_gradient_descent::Parameters::suggested(pair[0].domain(), &claim)
                .expect("parameters");
        parameters.steps = parameters.steps.min(50);
        let what = format!("R6, {} steps, {sizes}", parameters.steps);
        beside_plain!(what, limit, &pair, &claim, |data, coins| {
            clipped_gradient_descent::learn(data, &map, &parameters, &claim, coins)
        });
    }
}

/// The same with labels of norm at most 1.
fn of_norm_one(pair: &[Dataset; 2]) -> [Dataset; 2] {
    pair.each_ref().map(|data| {
        let most = data.records().len().isqrt() as i64 + 1;
        let records = data.records().iter().cloned().map(|mut record| {
            record.label /= most;
            record
        });
        Dataset::new(*data.domain(), records.collect()).expect("records in the domain")
    })
}

/// Prints the time of a metered run, judged, beside that of a plain run on each dataset: all in one run, the best of
/// three each. The runs of the meter are two threads.
fn time_beside_plain(
    what: &str,
    limit: f64,
    pair: &[Dataset; 2],
    claim: &Budget,
    plain: impl Fn(&Dataset, &mut ChaCha) -> Result<Model, RandomFeatureError>,
    metered: impl Fn(&Dataset, &mut Meter) -> Result<Model, RandomFeatureError> + Sync,
) {
    let (mut twice, mut together) = (f64::MAX, f64::MAX);
    for _ in 0..3 {
        let start = Instant::now();
        for data in pair {
            plain(data, &mut ChaCha::reproducible(5, 0)).expect("a model");
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

fn ridge(data: &Dataset, map: &FeatureMap) {
    let relation = NeighbouringRelation::Substitute;
    let budget = Budget::approximate(integer(1), parse("1e-5").expect("a number"), relation)
        .expect("a budget");
    for penalty in [ratio(1, 16), integer(1), integer(64)] {
        let parameters = RidgeParameters {
            penalty: penalty.clone(),
            coefficient_grid: Grid::new(20).expect("a grid"),
        };
        let start = Instant::now();
        let features = data.features(map).expect("features");
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

/// One pass of Kaczmarz's method beside two passes over the matrix in the same arithmetic, `Phi c` and
/// `Phi^T r`: all in one run, the best of five each.
fn pass(data: &Dataset, map: &FeatureMap) {
    let features = data.features(map).expect("features");
    let labels = data.labels();
    let grid = Grid::new(30).expect("a grid");
    let order: Vec<usize> = (0..labels.len()).collect();
    let (mut passes, mut twice) = (f64::MAX, f64::MAX);
    for _ in 0..5 {
        let start = Instant::now();
        let label_grid = data.domain().label_grid;
        let c = clipped_pass(&features, &labels, label_grid, &order, &integer(1), grid)
            .expect("a pass");
        passes = passes.min(start.elapsed().as_secs_f64());
        let start = Instant::now();
        let residual = features.times(&c);
        let gradient = features.transposed_times(&residual);
        twice = twice.min(start.elapsed().as_secs_f64());
        assert_eq!(gradient.len(), c.len());
    }
    report(
        "R4's pass, N = 10,000, m = 1,338 (limit: two passes over the matrix)",
        passes,
        twice,
    );
}

/// Linear features of the data, and the same in floats: one column a record.
fn linear(data: &Dataset) -> (FeatureMap, DMatrix<f64>) {
    // Finer than the labels, for R5's weight of them.
    let (inputs, grid) = (data.domain().input_grid, Grid::new(24).expect("a grid"));
    let map = FeatureMap::linear(data.domain().dimension, inputs, grid).expect("a map");
    let features = data.features(&map).expect("features");
    let one = grid.one() as f64;
    let entries = features
        .iter()
        .flatten()
        .map(|&entry| f64::from(entry) / one);
    let floats = DMatrix::from_iterator(features.columns(), features.rows(), entries);
    (map, floats)
}

/// Normal draws in floats (Box, Muller 1958).
fn normals(count: usize, coins: &mut ChaCha) -> DVector<f64> {
    let mut uniform = || coins.bits(53).expect("coins") as f64 / (1u64 << 53) as f64;
    let draws = (0..count).map(|_| {
        (-2.0 * (1.0 - uniform()).ln()).sqrt() * (std::f64::consts::TAU * uniform()).cos()
    });
    DVector::from_iterator(count, draws)
}

/// R6 beside the same descent in floats, with floating-point noise and nothing certified; the best of three each.
fn descent(data: &Dataset) {
    let relation = NeighbouringRelation::Substitute;
    let budget = Budget::approximate(integer(1), parse("1e-5").expect("a number"), relation)
        .expect("a budget");
    let (map, floats) = linear(data);
    let parameters = clipped_gradient_descent::Parameters::suggested(data.domain(), &budget)
        .expect("parameters");
    let start = Instant::now();
    let noise =
        clipped_gradient_descent::noise(data.domain(), &map, &parameters, &budget).expect("noise");
    println!(
        "R6's noise, certified: {:.3} s",
        start.elapsed().as_secs_f64()
    );
    let labels: Vec<f64> = data
        .labels()
        .iter()
        .map(|&y| y as f64 / (1 << 20) as f64)
        .collect();
    let labels = DVector::from_vec(labels);
    let (mut ours, mut theirs) = (f64::MAX, f64::MAX);
    for _ in 0..3 {
        let start = Instant::now();
        let mut coins = ChaCha::reproducible(4, 0);
        clipped_gradient_descent::learn_with(
            data,
            &map,
            &parameters,
            (&noise, &budget),
            &mut coins,
        )
        .expect("a model");
        ours = ours.min(start.elapsed().as_secs_f64());
        let start = Instant::now();
        let mut coins = ChaCha::reproducible(4, 0);
        let mut c = DVector::zeros(floats.nrows());
        for _ in 0..parameters.steps {
            let residuals = (&labels - floats.tr_mul(&c)).map(|r| r.clamp(-0.25, 0.25));
            let step = &floats * residuals + normals(c.len(), &mut coins);
            c += step / labels.len() as f64;
        }
        theirs = theirs.min(start.elapsed().as_secs_f64());
        assert_eq!(c.len(), map.dimension());
    }
    let what = format!(
        "R6, {} steps, linear features, m = 1,338 (limit: ten times the same in floats)",
        parameters.steps
    );
    report(&what, ours, 10.0 * theirs);
}

/// R5 beside the same statistics in floats, with floating-point noise and nothing certified; the best of three each.
fn statistics(data: &Dataset) {
    let relation = NeighbouringRelation::Substitute;
    let budget = Budget::approximate(integer(1), parse("1e-5").expect("a number"), relation)
        .expect("a budget");
    let (map, floats) = linear(data);
    let parameters = noisy_statistics::Parameters {
        label_weight: ratio(7, 10),
        penalty: integer(1),
        coefficient_grid: Grid::new(24).expect("a grid"),
    };
    let shape = noisy_statistics::Shape::new(data.domain(), &map, &parameters.label_weight)
        .expect("a shape");
    let start = Instant::now();
    let noise = noisy_statistics::noise(&shape, &budget).expect("noise");
    println!(
        "R5's noise, certified: {:.3} s",
        start.elapsed().as_secs_f64()
    );
    let labels: Vec<f64> = data
        .labels()
        .iter()
        .map(|&y| y as f64 / (1 << 20) as f64)
        .collect();
    let labels = DVector::from_vec(labels);
    let (mut ours, mut theirs) = (f64::MAX, f64::MAX);
    for _ in 0..3 {
        let start = Instant::now();
        let mut coins = ChaCha::reproducible(5, 0);
        noisy_statistics::learn_with(data, &map, &parameters, (&noise, &budget), &mut coins)
            .expect("a model");
        ours = ours.min(start.elapsed().as_secs_f64());
        let start = Instant::now();
        let mut coins = ChaCha::reproducible(5, 0);
        let d = floats.nrows();
        let noise = DMatrix::from_column_slice(d, d, normals(d * d, &mut coins).as_slice());
        let gram = &floats * floats.transpose() + noise + DMatrix::identity(d, d) * 20.0;
        let right = &floats * &labels + normals(d, &mut coins);
        let c = gram.symmetric_eigen().eigenvectors.tr_mul(&right);
        theirs = theirs.min(start.elapsed().as_secs_f64());
        assert_eq!(c.len(), map.dimension());
    }
    report(
        "R5, linear features, m = 1,338 (limit: ten times the same in floats)",
        ours,
        10.0 * theirs,
    );
}

/// Interpolation with a certified gap; no limit was promised.
fn interpolation(data: &Dataset, map: &FeatureMap) {
    let features = data.features(map).expect("features");
    let start = Instant::now();
    let label_grid = data.domain().label_grid;
    let tolerance = parse("1e-3").expect("a number");
    let found = minimum_norm::solve(&features, &data.labels(), label_grid, &tolerance);
    println!(
        "interpolation of minimum norm: {:.2} s, {}",
        start.elapsed().as_secs_f64(),
        found.map_or_else(
            |error| error.to_string(),
            |found| format!("gap {}", to_scientific(&found.gap, 3))
        )
    );
}
