//! A law of one's own that says that it hides everything.
use crate::program::*;
use dp_assay::coins::{Divergence, Loss};

pub const REASON: &str = "cost (epsilon";

#[derive(Debug, Clone, PartialEq)]
struct Boasting(Response);

impl Law for Boasting {
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

    fn loss(&self, _: &Self, _: &bool, _: u32) -> Result<Loss, NumberError> {
        Ok(Loss::none())
    }

    fn divergence(&self, _: &Self, _: u32) -> Result<Divergence, NumberError> {
        Ok(Divergence::None)
    }
}

pub fn reports() -> Vec<Report> {
    let program = |record: &bool, coins: &mut Meter| {
        once(coins, ratio(1, 10));
        coins.draw(&Boasting(Response { bit: *record, p: ratio(99, 100) }))
    };
    metered(program, [false, true], &pure(ratio(1, 10)))
}
