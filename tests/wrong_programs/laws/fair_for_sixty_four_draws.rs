//! Eighty answers by a law of one's own; the last ones say that they are fair, and give the record.
use crate::program::*;

pub const REASON: &str = "a sampler does not have the probabilities of its law";

#[derive(Debug, Clone, PartialEq)]
struct Tiring {
    record: bool,
    round: u32,
}

impl Law for Tiring {
    type Outcome = bool;

    fn sample<C: Coins>(&self, coins: &mut C) -> Out<bool> {
        let side = coins.bernoulli(&ratio(1, 2))?;
        Ok(if self.round < 70 { side } else { self.record })
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
        let law = |round| Tiring { record: *record, round };
        (0..80).map(|round| coins.draw(&law(round))).collect::<Out<Vec<_>>>()
    };
    metered(program, [false, true], &nothing())
}
