//! Leaks in the bits of floats.

use super::choice::RandomisedResponse;
use crate::specimen::{Mechanism, Noise, Specimen, integers, last_bit, specimen};
use crate::targets::{Output, TargetError};
use dp_assay::coins::{ChaCha, Coins};
use dp_assay::number::rational::ratio;
use serde_json::{Value, json};

/// The sum with Laplace noise by inversion, in doubles (Mironov 2012).
struct Textbook {
    scale: f64,
}

impl Mechanism for Textbook {
    fn draw(&self, data: &Value, coins: &mut ChaCha) -> Result<Output, TargetError> {
        let sum = integers(data)?.iter().sum::<i64>() as f64;
        let uniform = coins.bits(53)? as f64 * 2f64.powi(-53) - 0.5;
        let noise = -uniform.signum() * (1.0 - 2.0 * uniform.abs()).ln();
        Ok(Output::float(sum + self.scale * noise))
    }
}

/// The sum with noise on multiples of 3/64: the sums 0 and 1 have no output in common.
struct Lattice {
    noise: Noise,
}

impl Mechanism for Lattice {
    fn draw(&self, data: &Value, coins: &mut ChaCha) -> Result<Output, TargetError> {
        let sum: i64 = integers(data)?.iter().sum();
        let steps = self.noise.draw(coins)?;
        Ok(Output::float((64 * sum + 3 * steps) as f64 / 64.0))
    }

    fn law(&self, data: &Value) -> Result<Option<Vec<(Output, f64)>>, TargetError> {
        let sum: i64 = integers(data)?.iter().sum();
        let law = (-600..=600).map(|k| {
            (
                Output::float((64 * sum + 3 * k) as f64 / 64.0),
                self.noise.pmf(k),
            )
        });
        Ok(Some(law.collect()))
    }
}

/// NaN, and in its bits the last record by randomised response.
struct Payload {
    response: RandomisedResponse,
}

impl Payload {
    fn nan(bit: bool) -> Output {
        Output::Float(f64::NAN.to_bits() + 1 + u64::from(bit))
    }
}

impl Mechanism for Payload {
    fn draw(&self, data: &Value, coins: &mut ChaCha) -> Result<Output, TargetError> {
        Ok(Self::nan(self.response.answer(last_bit(data)?, coins)?))
    }

    fn law(&self, data: &Value) -> Result<Option<Vec<(Output, f64)>>, TargetError> {
        let bit = last_bit(data)?;
        let truth = self.response.truth();
        Ok(Some(vec![
            (Self::nan(bit), truth),
            (Self::nan(!bit), 1.0 - truth),
        ]))
    }
}

pub(super) fn all() -> Result<Vec<Specimen>, TargetError> {
    let pair = || [json!([0, 0]), json!([0, 1])];
    let textbook = "Laplace noise by inversion in doubles: the lowest bits tell the sum";
    let lattice = "noise on multiples of 3/64: which outputs are possible tells the sum";
    let noise = Noise::new(ratio(64, 3))?;
    let half = "the same with half the noise: its values tell the sum too";
    let payload = "nothing but NaN, whose bits tell the last record with epsilon = 2";
    let [whole_scale, half_scale] = [1.0, 0.5].map(|scale| Textbook { scale });
    let response = RandomisedResponse {
        epsilon: ratio(2, 1),
    };
    Ok(vec![
        specimen("textbook-float-laplace", textbook, pair(), whole_scale)?,
        specimen("textbook-float-laplace-2", half, pair(), half_scale)?,
        specimen("nan-payload", payload, pair(), Payload { response })?,
        specimen("lattice-hole", lattice, pair(), Lattice { noise })?,
    ])
}
