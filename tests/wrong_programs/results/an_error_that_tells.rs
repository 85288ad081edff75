//! Both runs fail, each with the record in its error.
use crate::program::*;

pub const REASON: &str = "equal outcomes gave different results";

pub fn reports() -> Vec<Report> {
    let program = |record: &i64, _: &mut Meter| -> Out<()> {
        Err(CoinsError::NotAProbability { value: record.to_string() })
    };
    metered(program, [2, 3], &nothing())
}
