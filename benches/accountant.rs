//! How long certified accounts take, on one core: `cargo bench --bench accountant`.
//!
//! One line a case: both ends of epsilon, their relative distance, the seconds, and these beside those of the first case.

use dp_assay::accountant::{Account, Mechanism, Relation, Step};
use dp_assay::number::rational::{parse, to_f64_for_display};
use std::error::Error;
use std::time::Instant;

/// Rate, deviation, steps, delta, digits.
const CASES: [(&str, &str, u64, &str, u32); 9] = [
    ("0.01", "1", 10_000, "1e-5", 4),
    ("0.01", "1", 10_000, "1e-5", 5),
    ("0.01", "1", 10_000, "1e-5", 6),
    ("0.001", "0.8", 100_000, "1e-6", 4),
    ("1", "20", 1_000, "1e-5", 4),
    ("0.05", "2", 1_000, "1e-9", 4),
    ("0.0001", "0.5", 100_000, "1e-10", 4),
    ("0.0001", "0.5", 100_000, "1e-10", 6),
    ("0.001", "1", 1_000_000, "1e-6", 4),
];

fn show(
    name: &str,
    mechanism: Mechanism,
    times: u64,
    delta: &str,
    digits: u32,
    first: Option<f64>,
) -> Result<f64, Box<dyn Error>> {
    let start = Instant::now();
    let account = Account::new(&[Step { mechanism, times }], Relation::AddOrRemove)?;
    let epsilon = account.epsilon(&parse(delta)?, digits)?.value;
    let seconds = start.elapsed().as_secs_f64();
    let (lo, hi) = epsilon.to_decimals(digits + 4);
    let width =
        to_f64_for_display(&epsilon.width().to_rational()) / to_f64_for_display(&epsilon.upper());
    let ratio = seconds / first.unwrap_or(seconds);
    println!(
        "{name}, {times} times, delta {delta}, {digits} digits: [{lo}, {hi}], {width:.1e}, {seconds:.3} s, {ratio:.1}"
    );
    Ok(seconds)
}

fn main() -> Result<(), Box<dyn Error>> {
    if std::env::args().any(|argument| argument == "--test") {
        return Ok(());
    }
    let mut first = None;
    for (rate, deviation, times, delta, digits) in CASES {
        let mechanism = Mechanism::Gaussian {
            deviation: parse(deviation)?,
            rate: parse(rate)?,
        };
        let name = format!("Gaussian, rate {rate}, deviation {deviation}");
        let seconds = show(&name, mechanism, times, delta, digits, first)?;
        first = first.or(Some(seconds));
    }
    let variance = parse("16")?;
    let noise = Mechanism::DiscreteGaussian { variance, shift: 1 };
    let name = "discrete Gaussian, variance 16";
    show(name, noise, 1_000, "1e-5", 11, first)?;
    Ok(())
}
