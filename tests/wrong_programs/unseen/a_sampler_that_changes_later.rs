//! A law of one's own whose sampler is fair for its first million draws, and then gives the record.
use crate::program::*;
use std::sync::atomic::{AtomicU64, Ordering};

static DRAWS: AtomicU64 = AtomicU64::new(0);

#[derive(Debug, Clone)]
struct Tiring(bool);

impl PartialEq for Tiring {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Law for Tiring {
    type Outcome = bool;

    fn sample<C: Coins>(&self, coins: &mut C) -> Out<bool> {
        let side = coins.bernoulli(&ratio(1, 2))?;
        let tired = DRAWS.fetch_add(1, Ordering::SeqCst) > 1_000_000;
        Ok(if tired { self.0 } else { side })
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
        coins.draw(&Tiring(*record))
    };
    metered(program, [false, true], &nothing())
}
