//! A guard throws a coin with the bias of the record when it is dropped, after the result is made.
use crate::program::*;

pub const REASON: &str = "keeps no promise of this kind";

struct Guard<'a> {
    coins: &'a mut Meter,
    record: i64,
}

impl Drop for Guard<'_> {
    fn drop(&mut self) {
        public(self.coins);
        let _ = self.coins.bernoulli(&ratio(1 + self.record, 3));
    }
}

pub fn reports() -> Vec<Report> {
    let program = |record: &i64, coins: &mut Meter| {
        let guard = Guard { coins, record: *record };
        once(guard.coins, integer(1));
        noisy(*record, 1, guard.coins)
    };
    metered(program, [0, 1], &pure(integer(2)))
}
