//! Which outcome is quiet depends on the record.
use crate::program::*;

pub const REASON: &str = "whether an outcome is quiet depends on the data";

#[derive(Debug, Clone, PartialEq)]
struct Partial(bool);

impl Law for Partial {
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

    fn is_quiet(&self, side: &bool) -> bool {
        *side == self.0
    }
}

pub fn reports() -> Vec<Report> {
    let delta = ratio(1, 1_000_000);
    let whole = Promise::Approximate { epsilon: integer(10), delta: delta.clone() };
    let program = |record: &bool, coins: &mut Meter| {
        coins.stage(&Stage::rounds("answers", 100, ratio(1, 20), whole.clone()));
        coins.draw(&Partial(*record))
    };
    metered(program, [false, true], &approximate(integer(10), delta))
}
