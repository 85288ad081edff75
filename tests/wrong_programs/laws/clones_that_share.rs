//! A law whose clones count their draws together: the first draw of all never gives the side that the record is against, and all
//! others are fair.
use crate::program::*;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

pub const REASON: &str = "a sampler gave two outcomes for the same coins";

#[derive(Debug, Clone)]
struct Shared {
    record: bool,
    drawn: Arc<AtomicBool>,
}

impl PartialEq for Shared {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Law for Shared {
    type Outcome = bool;

    fn sample<C: Coins>(&self, coins: &mut C) -> Out<bool> {
        let side = coins.bernoulli(&ratio(1, 2))?;
        let again = self.drawn.swap(true, Ordering::SeqCst);
        Ok(side && (again || !self.record))
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
        let drawn = Arc::new(AtomicBool::new(false));
        coins.draw(&Shared { record: *record, drawn })
    };
    metered(program, [false, true], &nothing())
}
