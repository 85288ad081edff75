//! Sound: what was drawn decides what else is drawn and published, rare or not.
use crate::program::*;

pub fn reports() -> Vec<Report> {
    let program = |record: &i64, coins: &mut Meter| {
        public(coins);
        let rare = coins.bernoulli(&ratio(1, 1000))?;
        let scale = if rare { 20 } else { 10 };
        once(coins, ratio(1, 10));
        let released = noisy(*record, scale, coins)?;
        Ok((rare, released.clone(), (released > BigInt::from(100)).then_some(7)))
    };
    metered(program, [0, 1], &pure(ratio(1, 10)))
}
