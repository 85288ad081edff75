//! Three steps of a half that promise one together.
use crate::program::*;

pub const REASON: &str = "its draws do not compose to its promise";

pub fn reports() -> Vec<Report> {
    let program = |_: &i64, coins: &mut Meter| {
        let (each, whole) = (Promise::Pure(ratio(1, 2)), Promise::Pure(integer(1)));
        coins.stage(&Stage::steps("the steps", 3, each, whole));
        // On this pair they cost nothing.
        (0..3).map(|_| noisy(0, 2, coins)).collect::<Out<Vec<_>>>()
    };
    metered(program, [0, 1], &pure(integer(1)))
}
