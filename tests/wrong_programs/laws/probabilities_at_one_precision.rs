//! A law whose probabilities are those of its sampler at 160 bits only: at 128 they are those of a fair coin.
use crate::program::*;

pub const REASON: &str = "a sampler does not have the probabilities of its law";

#[derive(Debug, Clone, PartialEq)]
struct Fine(Response);

impl Law for Fine {
    type Outcome = bool;

    fn sample<C: Coins>(&self, coins: &mut C) -> Out<bool> {
        self.0.sample(coins)
    }

    fn pmf(&self, side: &bool, bits: u32) -> Result<Enclosure, NumberError> {
        match bits {
            129.. => self.0.pmf(side, bits),
            _ => Ok(half(bits)),
        }
    }

    fn outcome(&self, index: u64) -> Option<bool> {
        side(index)
    }
}

pub fn reports() -> Vec<Report> {
    let program = |record: &bool, coins: &mut Meter| {
        public(coins);
        coins.draw(&Fine(Response { bit: *record, p: ratio(99, 100) }))
    };
    metered(program, [false, true], &nothing())
}
