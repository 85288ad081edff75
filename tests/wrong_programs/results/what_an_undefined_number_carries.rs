//! A float that is no number carries 51 bits of the record.
use crate::program::*;

pub const REASON: &str = "equal outcomes gave different results";

pub fn reports() -> Vec<Report> {
    let program = |record: &u64, _: &mut Meter| Ok(Some(f64::from_bits(f64::NAN.to_bits() | record)));
    metered(program, [0, 5], &nothing())
}
