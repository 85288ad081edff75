//! A coin whose bias is no probability for one record: the error is the coin's.
use crate::program::*;

pub const REASON: &str = "the runs parted";

pub fn reports() -> Vec<Report> {
    let program = |record: &i64, coins: &mut Meter| {
        public(coins);
        coins.bernoulli(&ratio(*record, 1000))
    };
    metered(program, [1001, 1002], &nothing())
}
