//! A place below the number of records, which is private: without one of them the last place is impossible.
use crate::program::*;

pub const REASON: &str = "does not number its outcomes";

pub fn reports() -> Vec<Report> {
    let program = |data: &Vec<u8>, coins: &mut Meter| {
        public(coins);
        coins.below(data.len() as u64)
    };
    metered(program, [vec![0; 1000], vec![0; 999]], &nothing())
}
