//! The number of draws is the record's, and only the last is published.
use crate::program::*;

pub const REASON: &str = "the runs parted";

pub fn reports() -> Vec<Report> {
    let program = |record: &i64, coins: &mut Meter| {
        public(coins);
        let mut last = noisy(0, 1, coins)?;
        for _ in 0..*record {
            last = noisy(0, 1, coins)?;
        }
        Ok(last)
    };
    metered(program, [1, 2], &nothing())
}
