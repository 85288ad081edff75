//! A law that panics where the meter looks at its outcome, and leaves it behind; the program goes on with that.
use crate::program::*;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

pub const REASON: &str = "panicked in a draw";

thread_local! {
    static LEFT: Cell<bool> = const { Cell::new(false) };
}

#[derive(Debug, Clone, PartialEq)]
struct Panicking(Response);

impl Law for Panicking {
    type Outcome = bool;

    fn sample<C: Coins>(&self, coins: &mut C) -> Out<bool> {
        self.0.sample(coins)
    }

    fn pmf(&self, side: &bool, bits: u32) -> Result<Enclosure, NumberError> {
        self.0.pmf(side, bits)
    }

    fn outcome(&self, index: u64) -> Option<bool> {
        side(index)
    }

    fn is_quiet(&self, side: &bool) -> bool {
        LEFT.set(*side);
        panic!("nobody shall see this")
    }
}

pub fn reports() -> Vec<Report> {
    let program = |record: &bool, coins: &mut Meter| {
        public(coins);
        let law = Panicking(Response { bit: *record, p: ratio(99, 100) });
        catch_unwind(AssertUnwindSafe(|| coins.draw(&law))).unwrap_or_else(|_| Ok(LEFT.get()))
    };
    metered(program, [false, true], &nothing())
}
