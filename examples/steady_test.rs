//! A statistical test of a mechanism that does not flake: its level is fixed in advance, and its power is computed.
//!
//! `cargo run --release --example steady_test`

use dp_assay::coins::{ChaCha, Coins};
use dp_assay::number::rational::{parse, ratio, to_scientific};
use dp_assay::sample::DiscreteLaplace;
use dp_assay::stats::FrequencyTest;
use std::error::Error;

const CALLS: u64 = 20_000;

/// How often the mechanism, a count of 1 with noise of this scale, answers 0 or less. Put your own here.
fn answers_at_most_zero(scale: i64) -> Result<u64, Box<dyn Error>> {
    let noise = DiscreteLaplace::new(ratio(scale, 1))?;
    let mut coins = ChaCha::from_operating_system()?;
    let mut occurrences = 0;
    for _ in 0..CALLS {
        let answer = 1 + coins.draw(&noise)?;
        occurrences += u64::from(answer <= 0.into());
    }
    Ok(occurrences)
}

fn main() -> Result<(), Box<dyn Error>> {
    // What it should be: for epsilon = 1/2 the scale is 2, and the probability is certified.
    let probability = DiscreteLaplace::new(ratio(2, 1))?.cdf(&(-1).into(), 128)?;

    // A sound mechanism fails this test once in a million million runs.
    let test = FrequencyTest::new(CALLS, probability, parse("1e-12")?)?;
    let factor = to_scientific(&test.detects()?, 4);
    println!("a probability that is off by a factor {factor} is rejected with probability 0.99");

    for scale in [2, 1] {
        let occurrences = answers_at_most_zero(scale)?;
        let accepted = test.accepts(occurrences);
        println!("scale {scale}: {occurrences} of {CALLS}, accepted: {accepted}");
        assert_eq!(accepted, scale == 2);
    }
    Ok(())
}

#[test]
fn runs() -> Result<(), Box<dyn Error>> {
    main()
}
