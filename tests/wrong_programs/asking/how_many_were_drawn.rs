//! How many bits the sampler took, published: with another centre it would have taken others.
use crate::program::*;

pub const REASON: &str = "asked how many bits were drawn";

pub fn reports() -> Vec<Report> {
    let program = |record: &i64, coins: &mut Meter| {
        once(coins, integer(1));
        noisy(*record, 1, coins)?;
        Ok(coins.consumed())
    };
    metered(program, [0, 1], &pure(integer(1)))
}
