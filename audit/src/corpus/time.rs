//! Leaks in time: how much work a release took, beside it. Work is counted in coins, so that no clock is asked.

use crate::specimen::{Mechanism, Noise, Specimen, integers, specimen};
use crate::targets::{Output, TargetError};
use dp_assay::coins::{ChaCha, Coins, ConstantWork};
use dp_assay::number::rational::ratio;
use dp_assay::prepared::PreparedLaplace;
use dp_assay::sample::DiscreteLaplace;
use num_traits::ToPrimitive;
use serde_json::{Value, json};

/// The sum with noise of the plain sampler, and how many coins it took: the fewer, the smaller the noise.
struct AndItsCoins {
    noise: DiscreteLaplace,
}

impl Mechanism for AndItsCoins {
    fn draw(&self, data: &Value, coins: &mut ChaCha) -> Result<Output, TargetError> {
        let before = coins.consumed();
        let sum: i64 = integers(data)?.iter().sum();
        // Beyond 64 bits with a probability of exp(-2^60) and less.
        let value = (coins.draw(&self.noise)? + sum).to_i64().unwrap_or(0);
        Ok(with_work(value, coins.consumed() - before))
    }
}

/// The same with a table that is scanned whole: 64 coins for every draw, but for one in about 2^40, which is beyond it.
struct InConstantWork {
    noise: Noise,
    prepared: PreparedLaplace,
}

impl Mechanism for InConstantWork {
    fn draw(&self, data: &Value, coins: &mut ChaCha) -> Result<Output, TargetError> {
        let before = coins.consumed();
        let mut drawn = [0];
        self.prepared
            .fill(&mut ConstantWork(&mut *coins), &mut drawn)?;
        let value = integers(data)?.iter().sum::<i64>() + drawn[0];
        Ok(with_work(value, coins.consumed() - before))
    }

    fn law(&self, data: &Value) -> Result<Option<Vec<(Output, f64)>>, TargetError> {
        let sum: i64 = integers(data)?.iter().sum();
        let law = (-20..=20).map(|k| (with_work(k, 64), self.noise.pmf(k - sum)));
        Ok(Some(law.collect()))
    }
}

fn with_work(value: i64, coins: u64) -> Output {
    let names = ["value", "work"].map(str::to_owned);
    let values = [value.into(), coins.into()].map(Output::Integer);
    Output::Object(names.to_vec(), values.to_vec())
}

pub(super) fn all() -> Result<Vec<Specimen>, TargetError> {
    let pair = || [json!([0, 0, 0]), json!([0, 0, 1])];
    let scale = || ratio(1, 1);
    Ok(vec![
        specimen(
            "laplace-and-its-coins",
            "how many coins the noise took tells its size, and so the sum",
            pair(),
            AndItsCoins {
                noise: DiscreteLaplace::new(scale())?,
            },
        )?,
        specimen(
            "laplace-in-constant-work",
            "right: a table scanned whole, with as much work for every draw",
            pair(),
            InConstantWork {
                noise: Noise::new(scale())?,
                prepared: PreparedLaplace::new(&DiscreteLaplace::new(scale())?)?,
            },
        )?,
    ])
}
