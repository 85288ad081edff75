//! A public coin publishes the record once in a thousand runs.
use crate::program::*;

pub const REASON: &str = "equal outcomes gave different results";

pub fn reports() -> Vec<Report> {
    let program = |record: &i64, coins: &mut Meter| {
        public(coins);
        Ok(coins.bernoulli(&ratio(1, 1000))?.then_some(*record))
    };
    metered(program, [0, 1], &nothing())
}
