//! A law that counts its draws: the first one never gives the side that the record is against, and all others are fair.
use crate::program::*;
use std::cell::Cell;

pub const REASON: &str = "sampler";

#[derive(Debug, Clone)]
struct Fresh {
    record: bool,
    drawn: Cell<bool>,
}

impl PartialEq for Fresh {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Law for Fresh {
    type Outcome = bool;

    fn sample<C: Coins>(&self, coins: &mut C) -> Out<bool> {
        let side = coins.bernoulli(&ratio(1, 2))?;
        let again = self.drawn.replace(true);
        Ok(side || (self.record && !again))
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
        coins.draw(&Fresh { record: *record, drawn: Cell::new(false) })
    };
    metered(program, [false, true], &nothing())
}
