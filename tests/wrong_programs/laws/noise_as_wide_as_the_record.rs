//! The noise has the scale of what the record makes of a median: as if that were public.
use crate::program::*;

pub const REASON: &str = "the noise depends on the data";

pub fn reports() -> Vec<Report> {
    let program = |record: &i64, coins: &mut Meter| {
        once(coins, integer(1));
        noisy(0, 1000 + record, coins)
    };
    metered(program, [0, 1], &pure(integer(1)))
}
