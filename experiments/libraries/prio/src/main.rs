//! Noise of prio on a number: a dataset is a list with one whole number.

use num_bigint::BigInt;
use prio::dp::distributions::{
    DiscreteGaussian, DiscreteLaplace, PureDpDiscreteLaplace, ZCdpDiscreteGaussian,
};
use prio::dp::{DifferentialPrivacyStrategy, PureDpBudget, Rational, ZCdpBudget};
use rand::distr::Distribution;
use serde_json::Value;
use std::error::Error;
use std::io::{BufRead, Write};

fn main() -> Result<(), Box<dyn Error>> {
    let one = || Rational::from_unsigned(1u32, 1u32);
    let name = std::env::args().nth(1).unwrap_or_default();
    match name.as_str() {
        "discrete-laplace" => serve(
            &PureDpDiscreteLaplace::from_budget(PureDpBudget::new(one()?)?)
                .create_distribution(one()?)?,
        ),
        "discrete-gaussian" => serve(
            &ZCdpDiscreteGaussian::from_budget(ZCdpBudget::new(one()?)?)
                .create_distribution(one()?)?,
        ),
        "laplace-7-2" => serve(&DiscreteLaplace::new(Rational::from_unsigned(7u32, 2u32)?)?),
        "gaussian-5-2" => serve(&DiscreteGaussian::new(Rational::from_unsigned(
            5u32, 2u32,
        )?)?),
        _ => Err(format!("no mechanism has the name '{name}'").into()),
    }
}

/// Answers requests until their end.
fn serve(noise: &impl Distribution<BigInt>) -> Result<(), Box<dyn Error>> {
    let mut random = rand::rng();
    let mut out = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let request: Value = serde_json::from_str(&line?)?;
        let value = request["data"][0]
            .as_i64()
            .ok_or("a dataset is a list with one whole number")?;
        for _ in 0..request["n"].as_u64().ok_or("n is a whole number")? {
            writeln!(out, "{}", noise.sample(&mut random) + value)?;
        }
        out.flush()?;
    }
    Ok(())
}
