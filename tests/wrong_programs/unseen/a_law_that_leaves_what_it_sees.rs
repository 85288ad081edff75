//! A law of one's own leaves its record in the process whenever it is asked something; the program publishes what is there.
use crate::program::*;
use std::cell::Cell;

thread_local! {
    static SEEN: Cell<i64> = const { Cell::new(0) };
}

#[derive(Debug, Clone)]
struct Leaving(i64);

impl PartialEq for Leaving {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Law for Leaving {
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

    fn is_quiet(&self, _: &bool) -> bool {
        SEEN.set(self.0);
        false
    }
}

pub fn reports() -> Vec<Report> {
    let program = |record: &i64, coins: &mut Meter| {
        public(coins);
        SEEN.set(*record);
        coins.draw(&Leaving(*record))?;
        Ok(SEEN.get())
    };
    metered(program, [0, 1], &nothing())
}
