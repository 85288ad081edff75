//! The level of the whole pipeline, and of each of its bounds, on true claims that leave nothing to spare. The full
//! figures, of 10,000 runs: `audit/examples/level.rs` and `audit/results/level.txt`.
//!
//! Seeds are fixed. A test fails where so many alarms, or more, would come with probability below 1e-9 at the stated level of 1/20, by
//! the exact binomial law. Of so many runs, by day and ten times as many at night, it then catches with probability 0.99 a pipeline of
//! which level, or of a higher one; [`POWER`] has it of each number that occurs:
//!
//! | | by day | at night |
//! |---|---|---|
//! | budgets, 160 runs | 0.263 | 0.104 |
//! | fewer calls, two lines, 100 runs of each, and of both together | 0.332, 0.236 | 0.120, 0.097 |
//! | other measures, 20 runs of each (600 at night), and of all eight together | 0.762, 0.263 | 0.146, 0.080 |
//! | the same of two lines, and of all four together | 0.762, 0.380 | 0.146, 0.093 |

mod nightly;
mod nulls;

use dp_assay::number::Enclosure;
use dp_assay::number::rational::ratio;
use dp_assay::stats::binomial::upper_tail;
use dp_assay_audit::refute::{Until, Verdict};
use nightly::{at_night, runs};

/// Of so many runs the fewest alarms that fail, and the least level, in thousandths, that is caught with probability 0.99.
const POWER: [(u32, u32, u32); 11] = [
    (20, 11, 762),
    (80, 21, 380),
    (100, 23, 332),
    (160, 30, 263),
    (200, 34, 236),
    (600, 68, 146),
    (1000, 97, 120),
    (1600, 138, 104),
    (2000, 164, 97),
    (2400, 190, 93),
    (4800, 337, 80),
];

/// A false failure has so small a probability.
const FALSE_FAILURE: f64 = 1e-9;

/// The runs in each other measure, which take long: fewer by day.
fn runs_of_each_measure() -> u32 {
    if at_night() { 600 } else { 20 }
}

/// Asserts that so many alarms are no more than the level explains.
fn seldom(what: &str, alarms: u32, runs: u32) {
    println!("{what}: {alarms} false alarms in {runs} runs");
    let stated = POWER.iter().find(|(stated, ..)| *stated == runs);
    let (_, fails, _) = stated.expect("a number of runs whose power is stated");
    assert!(alarms < *fails, "{what}: {alarms} alarms in {runs} runs");
}

/// 1,000 calls, stopped at the first proof. A bound on delta has the level of the exact test, 1/100: by day it fails from 15 on, and a
/// level of 0.154 is caught with probability 0.99; at night from 46 on, and one of 0.040.
#[test]
fn true_claims_are_seldom_refuted() {
    let runs = runs(160);
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
    seldom("the first proof", alarms, runs);
    let p = nulls::tail(runs, deltas, 5 * nulls::ONE_IN);
    let failed = format!("{deltas} false bounds on delta in {runs} runs: p = {p:e}");
    assert!(p > FALSE_FAILURE, "{failed}");
}

/// The same with all calls spent on one test, which then has the whole level.
#[test]
fn bounds_after_all_calls_are_seldom_false() {
    let runs = runs(160);
    let mut alarms = 0;
    for run in 0..runs {
        let null = nulls::ALL[run as usize % nulls::ALL.len()];
        let finding = null.audit(2000 + u64::from(run), 1000, Until::End);
        assert_eq!(finding.calls, 1000);
        alarms += u32::from(finding.verdict == Verdict::Violation);
    }
    seldom("all calls", alarms, runs);
}

/// The same for each other measure, by 400 calls, stopped at the first proof and with all calls spent. The full run:
/// `level -- 10000 400 measures`.
#[test]
fn true_claims_in_other_measures_are_seldom_refuted() {
    let runs = runs_of_each_measure();
    let mut all = 0;
    for nulls in nulls::measured() {
        for until in [Until::Proof, Until::End] {
            let mut alarms = 0;
            for run in 0..runs {
                let null = &nulls[run as usize % nulls.len()];
                let finding = null.audit(3000 + u64::from(run), 400, until);
                alarms += u32::from(finding.verdict == Verdict::Violation);
            }
            seldom(nulls[0].measure, alarms, runs);
            all += alarms;
        }
    }
    seldom("all measures", all, 8 * runs);
}

/// The same where values and bits are two lines, which may both be refuted: of either, one in 20 in all; and with the fewest
/// calls that are allowed.
#[test]
fn true_claims_of_two_lines_and_of_few_calls_are_seldom_refuted() {
    let runs = runs(100);
    let mut all = 0;
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
        seldom(&format!("{calls} calls"), alarms, runs);
        all += alarms;
    }
    seldom("both", all, 2 * runs);
}

/// The same in the other measures.
#[test]
fn true_claims_of_two_lines_in_other_measures_are_seldom_refuted() {
    let runs = runs_of_each_measure();
    let mut all = 0;
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
        seldom(&format!("{}, two lines", nulls[0].measure), alarms, runs);
        all += alarms;
    }
    seldom("two lines of all measures", all, 4 * runs);
}

/// The probability of so many alarms, or more, in so many runs of a pipeline of this level in thousandths.
fn at_least(alarms: u32, runs: u32, thousandths: u32) -> Enclosure {
    let level = Enclosure::of(&ratio(thousandths.into(), 1000), 128);
    upper_tail(runs.into(), alarms.into(), &level).unwrap()
}

#[test]
fn the_bounds_and_the_power_are_as_stated() {
    let most = ratio(1, 1_000_000_000);
    let wanted = ratio(99, 100);
    for (runs, fails, thousandths) in POWER {
        assert!(at_least(fails, runs, 50).is_below_rational(&most));
        assert!(at_least(fails - 1, runs, 50).is_above_rational(&most));
        assert!(at_least(fails, runs, thousandths).is_above_rational(&wanted));
        assert!(at_least(fails, runs, thousandths - 1).is_below_rational(&wanted));
    }
    // Of bounds on delta.
    for (runs, fails, thousandths) in [(160, 15, 154), (1600, 46, 40)] {
        assert!(at_least(fails, runs, 10).is_below_rational(&most));
        assert!(at_least(fails - 1, runs, 10).is_above_rational(&most));
        assert!(at_least(fails, runs, thousandths).is_above_rational(&wanted));
    }
}

#[test]
fn the_tail_is_binomial() {
    assert!((nulls::tail(300, 0, 20) - 1.0).abs() < 1e-9);
    assert!((nulls::tail(2, 1, 20) - 0.0975).abs() < 1e-12);
    assert!((nulls::tail(2, 2, 20) - 0.0025).abs() < 1e-12);
    assert!(nulls::tail(300, 50, 20) < 1e-9);
}
