//! A law of one's own counts how often it is drawn; the record is published if that was once, as it never is on the second side
//! of a meter.
use crate::program::*;
use std::cell::Cell;

pub const REASON: &str = "from the second dataset to the first";

thread_local! {
    static DRAWN: Cell<u32> = const { Cell::new(0) };
}

#[derive(Debug, Clone, PartialEq)]
struct Counting;

impl Law for Counting {
    type Outcome = bool;

    fn sample<C: Coins>(&self, coins: &mut C) -> Out<bool> {
        DRAWN.set(DRAWN.get() + 1);
        coins.bernoulli(&ratio(1, 2))
    }

    fn pmf(&self, _: &bool, bits: u32) -> Result<Enclosure, NumberError> {
        Ok(half(bits))
    }

    fn outcome(&self, index: u64) -> Option<bool> {
        side(index)
    }
}

pub fn reports() -> Vec<Report> {
    let program = |record: &i64, coins: &mut Meter| {
        public(coins);
        DRAWN.set(0);
        coins.draw(&Counting)?;
        Ok(if DRAWN.get() == 1 { *record } else { 0 })
    };
    metered(program, [0, 1_000_000], &nothing())
}
