//! One coordinate has noise, and the other none.
use crate::program::*;

pub const REASON: &str = "equal outcomes gave different results";

pub fn reports() -> Vec<Report> {
    let program = |record: &[i64; 2], coins: &mut Meter| {
        once(coins, integer(1));
        Ok((noisy(record[0], 1, coins)?, record[1]))
    };
    metered(program, [[0, 0], [1, 1]], &pure(integer(1)))
}
