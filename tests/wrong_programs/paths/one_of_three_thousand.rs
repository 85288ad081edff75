//! One record of three thousand is published, drawn uniformly.
use crate::program::*;

pub const REASON: &str = "with another outcome of draw 1";

pub fn reports() -> Vec<Report> {
    let program = |record: &i64, coins: &mut Meter| {
        public(coins);
        let place = coins.below(3000)? as i64;
        Ok(if place == 1517 { *record } else { place })
    };
    metered(program, [-1, -2], &nothing())
}
