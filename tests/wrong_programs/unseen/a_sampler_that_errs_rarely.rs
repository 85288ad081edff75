//! A law of one's own that gives the record once in 2^30 draws.
use crate::program::*;

#[derive(Debug, Clone)]
struct Rarely(bool);

impl PartialEq for Rarely {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Law for Rarely {
    type Outcome = bool;

    fn sample<C: Coins>(&self, coins: &mut C) -> Out<bool> {
        let side = coins.bernoulli(&ratio(1, 2))?;
        // Bit by bit, so that what is unlikely stays unexplored.
        for _ in 0..30 {
            if coins.bits(1)? == 0 {
                return Ok(side);
            }
        }
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
        coins.draw(&Rarely(*record))
    };
    metered(program, [false, true], &nothing())
}
