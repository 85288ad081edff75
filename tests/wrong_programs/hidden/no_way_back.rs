//! A hidden draw of one's own has a coupling one way only, so that nothing is compared on the way back; there a round costs twice
//! what is promised.
use crate::program::*;
use crate::threshold;

pub const REASON: &str = "a hidden draw has no coupling";

#[derive(Debug, Clone, PartialEq)]
struct OneWay(i64);

impl Law for OneWay {
    type Outcome = bool;

    fn sample<C: Coins>(&self, coins: &mut C) -> Out<bool> {
        coins.bernoulli(&ratio(1, 2))
    }

    fn pmf(&self, _: &bool, bits: u32) -> Result<Enclosure, NumberError> {
        Ok(half(bits))
    }

    fn outcome(&self, index: u64) -> Option<bool> {
        side(index)
    }

    fn transport(&self, other: &Self, side: &bool) -> Option<bool> {
        (self.0 < other.0).then_some(*side)
    }
}

pub fn reports() -> Vec<Report> {
    threshold::with_rounds_of(ratio(1, 10), |record, coins| {
        let told = threshold::round(record, coins)?;
        public(coins);
        coins.draw_hidden(&OneWay(record))?;
        Ok(told)
    })
}
