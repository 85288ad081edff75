//! Twenty bits are drawn until they are a number below one that the record moves by one, and that number is published.
use crate::program::*;

pub const REASON: &str = "with another outcome of draw 1";

pub fn reports() -> Vec<Report> {
    let program = |record: &u64, coins: &mut Meter| {
        public(coins);
        loop {
            let number = coins.bits(20)?;
            if number < 1_000_000 - record {
                return Ok(number);
            }
        }
    };
    metered(program, [0, 1], &nothing())
}
