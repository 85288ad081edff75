//! The same with two rare coins in a row: once in a million runs.
use crate::program::*;

pub const REASON: &str = "equal outcomes gave different results";

pub fn reports() -> Vec<Report> {
    let program = |record: &i64, coins: &mut Meter| {
        public(coins);
        let rare = ratio(1, 1000);
        Ok((coins.bernoulli(&rare)? && coins.bernoulli(&rare)?).then_some(*record))
    };
    metered(program, [0, 1], &nothing())
}
