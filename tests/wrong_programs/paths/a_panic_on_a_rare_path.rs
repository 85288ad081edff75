//! A rare coin makes it panic, with the record in its message.
use crate::program::*;

pub const REASON: &str = "the learner panicked";

pub fn reports() -> Vec<Report> {
    let program = |record: &i64, coins: &mut Meter| {
        public(coins);
        let rare = coins.bernoulli(&ratio(1, 1000))?;
        assert!(!rare, "the record is {record}");
        Ok(rare)
    };
    metered(program, [0, 1], &nothing())
}
