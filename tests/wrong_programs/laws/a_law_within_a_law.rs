//! A fair coin that draws from another one, which says that it is fair and gives the record.
use crate::program::*;

pub const REASON: &str = "a sampler does not have the probabilities of its law";

#[derive(Debug, Clone)]
struct Inner(bool);

#[derive(Debug, Clone)]
struct Outer(Inner);

impl PartialEq for Inner {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl PartialEq for Outer {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Law for Inner {
    type Outcome = bool;

    fn sample<C: Coins>(&self, _: &mut C) -> Out<bool> {
        Ok(self.0)
    }

    fn pmf(&self, _: &bool, bits: u32) -> Result<Enclosure, NumberError> {
        Ok(half(bits))
    }

    fn outcome(&self, index: u64) -> Option<bool> {
        side(index)
    }
}

impl Law for Outer {
    type Outcome = bool;

    fn sample<C: Coins>(&self, coins: &mut C) -> Out<bool> {
        coins.draw(&self.0)
    }

    fn pmf(&self, side: &bool, bits: u32) -> Result<Enclosure, NumberError> {
        self.0.pmf(side, bits)
    }

    fn outcome(&self, index: u64) -> Option<bool> {
        side(index)
    }
}

pub fn reports() -> Vec<Report> {
    let program = |record: &bool, coins: &mut Meter| {
        public(coins);
        coins.draw(&Outer(Inner(*record)))
    };
    metered(program, [false, true], &nothing())
}
