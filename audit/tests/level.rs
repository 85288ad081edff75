//! The level of the whole pipeline, and of each of its bounds, on true claims that leave nothing to spare. The full
//! figures, of 10,000 runs: `audit/examples/level.rs` and `audit/results/level.txt`.

mod nightly;
mod nulls;

use dp_assay_audit::refute::{Until, Verdict};
use nightly::runs;

/// 60 runs of 1,000 calls by day, stopped at the first proof. A false failure has probability below 1e-9, by the exact
/// binomial law: from 18 alarms on. A pipeline of level 2/5 is caught with probability 0.96. At night, of 600 runs, from 68 on:
/// one of level 3/20 is caught with probability 0.996, and one of 1/10 with 0.15: the full run is for that.
#[test]
fn true_claims_are_seldom_refuted() {
    let runs = runs(60);
    let (mut alarms, mut deltas) = (0, 0);
    for run in 0..runs {
        let null = nulls::ALL[run as usize % nulls::ALL.len()];
        let finding = null.audit(1000 + u64::from(run), 1000, Until::Proof);
        alarms += u32::from(finding.verdict == Verdict::Violation);
        deltas += u32::from(
            finding
                .delta_lower
                .is_some_and(|delta| delta > null.delta()),
        );
    }
    let p = nulls::tail(runs, alarms, nulls::ONE_IN);
    println!("{alarms} false alarms and {deltas} false bounds on delta in {runs} runs");
    assert!(p > 1e-9, "{alarms} false alarms in {runs} runs: p = {p:e}");
    // The bound on delta has the level of the exact test.
    let p = nulls::tail(runs, deltas, 5 * nulls::ONE_IN);
    assert!(p > 1e-9, "{deltas} false bounds in {runs} runs: p = {p:e}");
}

/// The same with all calls spent on one test, which then has the whole level.
#[test]
fn bounds_after_all_calls_are_seldom_false() {
    let runs = runs(60);
    let mut alarms = 0;
    for run in 0..runs {
        let null = nulls::ALL[run as usize % nulls::ALL.len()];
        let finding = null.audit(2000 + u64::from(run), 1000, Until::End);
        assert_eq!(finding.calls, 1000);
        alarms += u32::from(finding.verdict == Verdict::Violation);
    }
    println!("{alarms} false alarms in {runs} runs");
    let p = nulls::tail(runs, alarms, nulls::ONE_IN);
    assert!(p > 1e-9, "{alarms} false alarms in {runs} runs: p = {p:e}");
}

/// The same for each other measure: 40 runs of 400 calls each by day, stopped at the first proof and with all calls spent. From
/// 15 alarms of 40 on a false failure has probability below 1e-9; a level of 1/2 is caught with probability 0.96. At night,
/// from 52 of 400 on, one of 1/5 with 0.9999. The full run: `level -- 10000 400 measures`.
#[test]
fn true_claims_in_other_measures_are_seldom_refuted() {
    let runs = runs(40);
    for nulls in nulls::measured() {
        for until in [Until::Proof, Until::End] {
            let mut alarms = 0;
            for run in 0..runs {
                let null = &nulls[run as usize % nulls.len()];
                let finding = null.audit(3000 + u64::from(run), 400, until);
                alarms += u32::from(finding.verdict == Verdict::Violation);
            }
            let (p, measure) = (nulls::tail(runs, alarms, nulls::ONE_IN), nulls[0].measure);
            println!("{measure}: {alarms} false alarms in {runs} runs");
            assert!(p > 1e-9, "{measure}: {alarms} of {runs}: p = {p:e}");
        }
    }
}

/// The same where values and bits are two lines, which may both be refuted: of either, one in 20 in all; and with the fewest
/// calls that are allowed.
#[test]
fn true_claims_of_two_lines_and_of_few_calls_are_seldom_refuted() {
    let runs = runs(60);
    for (claims, calls) in [(&nulls::OF_TWO_LINES[..], 1000), (&nulls::ALL[..], 50)] {
        let mut alarms = 0;
        for run in 0..runs {
            let null = claims[run as usize % claims.len()];
            let finding = null.audit(3000 + u64::from(run), calls, Until::Proofs);
            let lines = 1 + usize::from(finding.other_line.is_some());
            assert!(lines == 2 || calls == 50);
            // The violation of two is told first.
            alarms += u32::from(finding.verdict == Verdict::Violation);
        }
        println!("{alarms} false alarms in {runs} runs of {calls} calls");
        let p = nulls::tail(runs, alarms, nulls::ONE_IN);
        assert!(p > 1e-9, "{alarms} false alarms in {runs} runs: p = {p:e}");
    }
}

/// The same in the other measures, with the power that is stated above.
#[test]
fn true_claims_of_two_lines_in_other_measures_are_seldom_refuted() {
    let runs = runs(40);
    for nulls in nulls::measured() {
        let nulls: Vec<_> = nulls.iter().filter(|null| null.of_two_lines).collect();
        assert_eq!(nulls.len(), 2);
        let mut alarms = 0;
        for run in 0..runs {
            let null = nulls[run as usize % nulls.len()];
            let finding = null.audit(4000 + u64::from(run), 400, Until::Proofs);
            assert!(finding.other_line.is_some(), "{}", null.name());
            alarms += u32::from(finding.verdict == Verdict::Violation);
        }
        let (p, measure) = (nulls::tail(runs, alarms, nulls::ONE_IN), nulls[0].measure);
        println!("{measure}, two lines: {alarms} false alarms in {runs} runs");
        assert!(p > 1e-9, "{measure}: {alarms} of {runs}: p = {p:e}");
    }
}

#[test]
fn the_tail_is_binomial() {
    assert!((nulls::tail(300, 0, 20) - 1.0).abs() < 1e-9);
    assert!((nulls::tail(2, 1, 20) - 0.0975).abs() < 1e-12);
    assert!((nulls::tail(2, 2, 20) - 0.0025).abs() < 1e-12);
    assert!(nulls::tail(300, 50, 20) < 1e-9);
}
