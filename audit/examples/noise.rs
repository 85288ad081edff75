//! A target in Rust: noise on the sum of the dataset, by our plain samplers and by those of constant work.
//!
//! `assay audit --target 'target/release/examples/noise laplace' --epsilon 1 --pair a.json,b.json --time`

#[path = "../targets/rust/adapter.rs"]
mod adapter;

use dp_assay::coins::{ChaCha, Coins, ConstantWork};
use dp_assay::number::rational::integer;
use dp_assay::prepared::{PreparedGaussian, PreparedLaplace};
use dp_assay::sample::{DiscreteGaussian, DiscreteLaplace};
use serde_json::{Value, json};
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let mut coins = ChaCha::from_operating_system()?;
    // Each is made once: what is timed is a draw.
    let laplace = DiscreteLaplace::new(integer(1))?;
    let gaussian = DiscreteGaussian::new(integer(1))?;
    let steady_laplace = PreparedLaplace::new(&laplace)?;
    let steady_gaussian = PreparedGaussian::new(&gaussian)?;
    let name = std::env::args().nth(1).unwrap_or_default();
    let mut drawn = [0];
    adapter::serve(|data| -> Result<Value, Box<dyn Error>> {
        let sum = sum(data)?;
        match name.as_str() {
            "laplace" => drawn[0] = i64::try_from(coins.draw(&laplace)?)?,
            "gaussian" => drawn[0] = i64::try_from(coins.draw(&gaussian)?)?,
            "constant-laplace" => {
                steady_laplace.fill(&mut ConstantWork(&mut coins), &mut drawn)?;
            }
            "constant-gaussian" => {
                steady_gaussian.fill(&mut ConstantWork(&mut coins), &mut drawn)?;
            }
            _ => return Err(format!("no noise has the name '{name}'").into()),
        }
        Ok(json!(sum + drawn[0]))
    })
}

/// The sum of an array of integers.
fn sum(data: &Value) -> Result<i64, Box<dyn Error>> {
    let records = data.as_array().ok_or("a dataset is an array of integers")?;
    let read = |record: &Value| record.as_i64().ok_or("a record is an integer");
    Ok(records.iter().map(read).sum::<Result<i64, _>>()?)
}
