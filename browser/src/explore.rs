//! The library's explorer runs a sampler of the reference on every outcome of its coins, beside the stated law.

use crate::laws::{Named, Sampler};
use crate::lent::lend;
use dp_assay::coins::{Explored, Explorer, Layer};
use dp_assay::number::{Rational, rational};
use num_bigint::BigInt;
use num_traits::Zero;
use serde::Deserialize;
use serde_json::{Value, json};

/// The most runs of one question.
const MOST_RUNS: usize = 100_000;

/// The most outcomes that are shown.
const MOST_SHOWN: usize = 21;

/// Significant digits of what is shown, and the precision of what is compared, in bits.
const DIGITS: u32 = 6;
const PRECISION: u32 = 128;

/// Run this sampler on every outcome of these coins, at most so often.
#[derive(Debug, Deserialize)]
pub struct Question {
    #[serde(flatten)]
    law: Named,
    coins: Coins,
    runs: usize,
}

/// Whose outcomes are branched over; each includes those before it.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Coins {
    /// Fair bits.
    Bits,
    /// And uniform integers.
    UniformBelow,
    /// And Bernoulli(p).
    Bernoulli,
    /// And Bernoulli(exp(-x)).
    BernoulliExp,
}

impl From<Coins> for Layer {
    fn from(coins: Coins) -> Self {
        match coins {
            Coins::Bits => Self::Bits,
            Coins::UniformBelow => Self::UniformBelow,
            Coins::Bernoulli => Self::Bernoulli,
            Coins::BernoulliExp => Self::BernoulliExp,
        }
    }
}

impl Question {
    /// `outcomes` with what was found and what is stated of each, from the likeliest ones outward in their order; how many were found
    /// in all, in how many `runs`; what is `undecided`; the first that is `ruled_out`.
    pub fn answer(&self) -> Result<Value, String> {
        if !(1..=MOST_RUNS).contains(&self.runs) {
            return Err(format!("runs are from 1 to {MOST_RUNS}, got {}", self.runs));
        }
        let sampler = self.law.sampler()?;
        let layer = self.coins.into();
        let explored = Explorer::new(layer, self.runs)
            .explore(|run| lend(run, layer, |coins| sampler.sample(coins)))
            .map_err(|error| error.to_string())?;
        told(&sampler, &explored)
    }
}

/// What was found beside what is stated.
fn told(sampler: &Sampler, explored: &Explored<BigInt>) -> Result<Value, String> {
    let mut all = explored.lower.clone();
    for outcome in sampler.likeliest() {
        all.entry(outcome).or_insert_with(Rational::zero);
    }
    let undecided = &explored.undecided;
    let mut rows = Vec::new();
    let mut ruled_out = None;
    for (outcome, lower) in &all {
        let stated = sampler.stated(outcome, PRECISION);
        let stated = stated.map_err(|error| error.to_string())?;
        let upper = lower + undecided;
        let allowed = stated[1] >= *lower && stated[0] <= upper;
        if !allowed && ruled_out.is_none() {
            ruled_out = Some(outcome.to_string());
        }
        rows.push((outcome, lower, upper, stated, allowed));
    }
    // The likeliest as stated, in their order.
    let least = {
        let mut stated: Vec<&Rational> = rows.iter().map(|row| &row.3[0]).collect();
        stated.sort();
        stated
            .iter()
            .rev()
            .nth(MOST_SHOWN - 1)
            .map(|least| (*least).clone())
    };
    let is_shown = |stated: &Rational| least.as_ref().is_none_or(|least| stated >= least);
    let below = |value: &Rational| rational::to_scientific_below(value, DIGITS);
    let above = |value: &Rational| rational::to_scientific_above(value, DIGITS);
    let shown = rows.iter().filter(|row| is_shown(&row.3[0]) || !row.4);
    let shown = shown
        .take(2 * MOST_SHOWN)
        .map(|(outcome, lower, upper, stated, allowed)| {
            json!({
                "outcome": outcome.to_string(),
                "found": [below(lower), above(upper)],
                "stated": [below(&stated[0]), above(&stated[1])],
                "allowed": allowed,
            })
        });
    Ok(json!({
        "outcomes": shown.collect::<Vec<_>>(),
        "compared": rows.len(),
        "runs": explored.runs,
        "undecided": above(undecided),
        "ruled_out": ruled_out,
        "mistake": sampler.mistake(),
    }))
}
