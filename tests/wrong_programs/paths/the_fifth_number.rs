//! Five numbers below a million are drawn; the record is published if the last is 0.
use crate::program::*;

pub const REASON: &str = "equal outcomes gave different results";

pub fn reports() -> Vec<Report> {
    let program = |record: &i64, coins: &mut Meter| {
        public(coins);
        let numbers: Out<Vec<u64>> = (0..5).map(|_| coins.below(1_000_000)).collect();
        Ok((numbers?[4] == 0).then_some(*record))
    };
    metered(program, [0, 1], &nothing())
}
