//! What the release of two million coefficients takes, as a ratio to its stated limit; and what the certified solver takes, as
//! a ratio to scikit-learn's LIBSVM on the same records in the same run.
//!
//! `PEER_PYTHON=... cargo bench --bench kernels`, with a Python that has scikit-learn; without it only our own times.

use dp_assay::coins::{ChaCha, Coins};
use dp_assay::geometry::{Domain, Point};
use dp_assay::kernels::{Dataset, Kernel, Predictor, Problem, Record, coefficients, fit};
use dp_assay::number::rational::{integer, ratio, to_f64_for_display};
use dp_assay::number::{Grid, Rational};
use dp_assay::optimise::erm::Loss;
use dp_assay::privacy::{Budget, NeighbouringRelation};
use std::io::Write;
use std::process::{Command, Stdio};
use std::time::Instant;

/// The relative gap that we are to reach, and the most of the peer's time, which stops where it usually does.
const RELATIVE_GAP: f64 = 1e-6;
const LIMIT: f64 = 3.0;

const GRID_BITS: u32 = 12;
const DIMENSION: usize = 10;

/// Times of our own may be slow in a shared machine: the best of so many.
const REPETITIONS: usize = 2;

fn main() {
    if std::env::args().any(|argument| argument == "--test") {
        return;
    }
    sparse(20_000, 2_000_000, 40);
    let squared_width = ratio(1, 4);
    for n in [1000, 10_000] {
        let records = records(n);
        for penalty in [ratio(1, 100), ratio(1, 1000)] {
            compare(&records, &squared_width, &penalty);
        }
    }
}

/// The coefficients of `n` records of dimension `d`, all but `count` coordinates of each 0. Memory is the most that the
/// process has had so far, records included (Linux only), so that this runs first.
fn sparse(n: u64, d: u32, count: u32) {
    let (limit, most) = (600.0, 4000.0);
    let grid = Grid::new(GRID_BITS).expect("a coarse grid");
    let domain = Domain::unit_ball(grid, d as usize).expect("a unit ball");
    let mut coins = ChaCha::reproducible(1, 0);
    // One coordinate in each of `count` equal parts; the length is at most 1.
    let (part, steps) = (
        d / count,
        (grid.one() as f64 / f64::from(count).sqrt()) as i32,
    );
    let records = (0..n).map(|_| {
        let mut place = |k| k * part + (coins.bits(32).expect("coins") % u64::from(part)) as u32;
        let coordinates: Vec<_> = (0..count).map(|k| (place(k), steps)).collect();
        let label = if coordinates[0].0 < part / 2 { 1 } else { -1 };
        let point = Point::new(coordinates).expect("indices that ascend");
        (Record { point, label }, 1)
    });
    let data = Dataset::new(domain, records).expect("records of the domain");
    let loss = Loss::Squared {
        largest_label: integer(1),
    };
    let start = Instant::now();
    let problem = Problem::new(loss, Kernel::Linear, ratio(1, 100)).expect("a penalty above 0");
    let relation = NeighbouringRelation::Substitute;
    let budget = Budget::approximate(integer(1), ratio(1, 1_000_000), relation).expect("a budget");
    let plan = coefficients::Plan::new(&problem, (domain, n), &budget).expect("a plan");
    coefficients::release(&data, &plan, &mut coins).expect("coefficients");
    let (seconds, megabytes) = (start.elapsed().as_secs_f64(), megabytes());
    println!(
        "coefficients, n = {n}, d = {d}, {count} of them in a record: {seconds:.1} s, {:.3} of the limit of {limit} s; \
         {megabytes:.0} MB, {:.2} of the limit of {most}",
        seconds / limit,
        megabytes / most
    );
}

/// The most memory that this process has had, in MB; 0 where the system does not say.
fn megabytes() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.split_whitespace().next()?.parse::<f64>().ok());
    kilobytes.unwrap_or_default() * 1024.0 / 1e6
}

/// Points of two classes in the unit ball which a sphere parts, a tenth of the labels the other way round.
fn records(n: usize) -> Vec<Record> {
    let mut state = 7u64;
    let mut next = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (state >> 33) as i32
    };
    let side = 1 << (GRID_BITS - 1);
    let mut all = Vec::new();
    for _ in 0..n {
        let x: Vec<i32> = (0..DIMENSION).map(|_| next() % side - side / 2).collect();
        let squared: i64 = x[..4].iter().map(|x| i64::from(*x).pow(2)).sum();
        let inside = squared < i64::from(side).pow(2) / 3;
        let label = if inside == (next() % 10 > 0) { 1 } else { -1 };
        let point = Point::dense(&x);
        all.push(Record { point, label });
    }
    all
}

fn compare(records: &[Record], squared_width: &Rational, penalty: &Rational) {
    let n = records.len();
    let grid = Grid::new(GRID_BITS).expect("a coarse grid");
    let domain = Domain::unit_ball(grid, DIMENSION).expect("a unit ball");
    let data = Dataset::new(domain, records.iter().map(|record| (record.clone(), 1)));
    let data = data.expect("records of the domain");
    let kernel = Kernel::Gaussian {
        squared_width: squared_width.clone(),
    };
    let usual = Problem::new(Loss::Hinge, kernel, penalty.clone()).expect("a penalty above 0");
    let risk = risk(&data, &usual);
    // The share with which the gap is within RELATIVE_GAP of the risk.
    let share = (0..20).find(|share| {
        let problem = usual.clone().with_share(*share).expect("at most 20");
        let tolerance = problem.tolerance(domain, n as u64).expect("public numbers");
        to_f64_for_display(&tolerance) <= RELATIVE_GAP * risk
    });
    let problem = usual
        .clone()
        .with_share(share.unwrap_or(20))
        .expect("at most 20");
    let (ours, private) = (time(&data, &problem), time(&data, &usual));
    let peer = peer(records, squared_width, penalty);
    let ratio = peer.map(|peer| ours / peer);
    let shown = |value: Option<f64>| value.map_or("-".to_owned(), |value| format!("{value:.2}"));
    println!(
        "n = {n}, lambda = {penalty}: relative gap {RELATIVE_GAP:e} in {ours:.2} s; as private as usual in {private:.2} s; \
         scikit-learn {} s; ratio {}, {} of the limit of {LIMIT}",
        shown(peer),
        shown(ratio),
        shown(ratio.map(|ratio| ratio / LIMIT))
    );
}

fn time(data: &Dataset, problem: &Problem) -> f64 {
    let mut best = f64::MAX;
    for _ in 0..REPETITIONS {
        let start = Instant::now();
        fit(data, problem).expect("a solution");
        best = best.min(start.elapsed().as_secs_f64());
    }
    best
}

/// The risk at the minimiser, on a hundred of the records and without the penalty: less than it is.
fn risk(data: &Dataset, problem: &Problem) -> f64 {
    let coarse = problem.clone().with_share(0).expect("at most 20");
    let w = fit(data, &coarse).expect("a solution");
    let some: Vec<_> = data
        .records()
        .iter()
        .step_by(data.records().len() / 100)
        .collect();
    let loss = |record: &Record| {
        let f = to_f64_for_display(&w.prediction(&record.point));
        (1.0 - record.label as f64 * f).max(0.0)
    };
    some.iter().map(|(record, _)| loss(record)).sum::<f64>() / some.len() as f64
}

/// Seconds of scikit-learn's SVC on the same records.
fn peer(records: &[Record], squared_width: &Rational, penalty: &Rational) -> Option<f64> {
    let python = std::env::var_os("PEER_PYTHON")?;
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/kernels_libsvm.py");
    let mut child = Command::new(python)
        .arg(script)
        .arg(to_f64_for_display(squared_width).to_string())
        .arg(to_f64_for_display(penalty).to_string())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .ok()?;
    let mut text = String::new();
    for record in records {
        let mut dense = [0; DIMENSION];
        for &(i, v) in record.point.coordinates() {
            dense[i as usize] = v;
        }
        let point = dense.map(|v| (f64::from(v) / f64::from(1 << GRID_BITS)).to_string());
        text += &format!("{} {}\n", record.label, point.join(" "));
    }
    child.stdin.take()?.write_all(text.as_bytes()).ok()?;
    let output = child.wait_with_output().ok()?;
    String::from_utf8(output.stdout).ok()?.trim().parse().ok()
}
