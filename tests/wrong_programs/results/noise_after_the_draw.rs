//! Noise is added to the record after the draw: the meter sees the same law twice.
use crate::program::*;

pub const REASON: &str = "equal outcomes gave different results";

pub fn reports() -> Vec<Report> {
    let program = |record: &i64, coins: &mut Meter| {
        once(coins, integer(1));
        Ok(noisy(0, 1, coins)? + record)
    };
    metered(program, [0, 1], &pure(integer(1)))
}
