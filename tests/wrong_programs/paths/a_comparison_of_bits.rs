//! A coin by hand: 53 bits are compared with a threshold that the record moves by little.
use crate::program::*;

pub const REASON: &str = "with another outcome of draw 1";

pub fn reports() -> Vec<Report> {
    let program = |record: &u64, coins: &mut Meter| {
        public(coins);
        Ok(coins.bits(53)? < (1 << 52) + 1000 * record)
    };
    metered(program, [0, 1], &nothing())
}
