//! One record draws from another law; the error is passed over, and both go on.
use crate::program::*;

pub const REASON: &str = "the runs parted";

pub fn reports() -> Vec<Report> {
    let program = |record: &i64, coins: &mut Meter| {
        public(coins);
        let _ = match record {
            0 => coins.bernoulli(&ratio(1, 2)),
            _ => coins.bits(1).map(|bit| bit == 1),
        };
        let _ = coins.bits(1);
        Ok(7u8)
    };
    metered(program, [0, 1], &nothing())
}
