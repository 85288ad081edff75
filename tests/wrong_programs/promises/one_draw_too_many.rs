//! Noise for three steps, and a fourth.
use crate::program::*;

pub const REASON: &str = "not as many draws as stated";

pub fn reports() -> Vec<Report> {
    let program = |record: &i64, coins: &mut Meter| {
        let (each, whole) = (Promise::Pure(ratio(1, 4)), Promise::Pure(ratio(3, 4)));
        coins.stage(&Stage::steps("the steps", 3, each, whole));
        (0..4).map(|_| noisy(*record, 4, coins)).collect::<Out<Vec<_>>>()
    };
    metered(program, [0, 1], &pure(integer(1)))
}
