//! Draws exact noise, and prints the certified law that it has.
//!
//! `cargo run --release --example exact_noise`

use dp_assay::coins::{ChaCha, Coins, Law};
use dp_assay::number::certify;
use dp_assay::number::rational::{integer, parse, to_scientific_above};
use dp_assay::sample::DiscreteLaplace;
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    // A count that moves by 1 between neighbours, released with epsilon = 1/2: noise of scale 1/epsilon.
    let epsilon = parse("1/2")?;
    let noise = DiscreteLaplace::new(epsilon.recip())?;

    // The noise is drawn around the count, as an integer: no float, and no rounding afterwards.
    let count = 41;
    let mut coins = ChaCha::from_operating_system()?;
    println!("released: {}", count + coins.draw(&noise)?);

    // Its law to 20 certified digits: the two ends of an interval that contains the number.
    for k in 0..4 {
        let probability = certify(20, |bits| noise.pmf(&k.into(), bits))?;
        let (below, above) = probability.to_decimals(20);
        println!("Pr[noise = {k}] is between {below} and {above}");
    }

    // The delta that goes with this epsilon is 0; with half of it, it is not.
    for epsilon in [epsilon.clone(), epsilon / integer(2)] {
        let delta = noise.profile(&1.into(), &epsilon, 128)?;
        let delta = to_scientific_above(&delta.upper(), 6);
        println!("({epsilon}, {delta})-private");
    }
    Ok(())
}

#[test]
fn runs() -> Result<(), Box<dyn Error>> {
    main()
}
