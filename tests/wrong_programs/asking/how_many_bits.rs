//! As many bits as the record says.
use crate::program::*;

pub const REASON: &str = "a draw keeps no promise of this kind";

pub fn reports() -> Vec<Report> {
    let program = |record: &u32, coins: &mut Meter| {
        public(coins);
        coins.bits(*record)
    };
    metered(program, [9, 8], &nothing())
}
