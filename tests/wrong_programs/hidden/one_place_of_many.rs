//! A hidden place of 128; the record is published if it is a certain one.
use crate::program::*;

pub const REASON: &str = "equal outcomes gave different results";

#[derive(Debug, Clone, PartialEq)]
struct Place;

impl Law for Place {
    type Outcome = u64;

    fn sample<C: Coins>(&self, coins: &mut C) -> Out<u64> {
        coins.bits(7)
    }

    fn pmf(&self, place: &u64, bits: u32) -> Result<Enclosure, NumberError> {
        Ok(Enclosure::of(&ratio(i64::from(*place < 128), 128), bits))
    }

    fn outcome(&self, index: u64) -> Option<u64> {
        (index < 128).then_some(index)
    }
}

pub fn reports() -> Vec<Report> {
    let program = |record: &i64, coins: &mut Meter| {
        public(coins);
        let place = coins.draw_hidden(&Place)?;
        Ok((place == 51).then_some(*record))
    };
    metered(program, [0, 1], &nothing())
}
