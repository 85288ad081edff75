//! A hidden coin with the bias of the record, coupled with itself: its noisy side is the same on both.
use crate::program::*;

pub const REASON: &str = "does not take the one law to the other";

#[derive(Debug, Clone, PartialEq)]
struct Biased(Response);

impl Law for Biased {
    type Outcome = bool;

    fn sample<C: Coins>(&self, coins: &mut C) -> Out<bool> {
        self.0.sample(coins)
    }

    fn pmf(&self, side: &bool, bits: u32) -> Result<Enclosure, NumberError> {
        self.0.pmf(side, bits)
    }

    fn outcome(&self, index: u64) -> Option<bool> {
        side(index)
    }

    fn transport(&self, _: &Self, side: &bool) -> Option<bool> {
        Some(*side)
    }
}

pub fn reports() -> Vec<Report> {
    let program = |record: &bool, coins: &mut Meter| {
        public(coins);
        let side = coins.draw_hidden(&Biased(Response { bit: *record, p: ratio(99, 100) }))?;
        noisy(i64::from(side), 1, coins)
    };
    metered(program, [false, true], &nothing())
}
