//! A coin that is fair as long as no bits were drawn, as where it is explored; otherwise it gives the record.
use crate::program::*;

pub const REASON: &str = "has a sampler that was not explored";

#[derive(Debug, Clone)]
struct Counting(bool);

impl PartialEq for Counting {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Law for Counting {
    type Outcome = bool;

    fn sample<C: Coins>(&self, coins: &mut C) -> Out<bool> {
        let side = coins.bernoulli(&ratio(1, 2))?;
        Ok(if coins.consumed() > 0 { self.0 } else { side })
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
        coins.draw(&Counting(*record))
    };
    metered(program, [false, true], &nothing())
}
