//! The name of a stage tells the record to whoever prints an account.
use crate::program::*;

pub const REASON: &str = "the runs parted";

pub fn reports() -> Vec<Report> {
    let program = |ill: &bool, coins: &mut Meter| {
        coins.stage(&Stage::public(if *ill { "an ill person" } else { "a healthy person" }));
        coins.bernoulli(&ratio(1, 2))
    };
    metered(program, [false, true], &nothing())
}
