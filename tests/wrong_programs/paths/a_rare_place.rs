//! The same at a rare place of a public table.
use crate::program::*;

pub const REASON: &str = "equal outcomes gave different results";

pub fn reports() -> Vec<Report> {
    let program = |record: &i64, coins: &mut Meter| {
        public(coins);
        let place = coins.pick(&table("a place", small(30))?)?;
        Ok((place == 0).then_some(*record))
    };
    metered(program, [0, 1], &nothing())
}
