//! A list as long as the data.
use crate::program::*;

pub const REASON: &str = "equal outcomes gave different results";

pub fn reports() -> Vec<Report> {
    let program = |data: &Vec<u8>, _: &mut Meter| Ok(vec![0u8; data.len()]);
    metered(program, [vec![1; 4], vec![1; 3]], &nothing())
}
