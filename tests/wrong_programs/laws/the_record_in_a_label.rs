//! A fair coin whose label is the record: who explores it prints that.
use crate::program::*;

pub const REASON: &str = "equal laws have different labels";

#[derive(Debug, Clone)]
struct Named(i64);

impl PartialEq for Named {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Law for Named {
    type Outcome = bool;

    fn sample<C: Coins>(&self, coins: &mut C) -> Out<bool> {
        coins.bernoulli(&ratio(1, 2))
    }

    fn pmf(&self, _: &bool, bits: u32) -> Result<Enclosure, NumberError> {
        Ok(half(bits))
    }

    fn outcome(&self, index: u64) -> Option<bool> {
        side(index)
    }

    fn label(&self) -> String {
        format!("a coin for {}", self.0)
    }
}

pub fn reports() -> Vec<Report> {
    let program = |record: &i64, coins: &mut Meter| {
        public(coins);
        coins.draw(&Named(*record))
    };
    metered(program, [1, 2], &nothing())
}
