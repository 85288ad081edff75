//! Prepares samplers once, and draws from them many times: exactly the same laws, far faster.
//!
//! `cargo run --release --example fast_noise`

use dp_assay::coins::{ChaCha, Coins, Recycled};
use dp_assay::number::rational::{parse, ratio};
use dp_assay::prepared::{PreparedGaussian, RealNoise, RoundedLaplace};
use dp_assay::sample::DiscreteGaussian;
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let law = DiscreteGaussian::new(ratio(100, 1))?;
    let prepared = PreparedGaussian::new(&law)?;

    // A million draws, 16 bits each for almost all of them.
    let mut coins = ChaCha::from_operating_system()?;
    let mut noise = vec![0; 1_000_000];
    prepared.fill(&mut coins, &mut noise)?;
    let square = noise.iter().map(|k| k * k).sum::<i64>() / 1_000_000;
    println!("mean square of a million draws: {square}");
    println!("bits a draw: {}", per_draw(&coins));

    // With recycled coins hardly more bits than the entropy, which is 5.369 bits at this variance.
    let mut coins = Recycled::new(ChaCha::from_operating_system()?);
    prepared.fill(&mut coins, &mut noise)?;
    println!("bits a draw, recycled: {}", per_draw(&coins));

    // Laplace noise of the real line around an exact value, rounded to hundredths: as private as the ideal mechanism.
    let release = RoundedLaplace::new(ratio(2, 1), parse("0.01")?)?;
    let rounded = coins.draw(&release.around(parse("41.3")?))?;
    println!("released: {rounded} hundredths");
    Ok(())
}

/// To three decimals.
fn per_draw(coins: &impl Coins) -> String {
    let thousandths = coins.consumed() / 1000;
    format!("{}.{:03}", thousandths / 1000, thousandths % 1000)
}

#[test]
fn runs() -> Result<(), Box<dyn Error>> {
    main()
}
