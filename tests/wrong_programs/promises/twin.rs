//! Sound: three steps that promise what they cost, and a choice that is made public.
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
    metered(program, [0, 1], &pure(ratio(3, 4)))
}
