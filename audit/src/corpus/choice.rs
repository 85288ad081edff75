//! Choices among a few outcomes: randomised response, the exponential mechanism, the noisy maximum, and
//! step 4 of Algorithm 2 of the halfspaces paper on eight hypotheses.

use crate::specimen::{Mechanism, Noise, Specimen, integers, last_bit, specimen};
use crate::targets::{Output, TargetError};
use dp_assay::coins::{ChaCha, Coins};
use dp_assay::number::{Rational, rational, rational::ratio};
use dp_assay::sample::{ExponentialMechanism, ScoreClass};
use num_traits::ToPrimitive;
use serde_json::{Value, json};

/// The last record, flipped with probability 1 / (1 + e^epsilon).
pub(super) struct RandomisedResponse {
    pub(super) epsilon: Rational,
}

impl RandomisedResponse {
    /// The probability of the truth.
    pub(super) fn truth(&self) -> f64 {
        1.0 / (1.0 + (-self.epsilon.to_f64().unwrap_or(f64::NAN)).exp())
    }

    pub(super) fn answer(&self, bit: bool, coins: &mut ChaCha) -> Result<bool, TargetError> {
        // A fair coin that is kept always if it is the truth, and with probability e^-epsilon if not.
        loop {
            let answer = coins.bits(1)? == 1;
            if answer == bit || coins.bernoulli_exp(&self.epsilon)? {
                return Ok(answer);
            }
        }
    }
}

impl Mechanism for RandomisedResponse {
    fn draw(&self, data: &Value, coins: &mut ChaCha) -> Result<Output, TargetError> {
        let answer = self.answer(last_bit(data)?, coins)?;
        Ok(Output::Integer(answer.into()))
    }

    fn law(&self, data: &Value) -> Result<Option<Vec<(Output, f64)>>, TargetError> {
        let bit = last_bit(data)?;
        let p = |answer| {
            if answer == bit {
                self.truth()
            } else {
                1.0 - self.truth()
            }
        };
        let law = [false, true].map(|answer| (Output::Integer(answer.into()), p(answer)));
        Ok(Some(law.to_vec()))
    }
}

/// The exponential mechanism on losses of sensitivity 1.
pub(super) struct Exponential {
    /// What it is run with: twice the claim where the factor two is missing.
    pub(super) epsilon: Rational,
    pub(super) losses: fn(&Value) -> Result<Vec<i64>, TargetError>,
}

impl Mechanism for Exponential {
    fn draw(&self, data: &Value, coins: &mut ChaCha) -> Result<Output, TargetError> {
        let class = |loss: i64| ScoreClass {
            loss: rational::integer(loss),
            count: 1u32.into(),
        };
        let classes = (self.losses)(data)?.into_iter().map(class).collect();
        let law = ExponentialMechanism::new(self.epsilon.clone(), ratio(1, 1), classes)?;
        // Few outcomes, and none of them bad: rejection is the faster way.
        Ok(Output::Integer(law.draw_class_by_rejection(coins)? as i128))
    }

    fn law(&self, data: &Value) -> Result<Option<Vec<(Output, f64)>>, TargetError> {
        let rate = self.epsilon.to_f64().unwrap_or(f64::NAN) / 2.0;
        let losses = (self.losses)(data)?;
        let weights: Vec<f64> = losses
            .iter()
            .map(|loss| (-rate * *loss as f64).exp())
            .collect();
        let total: f64 = weights.iter().sum();
        let law = weights
            .iter()
            .zip(0..)
            .map(|(w, index)| (Output::Integer(index), w / total));
        Ok(Some(law.collect()))
    }
}

/// The loss of each of five candidates: minus its votes.
fn votes(data: &Value) -> Result<Vec<i64>, TargetError> {
    let votes = integers(data)?;
    let losses =
        (0..5).map(|candidate| -(votes.iter().filter(|vote| **vote == candidate).count() as i64));
    Ok(losses.collect())
}

/// The loss of each of eight directions: how many records `[x, y, label]` it gets wrong, ties included.
fn halfspaces(data: &Value) -> Result<Vec<i64>, TargetError> {
    let records = data.as_array().ok_or_else(|| TargetError::Data {
        expected: "an array of records [x, y, label]",
        got: data.to_string(),
    })?;
    let records: Vec<Vec<i64>> = records.iter().map(integers).collect::<Result<_, _>>()?;
    if records.iter().any(|record| record.len() != 3) {
        return Err(TargetError::Data {
            expected: "records [x, y, label]",
            got: data.to_string(),
        });
    }
    let directions = [
        (1, 0),
        (1, 1),
        (0, 1),
        (-1, 1),
        (-1, 0),
        (-1, -1),
        (0, -1),
        (1, -1),
    ];
    let wrong = |(a, b): (i64, i64)| {
        let wrong = records
            .iter()
            .filter(|r| (a * r[0] + b * r[1]).signum() * r[2].signum() <= 0);
        wrong.count() as i64
    };
    Ok(directions.map(wrong).to_vec())
}

/// The largest of the noisy answers: its index, the first of several, or its value.
struct NoisyMax {
    noise: Noise,
    value: bool,
}

impl Mechanism for NoisyMax {
    fn draw(&self, data: &Value, coins: &mut ChaCha) -> Result<Output, TargetError> {
        let mut best: Option<(i64, usize)> = None;
        for (index, answer) in integers(data)?.into_iter().enumerate() {
            let noisy = answer + self.noise.draw(coins)?;
            if best.is_none_or(|(value, _)| noisy > value) {
                best = Some((noisy, index));
            }
        }
        let (value, index) = best.ok_or_else(|| TargetError::Data {
            expected: "at least one answer",
            got: data.to_string(),
        })?;
        Ok(Output::Integer(if self.value {
            value.into()
        } else {
            index as i128
        }))
    }

    fn law(&self, data: &Value) -> Result<Option<Vec<(Output, f64)>>, TargetError> {
        let answers = integers(data)?;
        let below = |value: i64, answers: &[i64]| -> f64 {
            answers
                .iter()
                .map(|answer| self.noise.cdf(value - answer))
                .product()
        };
        let law = if self.value {
            // Further up the difference would cancel.
            (-30..=30)
                .map(|v| {
                    (
                        Output::Integer(v.into()),
                        below(v, &answers) - below(v - 1, &answers),
                    )
                })
                .collect()
        } else {
            let at = |index: usize, v: i64| {
                let (before, after) = (&answers[..index], &answers[index + 1..]);
                self.noise.pmf(v - answers[index]) * below(v - 1, before) * below(v, after)
            };
            (0..answers.len())
                .map(|index| {
                    let p = (-150..=150).map(|v| at(index, v)).sum();
                    (Output::Integer(index as i128), p)
                })
                .collect()
        };
        Ok(Some(law))
    }
}

pub(super) fn all() -> Result<Vec<Specimen>, TargetError> {
    let mut all = Vec::new();
    for (name, about, numerator, denominator) in [
        ("randomised-response", "right: epsilon is exactly 1", 1, 1),
        (
            "randomised-response-1.01",
            "epsilon too large by 1.01",
            101,
            100,
        ),
        (
            "randomised-response-1.05",
            "epsilon too large by 1.05",
            21,
            20,
        ),
        ("randomised-response-1.2", "epsilon too large by 1.2", 6, 5),
        ("randomised-response-2", "twice the epsilon", 2, 1),
    ] {
        let epsilon = ratio(numerator, denominator);
        let pair = [json!([0]), json!([1])];
        all.push(specimen(name, about, pair, RandomisedResponse { epsilon })?);
    }
    let election = || [json!([0, 0, 0]), json!([0, 0, 1])];
    let learning = || {
        // A record far on one side, and the same with the other label.
        [
            json!([[2, 1, 1], [2, 1, 1]]),
            json!([[2, 1, 1], [2, 1, -1]]),
        ]
    };
    for (name, about, epsilon, halfspace) in [
        (
            "exponential-mechanism",
            "right: at most the claim",
            1,
            false,
        ),
        (
            "exponential-mechanism-without-two",
            "the factor two is missing",
            2,
            false,
        ),
        (
            "halfspaces",
            "right: step 4 of Algorithm 2 on eight hypotheses",
            1,
            true,
        ),
        (
            "halfspaces-without-two",
            "the same, and the factor two is missing",
            2,
            true,
        ),
    ] {
        let (pair, losses): (_, fn(&Value) -> _) = if halfspace {
            (learning(), halfspaces)
        } else {
            (election(), votes)
        };
        let epsilon = ratio(epsilon, 1);
        all.push(specimen(
            name,
            about,
            pair,
            Exponential { epsilon, losses },
        )?);
    }
    for (name, about, value, pair) in [
        (
            "noisy-max",
            "right: the index alone",
            false,
            [json!([0, 0, 0]), json!([1, 0, 0])],
        ),
        (
            "noisy-max-value",
            "the value is released too",
            true,
            [json!([0, 0, 0, 0, 0]), json!([1, 1, 1, 1, 1])],
        ),
    ] {
        let noise = Noise::new(ratio(2, 1))?;
        let found = specimen(name, about, pair, NoisyMax { noise, value })?;
        all.push(Specimen {
            relation: None,
            ..found
        });
    }
    Ok(all)
}
