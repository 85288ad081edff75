//! A rare public coin halves the noise.
use crate::program::*;

pub const REASON: &str = "of its promise";

pub fn reports() -> Vec<Report> {
    let program = |record: &i64, coins: &mut Meter| {
        public(coins);
        let scale = if coins.bernoulli(&ratio(1, 1000))? { 1 } else { 2 };
        once(coins, ratio(1, 2));
        noisy(*record, scale, coins)
    };
    metered(program, [0, 1], &pure(ratio(1, 2)))
}
