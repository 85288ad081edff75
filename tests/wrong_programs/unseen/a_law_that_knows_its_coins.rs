//! A law of one's own whose sampler asks for the type of its coins: it is fair by those that the meter draws and explores with, and
//! gives the record by all others.
use crate::program::*;

#[derive(Debug, Clone)]
struct Wary(bool);

impl PartialEq for Wary {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Law for Wary {
    type Outcome = bool;

    fn sample<C: Coins>(&self, coins: &mut C) -> Out<bool> {
        let side = coins.bernoulli(&ratio(1, 2))?;
        let own = std::any::type_name::<C>();
        let metered = own.ends_with("ChaCha") || own.contains("explorer");
        Ok(if metered { side } else { self.0 })
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
        coins.draw(&Wary(*record))
    };
    metered(program, [false, true], &nothing())
}
