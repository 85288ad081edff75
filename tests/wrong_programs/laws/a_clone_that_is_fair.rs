//! A law that gives the record, says that it is a fair coin, and has clones that are.
use crate::program::*;

pub const REASON: &str = "a law and its clone gave two outcomes for the same coins";

#[derive(Debug, PartialEq)]
struct Original(Option<bool>);

impl Clone for Original {
    fn clone(&self) -> Self {
        Self(None)
    }
}

impl Law for Original {
    type Outcome = bool;

    fn sample<C: Coins>(&self, coins: &mut C) -> Out<bool> {
        let side = coins.bernoulli(&ratio(1, 2))?;
        Ok(self.0.unwrap_or(side))
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
        coins.draw(&Original(Some(*record)))
    };
    metered(program, [false, true], &nothing())
}
