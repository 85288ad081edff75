//! A coin with the bias of the record.
use crate::program::*;

pub const REASON: &str = "a draw keeps no promise of this kind";

pub fn reports() -> Vec<Report> {
    let program = |record: &i64, coins: &mut Meter| {
        public(coins);
        coins.bernoulli(&ratio(*record, 1000))
    };
    metered(program, [500, 501], &nothing())
}
