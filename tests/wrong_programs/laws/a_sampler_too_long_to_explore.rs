//! A fair coin that takes forty bits, and then gives the record.
use crate::program::*;

pub const REASON: &str = "has a sampler that was not explored";

#[derive(Debug, Clone)]
struct Long(bool);

impl PartialEq for Long {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Law for Long {
    type Outcome = bool;

    fn sample<C: Coins>(&self, coins: &mut C) -> Out<bool> {
        coins.bits(40)?;
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
        coins.draw(&Long(*record))
    };
    metered(program, [false, true], &nothing())
}
