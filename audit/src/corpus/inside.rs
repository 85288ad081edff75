//! Leaks inside of texts, bytes and objects, beside much that tells nothing.

use super::choice::RandomisedResponse;
use crate::specimen::{Mechanism, Noise, Specimen, Truth, last_bit, specimen};
use crate::targets::{Output, TargetError};
use dp_assay::coins::{ChaCha, Coins};
use dp_assay::number::rational::ratio;
use serde_json::{Value, json};

/// The letters of a text, or the bytes, and which of them tells.
const LENGTH: usize = 24;
const TELLS: usize = 11;

/// Random letters, and one in the middle that tells the last record by randomised response.
struct Letters {
    response: RandomisedResponse,
}

impl Mechanism for Letters {
    fn draw(&self, data: &Value, coins: &mut ChaCha) -> Result<Output, TargetError> {
        let told = self.response.answer(last_bit(data)?, coins)?;
        let mut text = String::new();
        for place in 0..LENGTH {
            let letter = match place {
                TELLS => 2 * (coins.bits(3)? as u8) + u8::from(told),
                _ => coins.bits(4)? as u8,
            };
            text.push(char::from(b'a' + letter));
        }
        Ok(Output::Label(text))
    }
}

/// Random bytes, and a bit in the middle that tells the last record by randomised response.
struct Bytes {
    response: RandomisedResponse,
}

impl Mechanism for Bytes {
    fn draw(&self, data: &Value, coins: &mut ChaCha) -> Result<Output, TargetError> {
        let told = self.response.answer(last_bit(data)?, coins)?;
        let mut bytes = Vec::new();
        for place in 0..LENGTH {
            let byte = coins.bits(8)? as u8;
            bytes.push(match place {
                TELLS => (byte & !8) | (u8::from(told) << 3),
                _ => byte,
            });
        }
        Ok(Output::Bytes(bytes))
    }
}

/// Counts by group, each with noise that is enough. The last record has a group of its own; another group is shown half of
/// the time, whatever it holds, and so is that one, if it holds anything.
struct Groups {
    noise: Noise,
}

impl Mechanism for Groups {
    fn draw(&self, data: &Value, coins: &mut ChaCha) -> Result<Output, TargetError> {
        let has_group = last_bit(data)?;
        let shown = coins.bits(2)?;
        let groups = [
            ("all", true),
            ("public", shown & 1 == 1),
            ("rare", has_group && shown & 2 == 2),
        ];
        let (mut names, mut counts) = (Vec::new(), Vec::new());
        for (name, is_shown) in groups {
            if is_shown {
                names.push(name.to_owned());
                counts.push(Output::Integer(self.noise.draw(coins)?.into()));
            }
        }
        Ok(Output::Object(names, counts))
    }
}

pub(super) fn all() -> Result<Vec<Specimen>, TargetError> {
    let pair = || [json!([0, 0]), json!([0, 1])];
    let response = || RandomisedResponse {
        epsilon: ratio(2, 1),
    };
    // By post-processing of the response, and since the letter and the bit show it.
    let of_response = Truth {
        epsilon: 2.0,
        exact: true,
        disjoint: Some(0.0),
    };
    let text = "a letter in the middle of a text tells the last record with epsilon = 2";
    let bytes = "a bit in the middle of bytes tells the last record with epsilon = 2";
    let groups = "counts by group: the names tell the last record";
    let letters = specimen(
        "text-middle",
        text,
        pair(),
        Letters {
            response: response(),
        },
    )?;
    let bits = specimen(
        "bytes-middle",
        bytes,
        pair(),
        Bytes {
            response: response(),
        },
    )?;
    let names = specimen(
        "group-names",
        groups,
        pair(),
        Groups {
            noise: Noise::new(ratio(2, 1))?,
        },
    )?;
    Ok(vec![
        Specimen {
            truth: of_response,
            ..letters
        },
        Specimen {
            truth: of_response,
            ..bits
        },
        Specimen {
            truth: Truth {
                disjoint: Some(0.5),
                ..names.truth
            },
            ..names
        },
    ])
}
