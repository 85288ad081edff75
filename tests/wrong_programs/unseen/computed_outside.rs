//! Its noise has the scale of the first dataset's record, computed before the metered function is called.
use crate::program::*;

pub fn reports() -> Vec<Report> {
    let pair = [7, 8];
    let scale = pair[0];
    let program = |record: &i64, coins: &mut Meter| {
        once(coins, ratio(1, 7));
        Ok((scale, noisy(*record, scale, coins)?))
    };
    metered(program, pair, &pure(ratio(1, 7)))
}
