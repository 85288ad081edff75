//! A law whose equality ignores the record.
use crate::program::*;

pub const REASON: &str = "a draw keeps no promise of this kind";

#[derive(Debug, Clone)]
struct Forgetful(Response);

impl PartialEq for Forgetful {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Law for Forgetful {
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
        coins.draw(&Forgetful(Response { bit: *record, p: ratio(99, 100) }))
    };
    metered(program, [false, true], &nothing())
}
