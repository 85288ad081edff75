//! How many calls the test of conformance needs for noise of another law, in 101 runs of each case, and how often it
//! refutes noise that has the law, or calls noise too little that is not:
//!
//! ```sh
//! cargo run --release -p dp-assay-audit --example conformance -- 2000 1000
//! ```
//!
//! The arguments are the runs of each null and the calls of each run; the output is kept in
//! `audit/results/conformance.txt`.

use dp_assay::coins::{ChaCha, Coins};
use dp_assay::law::named::NamedLaw;
use dp_assay::number::rational::{integer, ratio};
use dp_assay_audit::conform::{Amount, Conformance, LawVerdict, Reference, audit_law};
use dp_assay_audit::targets::{Function, Output};
use num_bigint::BigInt;
use num_integer::Integer;
use rayon::prelude::*;
use serde_json::Value;
use std::process::ExitCode;

/// The runs of a case, and the first seed. The shares of the thresholds were raised after a look at these cases with
/// these seeds; the bench `rows` has others.
const RUNS: u64 = 101;
const FIRST_SEED: u64 = 5000;

/// What is done to the draws.
#[derive(Clone, Copy)]
enum Change {
    Nothing,
    Shifted(i64),
    /// Drawn again if the magnitude is above.
    Redrawn(i64),
    Clamped(i64),
    /// Rounded down to multiples.
    Multiples(i64),
    /// Made odd, once in 21 calls.
    Odd,
    /// A Laplace variable of the real line of scale 1, rounded.
    Rounded,
}

/// What is asked for, and what comes.
struct Case {
    asked: &'static str,
    comes: &'static str,
    change: Change,
}

const fn case(asked: &'static str, comes: &'static str, change: Change) -> Case {
    Case {
        asked,
        comes,
        change,
    }
}

const TWO: &str = "discrete-laplace scale=2";
const WIDE: &str = "discrete-laplace scale=1000";
const WIDE_GAUSS: &str = "discrete-gaussian variance=1000000";

/// The rows `gauss_classic_e10` and `gauss_missing_sqrt2`, the cases of `command/tests/conformance.rs`, and a few more.
const CASES: [Case; 27] = [
    case(
        "discrete-gaussian variance=1024",
        "discrete-gaussian variance=961",
        Change::Nothing,
    ),
    case(
        "discrete-gaussian variance=15671",
        "discrete-gaussian variance=11789",
        Change::Nothing,
    ),
    case(TWO, "discrete-laplace scale=9/5", Change::Nothing),
    case(TWO, "discrete-laplace scale=11/5", Change::Nothing),
    case("discrete-laplace scale=1", TWO, Change::Rounded),
    case(TWO, TWO, Change::Shifted(1)),
    case(TWO, TWO, Change::Redrawn(12)),
    case(TWO, TWO, Change::Clamped(12)),
    case(
        "discrete-gaussian variance=2",
        "discrete-gaussian variance=4",
        Change::Nothing,
    ),
    case(
        "discrete-gaussian variance=4",
        "discrete-gaussian variance=16",
        Change::Nothing,
    ),
    case(
        "discrete-gaussian variance=16",
        "discrete-gaussian variance=4",
        Change::Nothing,
    ),
    case(
        "discrete-gaussian variance=100",
        "discrete-gaussian variance=10",
        Change::Nothing,
    ),
    case(WIDE, WIDE, Change::Multiples(2)),
    case(WIDE, WIDE, Change::Multiples(4)),
    case(WIDE, WIDE, Change::Multiples(10)),
    case(WIDE_GAUSS, WIDE_GAUSS, Change::Multiples(2)),
    case(WIDE_GAUSS, WIDE_GAUSS, Change::Multiples(10)),
    case(WIDE, WIDE, Change::Odd),
    case(WIDE, WIDE, Change::Redrawn(6412)),
    case(WIDE, "discrete-laplace scale=970", Change::Nothing),
    case(WIDE, "discrete-laplace scale=1030", Change::Nothing),
    case(WIDE, WIDE, Change::Shifted(100)),
    case(WIDE, WIDE, Change::Clamped(3000)),
    case(
        "discrete-gaussian variance=1024",
        "discrete-laplace scale=22",
        Change::Nothing,
    ),
    case(
        "discrete-gaussian variance=1",
        "discrete-gaussian variance=24/25",
        Change::Nothing,
    ),
    case(
        "discrete-gaussian variance=1/2",
        "discrete-gaussian variance=9/20",
        Change::Nothing,
    ),
    case(
        "geometric rate=1/10",
        "geometric rate=21/200",
        Change::Nothing,
    ),
];

/// Laws of noise that is enough: the law itself, and, where only too little noise is false, more noise.
const NULLS: [(&str, &str); 8] = [
    (TWO, TWO),
    (WIDE, WIDE),
    (
        "discrete-gaussian variance=1/2",
        "discrete-gaussian variance=1/2",
    ),
    (
        "discrete-gaussian variance=30",
        "discrete-gaussian variance=30",
    ),
    (
        "discrete-gaussian variance=1024",
        "discrete-gaussian variance=1024",
    ),
    ("geometric rate=1/3", "geometric rate=1/3"),
    (TWO, "discrete-laplace scale=201/100"),
    (
        "discrete-gaussian variance=30",
        "discrete-gaussian variance=301/10",
    ),
];

fn law(text: &str) -> NamedLaw {
    text.parse::<NamedLaw>().expect("a law")
}

/// One draw of the case.
fn draw(comes: &NamedLaw, change: Change, coins: &mut ChaCha) -> Output {
    loop {
        let value = comes.draw(coins).expect("a draw");
        let value = match change {
            Change::Nothing => value,
            Change::Shifted(by) => value + by,
            Change::Redrawn(most) if value.magnitude() > BigInt::from(most).magnitude() => continue,
            Change::Redrawn(_) => value,
            Change::Clamped(most) => value.clamp((-most).into(), most.into()),
            Change::Multiples(step) => value.div_floor(&step.into()) * step,
            Change::Odd if coins.bernoulli(&ratio(1, 21)).expect("a coin") => {
                value | BigInt::from(1)
            }
            Change::Odd => value,
            Change::Rounded => {
                let uniform =
                    (coins.bits(53).expect("bits") as f64 + 0.5) / (1u64 << 53) as f64 - 0.5;
                let value = -uniform.signum() * (1.0 - 2.0 * uniform.abs()).ln();
                BigInt::from(value.round() as i64)
            }
        };
        return Output::integer(&value);
    }
}

fn run(case: &Case, seed: u64, calls: u64) -> Conformance {
    let reference = Reference {
        law: law(case.asked).into(),
        centre: integer(0),
        level: ratio(1, 20),
        calls,
    };
    let comes = law(case.comes);
    let mut coins = ChaCha::reproducible(seed, 7);
    let mut target = Function(|_: &Value| Ok(draw(&comes, case.change, &mut coins)));
    audit_law(&mut target, &Value::Null, &reference).expect("an audit")
}

impl Case {
    fn name(&self) -> String {
        let change = match self.change {
            Change::Nothing => String::new(),
            Change::Shifted(by) => format!(", shifted by {by}"),
            Change::Redrawn(most) => format!(", without what is beyond {most}"),
            Change::Clamped(most) => format!(", set to {most} beyond it"),
            Change::Multiples(step) => format!(", multiples of {step}"),
            Change::Odd => ", odd numbers as 11 to 10".to_owned(),
            Change::Rounded => return format!("{}: continuous, rounded", self.asked),
        };
        if self.asked == self.comes {
            format!("{}{change}", self.asked)
        } else {
            format!("{}: {}{change}", self.asked, self.comes)
        }
    }
}

/// The middle one, the one that nine tenths do not exceed, and the largest; "-" if a run found nothing there.
fn summary(mut needed: Vec<Option<u64>>) -> String {
    needed.sort_by_key(|calls| calls.unwrap_or(u64::MAX));
    let at = |place: usize| needed[place].map_or("-".to_owned(), |calls| calls.to_string());
    let last = needed.len() - 1;
    format!(
        "{:>7} {:>7} {:>7}",
        at(last / 2),
        at(last * 9 / 10),
        at(last)
    )
}

fn main() -> ExitCode {
    let numbers: Vec<Option<u64>> = std::env::args().skip(1).map(|a| a.parse().ok()).collect();
    let (runs, calls) = match numbers[..] {
        [] => (2000, 1000),
        [Some(runs), Some(calls)] if calls > 0 => (runs, calls),
        _ => {
            eprintln!("expected the runs of each null and the calls of each: 2000 1000");
            return ExitCode::from(2);
        }
    };
    println!(
        "calls until the proof, in {RUNS} runs: half of them, nine tenths, all | until too little noise is proved"
    );
    for case in &CASES {
        let found: Vec<Conformance> = (0..RUNS)
            .into_par_iter()
            .map(|seed| run(case, FIRST_SEED + seed, 40_000))
            .collect();
        let law = found.iter().map(|run| {
            run.law_refuted_after
                .into_iter()
                .chain(run.too_little_after)
                .min()
        });
        let little = found.iter().map(|run| run.too_little_after);
        println!(
            "{:<80} {} | {}",
            case.name(),
            summary(law.collect()),
            summary(little.collect())
        );
    }
    if runs == 0 {
        return ExitCode::SUCCESS;
    }
    println!();
    println!(
        "false proofs, in {runs} runs of {calls} calls at level 1/20: of another law, of too little noise, of either"
    );
    for (asked, comes) in NULLS {
        let null = case(asked, comes, Change::Nothing);
        let found: Vec<(bool, bool)> = (0..runs)
            .into_par_iter()
            .map(|seed| {
                let found = run(&null, FIRST_SEED + seed, calls);
                (
                    asked == comes && found.verdict == LawVerdict::NotConforming,
                    found.amount == Amount::TooLittle,
                )
            })
            .collect();
        let count = |is: fn(&(bool, bool)) -> bool| found.iter().filter(|run| is(run)).count();
        println!(
            "{:<80} {:>5} {:>5} {:>5}",
            null.name(),
            count(|run| run.0),
            count(|run| run.1),
            count(|run| run.0 || run.1)
        );
    }
    ExitCode::SUCCESS
}
