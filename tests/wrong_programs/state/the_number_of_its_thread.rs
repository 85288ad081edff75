//! It publishes on which thread it ran.
use crate::program::*;

pub const REASON: &str = "equal outcomes gave different results";

pub fn reports() -> Vec<Report> {
    let program = |_: &i64, _: &mut Meter| Ok(format!("{:?}", std::thread::current().id()));
    metered(program, [0, 1], &nothing())
}
