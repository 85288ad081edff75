//! Runs a sampler on every outcome of its coins, and compares what comes out with the law that it should have.
//!
//! `cargo run --release --example explore_a_sampler`

use dp_assay::coins::{Coins, CoinsError, Explored, Explorer, Layer};
use dp_assay::number::{Enclosure, rational::ratio};
use std::error::Error;

/// A number below 6, by rejection: three bits, until they make one.
fn die(coins: &mut impl Coins) -> Result<u64, CoinsError> {
    loop {
        let value = coins.bits(3)?;
        if value < 6 {
            return Ok(value);
        }
    }
}

/// The same by a remainder, which favours 0 and 1.
fn loaded_die(coins: &mut impl Coins) -> Result<u64, CoinsError> {
    Ok(coins.bits(3)? % 6)
}

/// Prints what is certain of each side, and says whether all may be equally likely.
fn is_fair(found: &Explored<u64>) -> bool {
    let sixth = Enclosure::of(&ratio(1, 6), 128);
    for (side, lower) in &found.lower {
        println!(
            "  Pr[{side}] is at least {lower}, and at most {} more",
            found.undecided
        );
    }
    (0..6).all(|side| found.allows(&side, &sixth))
}

fn main() -> Result<(), Box<dyn Error>> {
    // At most 150 runs; of the loop, what they do not decide is counted as undecided.
    let explorer = Explorer::new(Layer::Bits, 150);
    println!("by rejection:");
    assert!(is_fair(&explorer.explore(die)?));
    println!("by a remainder:");
    assert!(!is_fair(&explorer.explore(loaded_die)?));
    Ok(())
}

#[test]
fn runs() -> Result<(), Box<dyn Error>> {
    main()
}
