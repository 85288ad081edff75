//! A hidden coin with the bias of the record that says that it is the same coin.
use crate::program::*;

pub const REASON: &str = "a hidden draw has no coupling";

#[derive(Debug, Clone)]
struct Same(Response);

impl PartialEq for Same {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Law for Same {
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
}

pub fn reports() -> Vec<Report> {
    let program = |record: &bool, coins: &mut Meter| {
        public(coins);
        coins.draw_hidden(&Same(Response { bit: *record, p: ratio(99, 100) }))
    };
    metered(program, [false, true], &nothing())
}
