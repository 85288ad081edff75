//! Sound: three steps that promise what they cost, and a choice that is made public; and two stages apart, each of which
//! reads its own record.
use crate::program::*;

pub fn reports() -> Vec<Report> {
    let program = |record: &i64, coins: &mut Meter| {
        public(coins);
        let coin = coins.bernoulli(&ratio(1, 2))?;
        let (each, whole) = (Promise::Pure(ratio(1, 4)), Promise::Pure(ratio(3, 4)));
        coins.stage(&Stage::steps("the steps", 3, each, whole));
        let steps: Out<Vec<_>> = (0..3).map(|_| noisy(*record, 4, coins)).collect();
        Ok((coin, steps?))
    };
    let apart = |records: &[i64; 2], coins: &mut Meter| {
        once(coins, integer(1));
        let first = noisy(records[0], 1, coins)?;
        coins.stage(&Stage::once("the other release", Promise::Pure(integer(1))).apart());
        Ok((first, noisy(records[1], 1, coins)?))
    };
    let mut reports = metered(program, [0, 1], &pure(ratio(3, 4)));
    for second in [[1, 2], [0, 1]] {
        reports.extend(metered(apart, [[0, 2], second], &pure(integer(1))));
    }
    reports
}
