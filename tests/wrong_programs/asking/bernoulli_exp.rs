//! An exponential coin with the record as its exponent.
use crate::program::*;

pub const REASON: &str = "a draw keeps no promise of this kind";

pub fn reports() -> Vec<Report> {
    let program = |record: &i64, coins: &mut Meter| {
        public(coins);
        coins.bernoulli_exp(&integer(*record))
    };
    metered(program, [0, 3], &nothing())
}
