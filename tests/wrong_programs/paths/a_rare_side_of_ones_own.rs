//! The same at the rare side of a law of one's own.
use crate::program::*;

pub const REASON: &str = "equal outcomes gave different results";

pub fn reports() -> Vec<Report> {
    let program = |record: &i64, coins: &mut Meter| {
        public(coins);
        let rare = !coins.draw(&Response { bit: true, p: ratio(9999, 10_000) })?;
        Ok(rare.then_some(*record))
    };
    metered(program, [0, 1], &nothing())
}
