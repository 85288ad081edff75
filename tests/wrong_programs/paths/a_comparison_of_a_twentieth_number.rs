//! Nineteen coins, and then a number below a million is compared with one that the record moves by one.
use crate::program::*;

pub const REASON: &str = "with another outcome of draw 20";

pub fn reports() -> Vec<Report> {
    let program = |record: &u64, coins: &mut Meter| {
        public(coins);
        for _ in 0..19 {
            coins.bernoulli(&ratio(1, 2))?;
        }
        Ok(coins.below(1_000_000)? < 500_000 + record)
    };
    metered(program, [0, 1], &nothing())
}
