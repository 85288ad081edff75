//! A law that says that it is a fair coin, and gives the record 99 times of 100.
use crate::program::*;

pub const REASON: &str = "a sampler does not have the probabilities of its law";

#[derive(Debug, Clone)]
struct Fair(bool);

impl PartialEq for Fair {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Law for Fair {
    type Outcome = bool;

    fn sample<C: Coins>(&self, coins: &mut C) -> Out<bool> {
        Ok(coins.bernoulli(&ratio(99, 100))? == self.0)
    }

    fn pmf(&self, _: &bool, bits: u32) -> Result<Enclosure, NumberError> {
        Ok(half(bits))
    }

    fn outcome(&self, index: u64) -> Option<bool> {
        side(index)
    }
}

pub fn reports() -> Vec<Report> {
    let program = |record: &bool, coins: &mut Meter| {
        public(coins);
        coins.draw(&Fair(*record))
    };
    metered(program, [false, true], &nothing())
}
