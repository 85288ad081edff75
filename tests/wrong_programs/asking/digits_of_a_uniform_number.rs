//! Digits of a uniform number are drawn until it is known whether it is below one that the record moves by little.
use crate::program::*;
use dp_assay::coins::Uniform;

pub const REASON: &str = "with another outcome of draw 1";

pub fn reports() -> Vec<Report> {
    let program = |record: &i64, coins: &mut Meter| {
        public(coins);
        let p = ratio(100_000 + record, 300_000);
        Uniform::new().falls_below(|| coins.bits(1), |bits| Ok(Enclosure::of(&p, bits)))
    };
    metered(program, [0, 1], &nothing())
}
