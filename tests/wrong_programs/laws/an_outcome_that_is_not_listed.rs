//! A law that keeps quiet about the outcome that tells the record.
use crate::program::*;

pub const REASON: &str = "do not add up to 1";

#[derive(Debug, Clone, PartialEq)]
struct Secretive(bool);

impl Law for Secretive {
    type Outcome = u8;

    fn sample<C: Coins>(&self, coins: &mut C) -> Out<u8> {
        let tells = coins.bernoulli(&ratio(1, 10))?;
        Ok(if tells { 1 + u8::from(self.0) } else { 0 })
    }

    fn pmf(&self, outcome: &u8, bits: u32) -> Result<Enclosure, NumberError> {
        let p = match outcome {
            0 => ratio(9, 10),
            told if *told == 1 + u8::from(self.0) => ratio(1, 10),
            _ => integer(0),
        };
        Ok(Enclosure::of(&p, bits))
    }

    fn outcome(&self, index: u64) -> Option<u8> {
        (index == 0).then_some(0)
    }
}

pub fn reports() -> Vec<Report> {
    let program = |record: &bool, coins: &mut Meter| {
        public(coins);
        coins.draw(&Secretive(*record))
    };
    metered(program, [false, true], &nothing())
}
