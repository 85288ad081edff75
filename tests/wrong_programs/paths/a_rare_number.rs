//! The same if a number below a million is 0.
use crate::program::*;

pub const REASON: &str = "equal outcomes gave different results";

pub fn reports() -> Vec<Report> {
    let program = |record: &i64, coins: &mut Meter| {
        public(coins);
        Ok((coins.below(1_000_000)? == 0).then_some(*record))
    };
    metered(program, [0, 1], &nothing())
}
