//! A function of the library that releases a value, called with the coins and not as a law: the value moves by a thousandth
//! of a step.
use crate::program::*;
use dp_assay::prepared::{RealNoise, RoundedLaplace};

pub const REASON: &str = "which only samplers may";

pub fn reports() -> Vec<Report> {
    let noise = RoundedLaplace::new(integer(1), integer(1)).unwrap();
    let program = |record: &i64, coins: &mut Meter| {
        public(coins);
        let mut released = [0];
        noise.fill(&ratio(*record, 1000), coins, &mut released)?;
        Ok(released[0])
    };
    metered(program, [0, 1], &nothing())
}
