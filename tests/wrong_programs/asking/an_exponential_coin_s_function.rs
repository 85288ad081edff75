//! `layers::bernoulli_exp` with the record in its exponent, of which hardly any run gets to the end.
use crate::program::*;
use dp_assay::coins::layers;

pub const REASON: &str = "called a sampler";

pub fn reports() -> Vec<Report> {
    let program = |record: &i64, coins: &mut Meter| {
        public(coins);
        layers::bernoulli_exp(coins, &integer(20 + record))
    };
    metered(program, [0, 1], &nothing())
}
