//! It says of its hidden draw that it reads records uniformly, and always reads the first.
use crate::program::*;

pub const REASON: &str = "a hidden draw is not of uniform, independent records";

#[derive(Debug, Clone, PartialEq)]
struct First;

impl Law for First {
    type Outcome = u8;

    fn sample<C: Coins>(&self, _: &mut C) -> Out<u8> {
        Ok(0)
    }

    fn pmf(&self, _: &u8, bits: u32) -> Result<Enclosure, NumberError> {
        Ok(Enclosure::integer(1, bits))
    }

    fn outcome(&self, index: u64) -> Option<u8> {
        (index == 0).then_some(0)
    }

    fn reads(&self, _: &u8) -> Option<(u64, Vec<u64>)> {
        Some((1000, vec![0]))
    }
}

pub fn reports() -> Vec<Report> {
    let delta = ratio(1, 10);
    let whole = Promise::Approximate { epsilon: integer(1), delta: delta.clone() };
    let uses = Uses { records: 1000, draws_of_phase: vec![1], rounds: 1 };
    let program = |record: &i64, coins: &mut Meter| {
        coins.stage(&Stage::hidden_uses("rounds", uses.clone(), integer(1), whole.clone()));
        coins.draw_hidden(&First)?;
        noisy(*record, 1, coins)
    };
    metered(program, [0, 1], &approximate(integer(1), delta))
}
