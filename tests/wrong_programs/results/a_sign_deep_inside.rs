//! The sign of a zero, in a list in a pair.
use crate::program::*;

pub const REASON: &str = "equal outcomes gave different results";

pub fn reports() -> Vec<Report> {
    let program = |record: &f32, _: &mut Meter| Ok((7u8, vec![1.0, *record]));
    metered(program, [0.0, -0.0], &nothing())
}
