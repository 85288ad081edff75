//! The same if a number below a million is the largest.
use crate::program::*;

pub const REASON: &str = "equal outcomes gave different results";

pub fn reports() -> Vec<Report> {
    let program = |record: &i64, coins: &mut Meter| {
        public(coins);
        let n = BigUint::from(1_000_000u32);
        Ok((coins.uniform_below(&n)? + 1u32 == n).then_some(*record))
    };
    metered(program, [0, 1], &nothing())
}
