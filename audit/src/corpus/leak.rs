//! Leaks that are rare, or beside the value: a release, a mark, an error, a length.

use super::choice::RandomisedResponse;
use crate::specimen::{Mechanism, Noise, Specimen, integers, last_bit, specimen};
use crate::targets::{Output, TargetError};
use dp_assay::coins::{ChaCha, Coins};
use dp_assay::number::{Rational, rational::ratio};
use num_traits::ToPrimitive;
use serde_json::{Value, json};

/// Randomised response that gives away the last record with a small probability.
struct Rare {
    response: RandomisedResponse,
    probability: Rational,
    // Otherwise only a 1 is given away.
    both: bool,
}

impl Rare {
    fn given_away(&self, bit: bool) -> Option<Output> {
        (bit || self.both).then(|| Output::Integer(10 + i128::from(bit)))
    }
}

impl Mechanism for Rare {
    fn draw(&self, data: &Value, coins: &mut ChaCha) -> Result<Output, TargetError> {
        let bit = last_bit(data)?;
        match self.given_away(bit) {
            Some(output) if coins.bernoulli(&self.probability)? => Ok(output),
            _ => Ok(Output::Integer(self.response.answer(bit, coins)?.into())),
        }
    }

    fn law(&self, data: &Value) -> Result<Option<Vec<(Output, f64)>>, TargetError> {
        let mut law = self.response.law(data)?.unwrap_or_default();
        if let Some(output) = self.given_away(last_bit(data)?) {
            let probability = self.probability.to_f64().unwrap_or(f64::NAN);
            law.iter_mut().for_each(|(_, p)| *p *= 1.0 - probability);
            law.push((output, probability));
        }
        Ok(Some(law))
    }
}

/// Two divided by the sum, with noise; and an error if the sum is zero.
struct Quotient {
    noise: Noise,
}

impl Mechanism for Quotient {
    fn draw(&self, data: &Value, coins: &mut ChaCha) -> Result<Output, TargetError> {
        match integers(data)?.iter().sum() {
            0 => Ok(Output::Error("division by zero".to_owned())),
            sum => Ok(Output::Integer((2 / sum + self.noise.draw(coins)?).into())),
        }
    }

    fn law(&self, data: &Value) -> Result<Option<Vec<(Output, f64)>>, TargetError> {
        Ok(Some(match integers(data)?.iter().sum::<i64>() {
            0 => vec![(Output::Error("division by zero".to_owned()), 1.0)],
            sum => (-60..=60_i64)
                .map(|k| (Output::Integer(k.into()), self.noise.pmf(k - 2 / sum)))
                .collect(),
        }))
    }
}

/// Fair coins, as many as the sum, and with probability one half one more.
struct Length;

impl Length {
    fn sum(data: &Value) -> Result<u32, TargetError> {
        let sum: i64 = integers(data)?.iter().sum();
        u32::try_from(sum)
            .ok()
            .filter(|sum| *sum <= 10)
            .ok_or_else(|| TargetError::Data {
                expected: "integers with a sum between 0 and 10",
                got: data.to_string(),
            })
    }

    fn vector(length: u32, coins: u64) -> Output {
        let entries = (0..length).map(|place| Output::Integer((coins >> place & 1).into()));
        Output::Vector(entries.collect())
    }
}

impl Mechanism for Length {
    fn draw(&self, data: &Value, coins: &mut ChaCha) -> Result<Output, TargetError> {
        let length = Self::sum(data)? + coins.bits(1)? as u32;
        Ok(Self::vector(length, coins.bits(length)?))
    }

    fn law(&self, data: &Value) -> Result<Option<Vec<(Output, f64)>>, TargetError> {
        let sum = Self::sum(data)?;
        let law = [sum, sum + 1].into_iter().flat_map(|length| {
            let p = 0.5 / f64::from(1 << length);
            (0..1 << length).map(move |coins| (Self::vector(length, coins), p))
        });
        Ok(Some(law.collect()))
    }
}

pub(super) fn all() -> Result<Vec<Specimen>, TargetError> {
    let mut all = Vec::new();
    for (name, about, one_in, both) in [
        (
            "rare-release",
            "the record itself, once in 10^3",
            1000,
            true,
        ),
        (
            "disjoint-1e-2",
            "a mark on one dataset alone, once in 10^2",
            100,
            false,
        ),
        (
            "disjoint-1e-3",
            "a mark on one dataset alone, once in 10^3",
            1000,
            false,
        ),
        (
            "disjoint-1e-4",
            "a mark on one dataset alone, once in 10^4",
            10_000,
            false,
        ),
        (
            "disjoint-1e-5",
            "a mark on one dataset alone, once in 10^5",
            100_000,
            false,
        ),
        (
            "disjoint-1e-6",
            "a mark on one dataset alone, once in 10^6",
            1_000_000,
            false,
        ),
    ] {
        let rare = Rare {
            response: RandomisedResponse {
                epsilon: ratio(1, 2),
            },
            probability: ratio(1, one_in),
            both,
        };
        all.push(specimen(name, about, [json!([0]), json!([1])], rare)?);
    }
    let noise = Noise::new(ratio(1, 1))?;
    all.push(specimen(
        "data-dependent-error",
        "an exception where the sum is zero",
        [json!([0, 0]), json!([0, 1])],
        Quotient { noise },
    )?);
    all.push(specimen(
        "length",
        "the values are coins, and their number tells the sum",
        [json!([0, 0]), json!([0, 1])],
        Length,
    )?);
    Ok(all)
}
