//! It promises what the record costs.
use crate::program::*;

pub const REASON: &str = "the runs parted";

pub fn reports() -> Vec<Report> {
    let program = |record: &i64, coins: &mut Meter| {
        once(coins, integer(1 + record));
        coins.draw(&DiscreteLaplace::new(integer(2))?.around(*record))
    };
    metered(program, [0, 1], &pure(integer(2)))
}
