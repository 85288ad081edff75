//! It promises and spends more where a first coin says so: the list of its stages is not fixed.
use crate::program::*;

pub const REASON: &str = "which stages there are depends on what was drawn";

pub fn reports() -> Vec<Report> {
    let program = |record: &i64, coins: &mut Meter| {
        public(coins);
        let scale = if coins.bernoulli(&ratio(1, 2))? { 2 } else { 3 };
        once(coins, ratio(1, scale));
        noisy(*record, scale, coins)
    };
    metered(program, [0, 1], &pure(integer(1)))
}
