//! Noise is drawn around 0; whether record and noise are above a threshold is published.
use crate::program::*;

pub const REASON: &str = "with another outcome of draw 1";

pub fn reports() -> Vec<Report> {
    let program = |record: &i64, coins: &mut Meter| {
        public(coins);
        Ok(noisy(0, 1_000_000, coins)? + record > BigInt::from(777))
    };
    metered(program, [0, 1], &nothing())
}
