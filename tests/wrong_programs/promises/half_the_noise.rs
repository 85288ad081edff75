//! Noise for half of the sensitivity.
use crate::program::*;

pub const REASON: &str = "of its promise";

pub fn reports() -> Vec<Report> {
    let program = |record: &i64, coins: &mut Meter| {
        once(coins, integer(1));
        noisy(*record, 1, coins)
    };
    metered(program, [0, 2], &pure(integer(1)))
}
