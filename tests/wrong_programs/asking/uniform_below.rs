//! The same with a big integer.
use crate::program::*;

pub const REASON: &str = "does not number its outcomes";

pub fn reports() -> Vec<Report> {
    let program = |data: &Vec<u8>, coins: &mut Meter| {
        public(coins);
        coins.uniform_below(&data.len().into())
    };
    metered(program, [vec![0; 1000], vec![0; 999]], &nothing())
}
