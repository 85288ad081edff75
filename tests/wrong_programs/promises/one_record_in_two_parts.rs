//! Two stages are apart, and cost one epsilon only; but which record each reads is said by the first record.
use crate::program::*;

pub const REASON: &str = "stages that are apart read the same record";

pub fn reports() -> Vec<Report> {
    let program = |records: &[i64; 2], coins: &mut Meter| {
        let (one, other) = match records[0] {
            0 => (records[0], records[1]),
            _ => (records[1], records[0]),
        };
        once(coins, integer(1));
        let first = noisy(one, 2, coins)?;
        coins.stage(&Stage::once("the other release", Promise::Pure(integer(1))).apart());
        Ok((first, noisy(other, 2, coins)?))
    };
    // Its draws cost 3/2 on this pair, within this claim; but nothing bounds what the promises say.
    metered(program, [[0, 2], [1, 2]], &pure(integer(2)))
}
