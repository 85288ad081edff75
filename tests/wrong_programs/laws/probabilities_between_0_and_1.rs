//! A law that says of each probability no more than that it is between 0 and 1, and gives the record.
use crate::program::*;

pub const REASON: &str = "the probabilities that a law lists are not sharp";

#[derive(Debug, Clone)]
struct Vague(bool);

impl PartialEq for Vague {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Law for Vague {
    type Outcome = bool;

    fn sample<C: Coins>(&self, _: &mut C) -> Out<bool> {
        Ok(self.0)
    }

    fn pmf(&self, _: &bool, bits: u32) -> Result<Enclosure, NumberError> {
        Ok(Enclosure::between(&integer(0), &integer(1), bits))
    }

    fn outcome(&self, index: u64) -> Option<bool> {
        side(index)
    }
}

pub fn reports() -> Vec<Report> {
    let program = |record: &bool, coins: &mut Meter| {
        public(coins);
        coins.draw(&Vague(*record))
    };
    metered(program, [false, true], &nothing())
}
