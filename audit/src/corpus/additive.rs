//! A count with noise: right, with too little of it, and with a hole in its support.

use crate::specimen::{Mechanism, Noise, Specimen, integers, specimen};
use crate::targets::{Output, TargetError};
use dp_assay::coins::{ChaCha, Coins};
use dp_assay::number::rational::ratio;
use dp_assay::sample::Geometric;
use num_traits::ToPrimitive;
use serde_json::{Value, json};

/// Outputs that are listed.
const RANGE: std::ops::RangeInclusive<i64> = -60..=60;

/// The sum with discrete Laplace noise, clamped to a range if there is one.
struct Sum {
    noise: Noise,
    clamp: Option<(i64, i64)>,
}

impl Mechanism for Sum {
    fn draw(&self, data: &Value, coins: &mut ChaCha) -> Result<Output, TargetError> {
        let value = integers(data)?.iter().sum::<i64>() + self.noise.draw(coins)?;
        let value = self.clamp.map_or(value, |(lo, hi)| value.clamp(lo, hi));
        Ok(Output::Integer(value.into()))
    }

    fn law(&self, data: &Value) -> Result<Option<Vec<(Output, f64)>>, TargetError> {
        let sum: i64 = integers(data)?.iter().sum();
        let (lo, hi) = self.clamp.unwrap_or((*RANGE.start(), *RANGE.end()));
        let law = (lo..=hi).map(|k| {
            let p = match self.clamp {
                Some(_) if k == lo => self.noise.cdf(k - sum),
                Some(_) if k == hi => self.noise.cdf(sum - k),
                _ => self.noise.pmf(k - sum),
            };
            (Output::Integer(k.into()), p)
        });
        Ok(Some(law.collect()))
    }
}

/// The sum with two-sided geometric noise whose magnitude starts at one: the sum itself never comes.
struct WithoutZero {
    magnitude: Geometric,
    q: f64,
}

impl Mechanism for WithoutZero {
    fn draw(&self, data: &Value, coins: &mut ChaCha) -> Result<Output, TargetError> {
        let sum: i64 = integers(data)?.iter().sum();
        let magnitude = coins
            .draw(&self.magnitude)?
            .to_i64()
            .unwrap_or(i64::MAX / 4)
            + 1;
        let noise = if coins.bits(1)? == 1 {
            -magnitude
        } else {
            magnitude
        };
        Ok(Output::Integer((sum + noise).into()))
    }

    fn law(&self, data: &Value) -> Result<Option<Vec<(Output, f64)>>, TargetError> {
        let sum: i64 = integers(data)?.iter().sum();
        let law = RANGE.map(|k| {
            let p = match (k - sum).unsigned_abs() {
                0 => 0.0,
                magnitude => (1.0 - self.q) / 2.0 * self.q.powf((magnitude - 1) as f64),
            };
            (Output::Integer(k.into()), p)
        });
        Ok(Some(law.collect()))
    }
}

pub(super) fn all() -> Result<Vec<Specimen>, TargetError> {
    let pair = || [json!([0, 0, 0]), json!([0, 0, 1])];
    let mut all = Vec::new();
    // The scale is 1 / (factor epsilon).
    for (name, about, numerator, denominator) in [
        ("discrete-laplace", "right: epsilon is exactly 1", 1, 1),
        ("discrete-laplace-1.01", "noise too small by 1.01", 100, 101),
        ("discrete-laplace-1.05", "noise too small by 1.05", 20, 21),
        ("discrete-laplace-1.2", "noise too small by 1.2", 5, 6),
        ("discrete-laplace-2", "half the noise", 1, 2),
    ] {
        let noise = Noise::new(ratio(numerator, denominator))?;
        all.push(specimen(name, about, pair(), Sum { noise, clamp: None })?);
    }
    let noise = Noise::new(ratio(1, 1))?;
    let clamp = Some((0, 3));
    all.push(specimen(
        "geometric-clamped",
        "right: two-sided geometric noise, clamped to the range of the sum",
        pair(),
        Sum { noise, clamp },
    )?);
    all.push(specimen(
        "geometric-without-zero",
        "off by one: noise 0 never comes, and so the sum itself does not",
        pair(),
        WithoutZero {
            magnitude: Geometric::new(ratio(1, 1))?,
            q: f64::exp(-1.0),
        },
    )?);
    Ok(all)
}
