//! A coin with the bias of the record, whose clone has that of another one.
use crate::program::*;

pub const REASON: &str = "from the second dataset to the first";

#[derive(Debug, PartialEq)]
struct Forgetful(Response);

impl Clone for Forgetful {
    fn clone(&self) -> Self {
        Self(Response { bit: true, p: self.0.p.clone() })
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
