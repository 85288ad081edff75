//! A generator of its own, with a seed of the coins: a coin whose bias the record moves by little.
use crate::program::*;

pub fn reports() -> Vec<Report> {
    let program = |record: &i64, coins: &mut Meter| {
        public(coins);
        let mut own = ChaCha::reproducible(coins.bits(64)?, 0);
        own.bernoulli(&(ratio(1, 3) + integer(*record) * small(30)))
    };
    metered(program, [0, 1], &pure(small(40)))
}
