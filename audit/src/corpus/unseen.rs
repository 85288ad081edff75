//! Violations that were added after the shares, the ridge and the belief of the search had been chosen. Nothing was changed for
//! them, so they show how the auditor does on mechanisms that it was not made for.

use super::choice::{Exponential, RandomisedResponse};
use crate::specimen::{Mechanism, Noise, Specimen, integers, last_bit, specimen};
use crate::targets::{Output, TargetError};
use dp_assay::coins::ChaCha;
use dp_assay::number::rational::ratio;
use serde_json::{Value, json};
use std::cmp::Reverse;

/// The sum twice, each time with the noise of the whole budget.
struct SpentTwice {
    noise: Noise,
}

impl Mechanism for SpentTwice {
    fn draw(&self, data: &Value, coins: &mut ChaCha) -> Result<Output, TargetError> {
        let sum: i64 = integers(data)?.iter().sum();
        let first = sum + self.noise.draw(coins)?;
        let second = sum + self.noise.draw(coins)?;
        Ok(Output::Vector(
            [first, second].map(|k| Output::Integer(k.into())).to_vec(),
        ))
    }

    fn law(&self, data: &Value) -> Result<Option<Vec<(Output, f64)>>, TargetError> {
        let sum: i64 = integers(data)?.iter().sum();
        // The sums are 0 and 1: what is outside is less than 1e-6.
        let range = -15..=16_i64;
        let told = range
            .clone()
            .flat_map(|a| range.clone().map(move |b| [a, b]));
        let law = told.map(|told| {
            let p = told.map(|k| self.noise.pmf(k - sum)).iter().product();
            (
                Output::Vector(told.map(|k| Output::Integer(k.into())).to_vec()),
                p,
            )
        });
        Ok(Some(law.collect()))
    }
}

/// Six bits, each by randomised response with the whole budget. The first tells the last record, the second its opposite, and the
/// others nothing.
struct Bits {
    response: RandomisedResponse,
}

const BITS: usize = 6;

/// The bits before noise.
fn unary(data: &Value) -> Result<[bool; BITS], TargetError> {
    let bit = last_bit(data)?;
    Ok([bit, !bit, false, false, false, false])
}

impl Mechanism for Bits {
    fn draw(&self, data: &Value, coins: &mut ChaCha) -> Result<Output, TargetError> {
        let told = unary(data)?
            .into_iter()
            .map(|bit| Ok(Output::Integer(self.response.answer(bit, coins)?.into())));
        Ok(Output::Vector(told.collect::<Result<_, TargetError>>()?))
    }

    fn law(&self, data: &Value) -> Result<Option<Vec<(Output, f64)>>, TargetError> {
        let bits = unary(data)?;
        let law = (0..1_u32 << BITS).map(|number| {
            let told = |place: usize| (number >> place) & 1 == 1;
            let kept = (0..BITS)
                .filter(|place| told(*place) == bits[*place])
                .count() as i32;
            let p = self.response.truth().powi(kept)
                * (1.0 - self.response.truth()).powi(BITS as i32 - kept);
            let output = (0..BITS).map(|place| Output::Integer(told(place).into()));
            (Output::Vector(output.collect()), p)
        });
        Ok(Some(law.collect()))
    }
}

/// The places of the two largest noisy answers, with the noise of one; of equal ones the first comes first.
struct TwoLargest {
    noise: Noise,
}

impl Mechanism for TwoLargest {
    fn draw(&self, data: &Value, coins: &mut ChaCha) -> Result<Output, TargetError> {
        let noisy = |(place, answer): (usize, i64)| Ok((answer + self.noise.draw(coins)?, place));
        let answers = integers(data)?.into_iter().enumerate().map(noisy);
        let mut answers = answers.collect::<Result<Vec<_>, TargetError>>()?;
        answers.sort_by_key(|(noisy, place)| (Reverse(*noisy), *place));
        let places = answers.iter().take(2);
        Ok(Output::Vector(
            places
                .map(|(_, place)| Output::Integer(*place as i128))
                .collect(),
        ))
    }

    fn law(&self, data: &Value) -> Result<Option<Vec<(Output, f64)>>, TargetError> {
        let answers = integers(data)?;
        // The probability that `place` comes before one with the noisy answer `v` at `other`.
        let before = |place: usize, other: usize, v: i64| {
            let least = v + i64::from(place > other);
            1.0 - self.noise.cdf(least - 1 - answers[place])
        };
        let mut law = Vec::new();
        for first in 0..answers.len() {
            for second in (0..answers.len()).filter(|second| *second != first) {
                let others = || (0..answers.len()).filter(|one| ![first, second].contains(one));
                let at = |v: i64| {
                    let after: f64 = others().map(|one| 1.0 - before(one, second, v)).product();
                    self.noise.pmf(v - answers[second]) * before(first, second, v) * after
                };
                let places = [first, second].map(|place| Output::Integer(place as i128));
                law.push((Output::Vector(places.to_vec()), (-150..=150).map(at).sum()));
            }
        }
        Ok(Some(law))
    }
}

/// The losses of the numbers 0 to 20 as a median: the records on the side that has more.
fn on_the_larger_side(data: &Value) -> Result<Vec<i64>, TargetError> {
    let records = integers(data)?;
    let losses = (0..=20).map(|median| {
        let below = records.iter().filter(|record| **record < median).count();
        let above = records.iter().filter(|record| **record > median).count();
        below.max(above) as i64
    });
    Ok(losses.collect())
}

pub(super) fn all() -> Result<Vec<Specimen>, TargetError> {
    let one = || ratio(1, 1);
    let queries = specimen(
        "two-largest",
        "the places of two, with the noise of one",
        [json!([1, 1, 0, 0, 0]), json!([0, 0, 1, 1, 1])],
        TwoLargest {
            noise: Noise::new(ratio(2, 1))?,
        },
    )?;
    Ok(vec![
        specimen(
            "spent-twice",
            "two answers, each with the whole budget",
            [json!([0, 0, 0]), json!([0, 0, 1])],
            SpentTwice {
                noise: Noise::new(one())?,
            },
        )?,
        specimen(
            "bits-for-one",
            "two bits of a unary encoding tell of a record, each with the whole budget",
            [json!([0]), json!([1])],
            Bits {
                response: RandomisedResponse { epsilon: one() },
            },
        )?,
        specimen(
            "median-without-two",
            "the factor two is missing in a median by the exponential mechanism",
            [
                json!([0, 0, 0, 9, 9, 12, 20, 20]),
                json!([0, 0, 0, 9, 9, 12, 20, 0]),
            ],
            Exponential {
                epsilon: ratio(2, 1),
                losses: on_the_larger_side,
            },
        )?,
        Specimen {
            relation: None,
            ..queries
        },
    ])
}
