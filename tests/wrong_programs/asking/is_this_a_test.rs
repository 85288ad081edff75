//! It publishes the record unless no bits were drawn, as on the second side of a meter.
use crate::program::*;

pub const REASON: &str = "asked how many bits were drawn";

pub fn reports() -> Vec<Report> {
    let program = |record: &i64, coins: &mut Meter| {
        public(coins);
        let coin = coins.bernoulli(&ratio(1, 2))?;
        Ok((coin, if coins.consumed() == 0 { 0 } else { *record }))
    };
    metered(program, [0, 1_000_000], &nothing())
}
