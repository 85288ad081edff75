//! A table of the record, by coins that use again what is left of a word.
use crate::program::*;
use dp_assay::coins::Recycled;

pub const REASON: &str = "called a sampler";

pub fn reports() -> Vec<Report> {
    let program = |record: &i64, coins: &mut Meter| {
        public(coins);
        Recycled::new(coins).pick(&table("a place", ratio(5000 + record, 10_000))?)
    };
    metered(program, [0, 1], &nothing())
}
