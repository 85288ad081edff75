//! Whether record and noise are above a threshold decides how much noise the release has.
use crate::program::*;

pub const REASON: &str = "with another outcome of draw 1";

pub fn reports() -> Vec<Report> {
    let program = |record: &i64, coins: &mut Meter| {
        public(coins);
        let above = noisy(0, 1_000_000, coins)? + record > BigInt::from(777);
        once(coins, integer(1));
        coins.draw(&DiscreteLaplace::new(integer(if above { 1 } else { 1000 }))?.around(0))
    };
    metered(program, [0, 1], &pure(integer(1)))
}
