//! The record is the sign of a zero: 0.0 == -0.0.
use crate::program::*;

pub const REASON: &str = "equal outcomes gave different results";

pub fn reports() -> Vec<Report> {
    let program = |record: &bool, coins: &mut Meter| {
        public(coins);
        let coin = coins.bernoulli(&ratio(1, 2))?;
        Ok((coin, if *record { -0.0 } else { 0.0 }))
    };
    metered(program, [false, true], &nothing())
}
