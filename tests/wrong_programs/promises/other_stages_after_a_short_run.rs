//! Most runs end soon; where a rare coin says that it goes on, another one says with which promise.
use crate::program::*;

pub const REASON: &str = "which stages there are depends on what was drawn";

pub fn reports() -> Vec<Report> {
    let program = |record: &i64, coins: &mut Meter| {
        public(coins);
        if !coins.bernoulli(&ratio(1, 1000))? {
            return Ok(None);
        }
        let scale = if coins.bernoulli(&ratio(1, 2))? { 2 } else { 3 };
        once(coins, ratio(1, scale));
        noisy(*record, scale, coins).map(Some)
    };
    metered(program, [0, 1], &pure(integer(1)))
}
