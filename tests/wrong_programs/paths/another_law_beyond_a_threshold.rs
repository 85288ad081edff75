//! Whether record and noise are above a threshold decides how many coins are thrown.
use crate::program::*;

pub const REASON: &str = "with another outcome of draw 1";

pub fn reports() -> Vec<Report> {
    let program = |record: &i64, coins: &mut Meter| {
        public(coins);
        let above = noisy(0, 1_000_000, coins)? + record > BigInt::from(777);
        let mut last = coins.bits(20)?;
        if above {
            last = coins.bits(20)?;
        }
        Ok(last)
    };
    metered(program, [0, 1], &nothing())
}
