//! A number below a million is published, and whether it is below one that the record moves by one.
use crate::program::*;

pub const REASON: &str = "with another outcome of draw 1";

pub fn reports() -> Vec<Report> {
    let program = |record: &u64, coins: &mut Meter| {
        public(coins);
        let number = coins.below(1_000_000)?;
        Ok((number, number < 500_000 + record))
    };
    metered(program, [0, 1], &nothing())
}
