//! A public number below a million publishes the record if it is 141421.
use crate::program::*;

pub fn reports() -> Vec<Report> {
    let program = |record: &i64, coins: &mut Meter| {
        public(coins);
        Ok((coins.below(1_000_000)? == 141_421).then_some(*record))
    };
    metered(program, [0, 1], &nothing())
}
