//! It fails for one record only.
use crate::program::*;

pub const REASON: &str = "equal outcomes gave different results";

pub fn reports() -> Vec<Report> {
    let program = |record: &i64, _: &mut Meter| match record {
        0 => Err(CoinsError::NoOutcome),
        _ => Ok(7u8),
    };
    metered(program, [0, 1], &nothing())
}
