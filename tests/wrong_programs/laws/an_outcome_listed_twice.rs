//! A law that lists one outcome twice, so that its probabilities seem to add up.
use crate::program::*;

pub const REASON: &str = "a law lists an outcome twice";

#[derive(Debug, Clone, PartialEq)]
struct Twice(bool);

impl Law for Twice {
    type Outcome = u8;

    fn sample<C: Coins>(&self, coins: &mut C) -> Out<u8> {
        let tells = coins.bernoulli(&ratio(1, 2))?;
        Ok(if tells { 1 + u8::from(self.0) } else { 0 })
    }

    fn pmf(&self, _: &u8, bits: u32) -> Result<Enclosure, NumberError> {
        Ok(half(bits))
    }

    fn outcome(&self, index: u64) -> Option<u8> {
        (index < 2).then_some(0)
    }
}

pub fn reports() -> Vec<Report> {
    let program = |record: &bool, coins: &mut Meter| {
        public(coins);
        coins.draw(&Twice(*record))
    };
    metered(program, [false, true], &nothing())
}
