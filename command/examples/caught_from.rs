//! From how many calls on each violation of the corpus is caught: the table of `audit/src/corpus/due.rs`.
//!
//! ```sh
//! cargo run --release -p dp-assay-cli --example caught_from -- 200000
//! ```
//!
//! The argument is the most calls. For each specimen the numbers of calls 500, 1000, 2000, 5000, … are gone through; of the
//! first with which 59 audits of 59 catch it, the one after is printed. `0.95^59 < 0.05`: with the one before, the
//! probability of catching it is at least 0.95, at 95 % confidence. Names that follow choose specimens.

use dp_assay::coins::ChaCha;
use dp_assay::number::rational::ratio;
use dp_assay_audit::refute::{Question, Until, Verdict, audit_pair};
use dp_assay_audit::specimen::Specimen;
use dp_assay_cli::corpus::corpus;
use std::error::Error;

/// The audits with each number of calls, and the first seed.
const RUNS: u64 = 59;
const SEEDS_AFTER: u64 = 5000;
const GRID: [u64; 12] = [
    500, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000, 200_000, 500_000, 1_000_000, 2_000_000,
];

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let most: u64 = arguments.next().as_deref().unwrap_or("200000").parse()?;
    let names: Vec<String> = arguments.collect();
    for specimen in corpus()?.iter().filter(|specimen| specimen.violates()) {
        if !names.is_empty() && !names.iter().any(|name| name == specimen.name) {
            continue;
        }
        let mut from = None;
        for pair in GRID.windows(2).filter(|pair| pair[0] <= most) {
            if always_caught(specimen, pair[0])? {
                from = Some(pair[1]);
                break;
            }
        }
        match from {
            Some(calls) => println!("(\"{}\", {calls}),", specimen.name),
            None => println!("// {}: not always with {most} calls", specimen.name),
        }
    }
    Ok(())
}

fn always_caught(specimen: &Specimen, calls: u64) -> Result<bool, Box<dyn Error>> {
    for seed in SEEDS_AFTER + 1..=SEEDS_AFTER + RUNS {
        let question = Question {
            claim: specimen.claim(),
            level: ratio(1, 20),
            calls,
            until: Until::Proof,
            shrink: false,
            time: false,
            seed,
        };
        let mut target = specimen.target(ChaCha::reproducible(seed, 0));
        let found = audit_pair(&mut target, &specimen.pair, &question)?;
        if found.verdict != Verdict::Violation {
            return Ok(false);
        }
    }
    Ok(true)
}
