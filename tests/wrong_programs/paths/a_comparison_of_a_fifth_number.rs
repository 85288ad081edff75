//! Four coins, and then a number below a million is compared with one that the record moves by one.
use crate::program::*;

pub const REASON: &str = "with another outcome of draw 5";

pub fn reports() -> Vec<Report> {
    let program = |record: &u64, coins: &mut Meter| {
        public(coins);
        coins.bits(4)?;
        for _ in 0..3 {
            coins.bernoulli(&ratio(1, 2))?;
        }
        Ok(coins.below(1_000_000)? < 500_000 + record)
    };
    metered(program, [0, 1], &nothing())
}
