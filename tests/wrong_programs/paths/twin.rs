//! Sound: what was drawn decides what else is drawn and published, rare or not; and a loop that rejects ends.
use crate::program::*;

pub fn reports() -> Vec<Report> {
    let program = |record: &i64, coins: &mut Meter| {
        public(coins);
        while coins.bits(10)? >= 1000 || coins.bernoulli(&ratio(1, 1000))? {}
        let rare = coins.bernoulli(&ratio(1, 1000))?;
        let scale = if rare { 20 } else { 10 };
        once(coins, ratio(1, 10));
        let released = noisy(*record, scale, coins)?;
        Ok((rare, released.clone(), (released > BigInt::from(100)).then_some(7)))
    };
    metered(program, [0, 1], &pure(ratio(1, 10)))
}
