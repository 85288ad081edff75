//! The result is ready; then one record throws a coin more.
use crate::program::*;

pub const REASON: &str = "had ended";

pub fn reports() -> Vec<Report> {
    let program = |record: &i64, coins: &mut Meter| {
        once(coins, integer(1));
        let released = noisy(*record, 1, coins)?;
        if *record == 1 {
            coins.bernoulli(&ratio(1, 2))?;
        }
        Ok(released)
    };
    metered(program, [0, 1], &pure(integer(2)))
}
