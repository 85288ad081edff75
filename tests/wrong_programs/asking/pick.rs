//! A place of a table that the record makes.
use crate::program::*;

pub const REASON: &str = "a draw keeps no promise of this kind";

pub fn reports() -> Vec<Report> {
    let program = |record: &i64, coins: &mut Meter| {
        public(coins);
        coins.pick(&table("a place", ratio(50 + record, 100))?)
    };
    metered(program, [0, 1], &nothing())
}
