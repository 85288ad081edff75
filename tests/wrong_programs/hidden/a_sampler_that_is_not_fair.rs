//! A hidden coin that says that it is fair, and gives the record.
use crate::program::*;

pub const REASON: &str = "a sampler does not have the probabilities of its law";

#[derive(Debug, Clone)]
struct Fair(bool);

impl PartialEq for Fair {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Law for Fair {
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

pub fn reports() -> Vec<Report> {
    let program = |record: &bool, coins: &mut Meter| {
        public(coins);
        coins.draw_hidden(&Fair(*record))
    };
    metered(program, [false, true], &nothing())
}
