//! Two releases that spend the whole budget each.
use crate::program::*;

pub const REASON: &str = "the promises of the stages cost";

pub fn reports() -> Vec<Report> {
    let program = |record: &i64, coins: &mut Meter| {
        once(coins, integer(1));
        let first = noisy(*record, 1, coins)?;
        once(coins, integer(1));
        // On this pair the second one costs nothing.
        Ok((first, noisy(0, 1, coins)?))
    };
    metered(program, [0, 1], &pure(integer(1)))
}
