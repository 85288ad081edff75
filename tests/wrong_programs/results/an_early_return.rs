//! A sum that is too large ends it before the first draw.
use crate::program::*;

pub const REASON: &str = "the runs parted";

pub fn reports() -> Vec<Report> {
    let program = |records: &[u8; 2], coins: &mut Meter| {
        let sum = records[0].checked_add(records[1]).ok_or(CoinsError::NoOutcome)?;
        once(coins, integer(1));
        noisy(sum.into(), 1, coins)
    };
    metered(program, [[255, 0], [255, 1]], &pure(integer(1)))
}
