//! A coin by hand: what a word leaves, divided by a hundred, is compared with a number that the record moves by one.
use crate::program::*;

pub const REASON: &str = "with another outcome of draw 1";

pub fn reports() -> Vec<Report> {
    let program = |record: &u64, coins: &mut Meter| {
        public(coins);
        Ok(coins.bits(64)? % 100 < 50 + record)
    };
    metered(program, [0, 1], &nothing())
}
