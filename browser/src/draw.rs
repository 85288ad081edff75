//! Exact noise, drawn by the reference from the coins that the page brings: bytes of the browser's cryptographic generator.

use crate::laws::Named;
use dp_assay_reference::Error;
use dp_assay_reference::coins::{Coins as _, Tape};
use serde::Deserialize;
use serde_json::{Value, json};

/// The most draws of one question.
const MOST: usize = 100_000;

/// How many draws, from which law, by which coins.
#[derive(Debug, Deserialize)]
pub struct Question {
    #[serde(flatten)]
    law: Named,
    count: usize,
    /// Fair bits, in hexadecimal digits, which nobody else sees.
    coins: String,
}

impl Question {
    /// `drawn`, and how many `bits` of the coins it took; `more` if the coins did not last, and then nothing is drawn: the same coins and
    /// more behind them are to be brought, so that the draws are a function of one endless tape.
    pub fn answer(&self) -> Result<Value, String> {
        if self.count > MOST {
            return Err(format!("at most {MOST} draws at once, got {}", self.count));
        }
        let law = self.law.sampler()?;
        let mut bits = Vec::with_capacity(4 * self.coins.len());
        for digit in self.coins.chars() {
            let value = digit.to_digit(16).ok_or("coins are hexadecimal digits")?;
            bits.extend((0..4).rev().map(|place| value >> place & 1 == 1));
        }
        let mut coins = Tape::new(bits);
        let mut drawn = Vec::with_capacity(self.count);
        for _ in 0..self.count {
            match law.sample(&mut coins) {
                Ok(value) => drawn.push(value.to_string()),
                Err(Error::Coins(_)) => return Ok(json!({ "more": true })),
                Err(error) => return Err(error.to_string()),
            }
        }
        Ok(json!({ "drawn": drawn, "bits": coins.consumed() }))
    }
}
