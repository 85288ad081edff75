//! The same with probability e^-20.
use crate::program::*;

pub const REASON: &str = "equal outcomes gave different results";

pub fn reports() -> Vec<Report> {
    let program = |record: &i64, coins: &mut Meter| {
        public(coins);
        Ok(coins.bernoulli_exp(&integer(20))?.then_some(*record))
    };
    metered(program, [0, 1], &nothing())
}
