//! It publishes where its data are.
use crate::program::*;

pub const REASON: &str = "equal outcomes gave different results";

pub fn reports() -> Vec<Report> {
    let program = |record: &i64, _: &mut Meter| Ok(format!("{record:p}"));
    metered(program, [0, 0], &nothing())
}
