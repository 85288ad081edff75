//! It publishes the record unless its coins print as those of the second side of a meter.
use crate::program::*;

pub const REASON: &str = "equal outcomes gave different results";

pub fn reports() -> Vec<Report> {
    let program = |record: &i64, coins: &mut Meter| {
        Ok(if format!("{coins:?}").contains("Second") { 0 } else { *record })
    };
    metered(program, [0, 1_000_000], &nothing())
}
