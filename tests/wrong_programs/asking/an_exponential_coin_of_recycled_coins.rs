//! The same through coins that recycle.
use crate::program::*;
use dp_assay::coins::Recycled;

pub const REASON: &str = "called a sampler";

pub fn reports() -> Vec<Report> {
    let program = |record: &i64, coins: &mut Meter| {
        public(coins);
        Recycled::new(coins).bernoulli_exp(&integer(20 + record))
    };
    metered(program, [0, 1], &nothing())
}
