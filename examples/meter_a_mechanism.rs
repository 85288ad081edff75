//! Meters one's own mechanism: a noisy sum of records in 0..=10, and its broken twin.
//!
//! `cargo run --release --example meter_a_mechanism`

use dp_assay::coins::{ChaCha, Coins, CoinsError, Outcomes, Promise, Stage};
use dp_assay::law::Noise;
use dp_assay::number::rational::integer;
use dp_assay::privacy::meter::{Report, meter};
use dp_assay::privacy::{Budget, NeighbouringRelation};
use dp_assay::sample::DiscreteLaplace;
use num_bigint::BigInt;
use std::error::Error;

/// The sum, 1-differentially private if `sensitivity` is right: the value is the centre of a law that is drawn.
fn noisy_sum(data: &[i64], sensitivity: i64, coins: &mut impl Coins) -> Result<BigInt, CoinsError> {
    coins.stage(&Stage::once("the sum", Promise::Pure(integer(1))));
    let noise = DiscreteLaplace::new(integer(sensitivity))?;
    coins.draw(&noise.around(data.iter().sum::<i64>()))
}

/// The mechanism on two neighbours: one record is 0, or is 10.
fn metered(sensitivity: i64) -> Result<Report, Box<dyn Error>> {
    let claim = Budget::pure(integer(1), NeighbouringRelation::Substitute)?;
    let outcomes = Outcomes::drawn(ChaCha::from_operating_system()?);
    let mechanism = |data: &[i64], coins: &mut _| noisy_sum(data, sensitivity, coins);
    Ok(meter(mechanism, &[3, 0], &[3, 10], outcomes, &claim)?)
}

fn main() -> Result<(), Box<dyn Error>> {
    println!("as it should be\n{}", metered(10)?);
    println!("with half the sensitivity\n{}", metered(5)?);
    Ok(())
}

#[test]
fn only_the_broken_twin_is_at_fault() -> Result<(), Box<dyn Error>> {
    let (sound, broken) = (metered(10)?, metered(5)?);
    assert!(sound.is_sound() && sound.attained() == Some(integer(1)));
    assert_eq!(
        (broken.attained(), broken.faults().len()),
        (Some(integer(2)), 2)
    );
    main()
}
