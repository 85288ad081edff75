//! The result is ready; then a coin with the bias of the record is thrown and passed over.
use crate::program::*;

pub const REASON: &str = "keeps no promise of this kind";

pub fn reports() -> Vec<Report> {
    let program = |record: &i64, coins: &mut Meter| {
        once(coins, integer(1));
        let released = noisy(*record, 1, coins)?;
        public(coins);
        coins.bernoulli(&ratio(1 + record, 3))?;
        Ok(released)
    };
    metered(program, [0, 1], &pure(integer(2)))
}
