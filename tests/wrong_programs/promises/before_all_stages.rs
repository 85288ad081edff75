//! A release before the first stage, which promises nothing.
use crate::program::*;

pub const REASON: &str = "a draw stands before all stages";

pub fn reports() -> Vec<Report> {
    let program = |record: &i64, coins: &mut Meter| {
        let first = noisy(*record, 2, coins)?;
        once(coins, ratio(1, 2));
        Ok((first, noisy(*record, 2, coins)?))
    };
    metered(program, [0, 1], &pure(integer(1)))
}
