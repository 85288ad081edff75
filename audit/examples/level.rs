//! How often the whole pipeline refutes a true claim that leaves nothing to spare, in 10,000 runs:
//!
//! ```sh
//! cargo run --release -p dp-assay-audit --example level -- 10000 2000
//! ```
//!
//! The arguments are the runs and the calls of each; the output is kept in `audit/results/level.txt`.

#[path = "../tests/nulls/mod.rs"]
mod nulls;

use dp_assay_audit::driver::{Method, Until, Verdict};
use indicatif::ProgressBar;
use rayon::prelude::*;
use std::process::ExitCode;
use std::time::Instant;

fn main() -> ExitCode {
    let numbers: Vec<Option<u32>> = std::env::args().skip(1).map(|a| a.parse().ok()).collect();
    let (runs, calls) = match numbers[..] {
        [] => (10_000, 2000),
        [Some(runs), Some(calls)] if calls >= 400 => (runs, calls),
        _ => {
            eprintln!("expected the runs and the calls of each, at least 400: 10000 2000");
            return ExitCode::from(2);
        }
    };
    let start = Instant::now();
    let progress = ProgressBar::new(runs.into());
    let findings: Vec<(usize, Option<Method>)> = (0..runs)
        .into_par_iter()
        .map(|run| {
            let place = run as usize % nulls::ALL.len();
            let finding = nulls::ALL[place].audit(1 + u64::from(run), calls.into(), Until::Proof);
            progress.inc(1);
            let alarm = finding.verdict == Verdict::Violation;
            (place, finding.method.filter(|_| alarm))
        })
        .collect();
    progress.finish_and_clear();
    println!(
        "dp-assay-audit {}: {runs} audits of true claims, {calls} calls each, level 1/{}, seeds 1 to {runs}, {:.0} s",
        env!("CARGO_PKG_VERSION"),
        nulls::ONE_IN,
        start.elapsed().as_secs_f64()
    );
    println!();
    println!("null                 first   runs  sequential  fixed  false alarms");
    let count = |place: Option<usize>, wanted: &dyn Fn(Option<Method>) -> bool| {
        let here = findings
            .iter()
            .filter(|(at, _)| place.is_none_or(|p| p == *at));
        here.filter(|(_, method)| wanted(*method)).count()
    };
    let row = |name: String, first: &str, place: Option<usize>| {
        let all = count(place, &|_| true);
        let sequential = count(place, &|method| method == Some(Method::Sequential));
        let fixed = count(place, &|method| method == Some(Method::Fixed));
        let alarms = sequential + fixed;
        println!(
            "{name:<20} {first:<5} {all:>6} {sequential:>11} {fixed:>6} {alarms:>5} ({:.2} %)",
            100.0 * alarms as f64 / all.max(1) as f64
        );
        alarms as u32
    };
    for (place, null) in nulls::ALL.iter().enumerate() {
        let first = if null.swapped { "1" } else { "0" };
        row(format!("{:?}", null.kind), first, Some(place));
    }
    let alarms = row("all".to_owned(), "", None);
    println!();
    println!(
        "the level allows {} on average; at least {alarms} would come with probability {:.3e} at that rate",
        runs / nulls::ONE_IN,
        nulls::tail(runs, alarms)
    );
    ExitCode::from(u8::from(nulls::tail(runs, alarms) < 1e-9))
}
