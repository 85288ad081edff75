//! Two tables of one label that no word of 64 bits tells apart: 2^-66 and 2^-70.
use crate::program::*;

pub const REASON: &str = "a draw keeps no promise of this kind";

pub fn reports() -> Vec<Report> {
    let program = |record: &u32, coins: &mut Meter| {
        public(coins);
        coins.draw(&table("a weight", small(*record))?)
    };
    metered(program, [66, 70], &nothing())
}
