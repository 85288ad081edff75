//! The same if the noise was ten times its usual size.
use crate::program::*;

pub const REASON: &str = "equal outcomes gave different results";

pub fn reports() -> Vec<Report> {
    let program = |record: &i64, coins: &mut Meter| {
        once(coins, ratio(1, 10));
        let released = noisy(*record, 10, coins)?;
        let far = released > BigInt::from(100);
        Ok((released, far.then_some(*record)))
    };
    metered(program, [0, 1], &pure(ratio(1, 10)))
}
