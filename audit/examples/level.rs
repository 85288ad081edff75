//! How often the whole pipeline refutes a true claim that leaves nothing to spare, and how often each of its bounds is
//! false, in 10,000 runs:
//!
//! ```sh
//! cargo run --release -p dp-assay-audit --example level -- 10000 2000
//! ```
//!
//! The arguments are the runs and the calls of each; the output is kept in `audit/results/level.txt`. With a third one,
//! `measures`, the claims are in other measures than (epsilon, delta), so many runs of each.

#[path = "../tests/nulls/mod.rs"]
mod nulls;

use dp_assay_audit::refute::{Finding, Method, Until, Verdict};
use indicatif::ProgressBar;
use rayon::prelude::*;
use std::process::ExitCode;
use std::time::Instant;

fn main() -> ExitCode {
    let mut words: Vec<String> = std::env::args().skip(1).collect();
    let measures = words.last().is_some_and(|word| word == "measures");
    if measures {
        words.pop();
    }
    let numbers: Vec<Option<u32>> = words.iter().map(|a| a.parse().ok()).collect();
    let (runs, calls) = match numbers[..] {
        [] => (10_000, 2000),
        [Some(runs), Some(calls)] if calls >= 400 => (runs, calls),
        _ => {
            eprintln!(
                "expected the runs and the calls of each, at least 400, and 'measures' or nothing: 10000 2000"
            );
            return ExitCode::from(2);
        }
    };
    if measures {
        return in_other_measures(runs, calls);
    }
    let start = Instant::now();
    let progress = ProgressBar::new(runs.into());
    let errors: Vec<Errors> = (0..runs)
        .into_par_iter()
        .map(|run| {
            let errors = Errors::of(run, calls.into());
            progress.inc(1);
            errors
        })
        .collect();
    progress.finish_and_clear();
    println!(
        "dp-assay-audit {}: {runs} true claims, {calls} calls each, level 1/{}, seeds 1 to {runs}, {:.0} s",
        env!("CARGO_PKG_VERSION"),
        nulls::ONE_IN,
        start.elapsed().as_secs_f64()
    );
    println!();
    println!(
        "null                 first   runs | sequential  exact  pipeline  delta | all calls: exact  delta"
    );
    let row = |name: String, first: &str, place: Option<usize>| {
        let here: Vec<&Errors> = errors
            .iter()
            .filter(|run| place.is_none_or(|place| place == run.null))
            .collect();
        let count = |wrong: fn(&Errors) -> bool| here.iter().filter(|run| wrong(run)).count();
        println!(
            "{name:<20} {first:<5} {:>6} | {:>10} {:>6} {:>9} {:>6} | {:>16} {:>6}",
            here.len(),
            count(|run| run.sequential),
            count(|run| run.exact),
            count(|run| run.sequential || run.exact),
            count(|run| run.delta),
            count(|run| run.exact_alone),
            count(|run| run.delta_alone),
        );
    };
    for (place, null) in nulls::ALL.iter().enumerate() {
        let first = if null.swapped { "1" } else { "0" };
        row(format!("{:?}", null.kind), first, Some(place));
    }
    row("all".to_owned(), "", None);
    println!();
    let mut wrong = false;
    let mut judge = |name: &str, one_in: u32, is: fn(&Errors) -> bool| {
        let alarms = errors.iter().filter(|run| is(run)).count() as u32;
        let p = nulls::tail(runs, alarms, one_in);
        println!(
            "{name}: {:.2} %, of 1/{one_in} allowed; so many or more would come with probability {p:.2e} at that rate",
            100.0 * f64::from(alarms) / f64::from(runs)
        );
        wrong |= p < 1e-9;
    };
    // Four fifths of 1/20, and one fifth.
    let (most, least) = (25, 5 * nulls::ONE_IN);
    judge("sequential bound on epsilon", most, |run| run.sequential);
    judge("exact bound on epsilon", least, |run| run.exact);
    judge("pipeline", nulls::ONE_IN, |run| run.sequential || run.exact);
    judge("bound on delta", least, |run| run.delta);
    judge("all calls: exact bound on epsilon", nulls::ONE_IN, |run| {
        run.exact_alone
    });
    judge("all calls: bound on delta", nulls::ONE_IN, |run| {
        run.delta_alone
    });
    ExitCode::from(u8::from(wrong))
}

/// So many runs of true claims in each other measure.
fn in_other_measures(runs: u32, calls: u32) -> ExitCode {
    let start = Instant::now();
    let mut wrong = false;
    println!(
        "dp-assay-audit {}: {runs} true claims in each measure, {calls} calls each, level 1/{}, seeds 1 to {runs}",
        env!("CARGO_PKG_VERSION"),
        nulls::ONE_IN
    );
    println!();
    println!(
        "measure    null                                 runs | sequential  exact  pipeline | all calls: exact   so many or more at the level: pipeline, all calls"
    );
    for nulls in nulls::measured() {
        let progress = ProgressBar::new(runs.into());
        let errors: Vec<[bool; 3]> = (0..runs)
            .into_par_iter()
            .map(|run| {
                let null = &nulls[run as usize % nulls.len()];
                let seed = 1 + u64::from(run);
                let stopping = null.audit(seed, calls.into(), Until::Proof);
                let spending = null.audit(seed, calls.into(), Until::End);
                progress.inc(1);
                let alarm = |finding: &Finding| finding.verdict == Verdict::Violation;
                let sequential = alarm(&stopping) && stopping.method == Some(Method::Sequential);
                [
                    sequential,
                    alarm(&stopping) && !sequential,
                    alarm(&spending),
                ]
            })
            .collect();
        progress.finish_and_clear();
        let measure = nulls[0].measure;
        for place in (0..nulls.len()).map(Some).chain([None]) {
            let here = errors.iter().zip(0..);
            let here = here.filter(|(_, run)| place.is_none_or(|place| run % nulls.len() == place));
            let here: Vec<&[bool; 3]> = here.map(|(errors, _)| errors).collect();
            let count = |which: usize| here.iter().filter(|errors| errors[which]).count() as u32;
            let (both, alone) = (count(0) + count(1), count(2));
            let p =
                [both, alone].map(|alarms| nulls::tail(here.len() as u32, alarms, nulls::ONE_IN));
            println!(
                "{measure:<10} {:<34} {:>6} | {:>10} {:>6} {both:>9} | {alone:>16}   {:.2e} {:.2e}",
                place.map_or("all".to_owned(), |place| nulls[place].name()),
                here.len(),
                count(0),
                count(1),
                p[0],
                p[1]
            );
            wrong |= p.iter().any(|p| *p < 1e-9);
        }
    }
    println!();
    println!("{:.0} s", start.elapsed().as_secs_f64());
    ExitCode::from(u8::from(wrong))
}

/// Which bounds were false in the two audits of a run.
struct Errors {
    null: usize,
    sequential: bool,
    exact: bool,
    delta: bool,
    exact_alone: bool,
    delta_alone: bool,
}

impl Errors {
    fn of(run: u32, calls: u64) -> Self {
        let place = run as usize % nulls::ALL.len();
        let null = nulls::ALL[place];
        let seed = 1 + u64::from(run);
        let stopping = null.audit(seed, calls, Until::Proof);
        let spending = null.audit(seed, calls, Until::End);
        let alarm = |finding: &Finding| finding.verdict == Verdict::Violation;
        let delta = |finding: &Finding| finding.delta_lower.is_some_and(|d| d > null.delta());
        let sequential = alarm(&stopping) && stopping.method == Some(Method::Sequential);
        Self {
            null: place,
            sequential,
            exact: alarm(&stopping) && !sequential,
            delta: delta(&stopping),
            exact_alone: alarm(&spending),
            delta_alone: delta(&spending),
        }
    }
}
