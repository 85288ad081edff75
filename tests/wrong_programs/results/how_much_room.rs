//! It publishes for how many records there is room in a list that it keeps to itself.
use crate::program::*;

pub const REASON: &str = "equal outcomes gave different results";

pub fn reports() -> Vec<Report> {
    let program = |data: &Vec<u8>, _: &mut Meter| Ok(data.clone().capacity());
    metered(program, [vec![1; 1000], vec![1; 999]], &nothing())
}
