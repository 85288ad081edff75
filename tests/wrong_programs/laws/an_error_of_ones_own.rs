//! A law of one's own that always fails, with the record in its error, and says that it is always the same.
use crate::program::*;

pub const REASON: &str = "one that is not known";

#[derive(Debug, Clone)]
struct Failing(i64);

impl PartialEq for Failing {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Law for Failing {
    type Outcome = bool;

    fn sample<C: Coins>(&self, _: &mut C) -> Out<bool> {
        Err(CoinsError::NotAProbability { value: self.0.to_string() })
    }

    fn pmf(&self, _: &bool, bits: u32) -> Result<Enclosure, NumberError> {
        Ok(half(bits))
    }

    fn outcome(&self, index: u64) -> Option<bool> {
        side(index)
    }
}

pub fn reports() -> Vec<Report> {
    let program = |record: &i64, coins: &mut Meter| {
        public(coins);
        coins.draw(&Failing(*record))
    };
    metered(program, [1, 2], &nothing())
}
