//! A public table with the record as its label.
use crate::program::*;

pub const REASON: &str = "equal laws have different labels";

pub fn reports() -> Vec<Report> {
    let program = |record: &i64, coins: &mut Meter| {
        public(coins);
        coins.draw(&table(record.to_string(), ratio(1, 2))?)
    };
    metered(program, [1, 2], &nothing())
}
