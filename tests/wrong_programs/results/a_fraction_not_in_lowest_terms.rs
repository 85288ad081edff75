//! 2/4 == 1/2, and they print differently.
use crate::program::*;

pub const REASON: &str = "equal outcomes gave different results";

pub fn reports() -> Vec<Report> {
    let program = |record: &bool, _: &mut Meter| {
        Ok(if *record { Rational::new_raw(2.into(), 4.into()) } else { ratio(1, 2) })
    };
    metered(program, [false, true], &nothing())
}
