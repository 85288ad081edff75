//! One record of a thousand is published, drawn uniformly.
use crate::program::*;

pub const REASON: &str = "equal outcomes gave different results";

pub fn reports() -> Vec<Report> {
    let program = |data: &Vec<i64>, coins: &mut Meter| {
        public(coins);
        Ok(data[coins.below(1000)? as usize])
    };
    let with = |record: i64| {
        let mut data: Vec<i64> = (0..1000).collect();
        data[517] = record;
        data
    };
    metered(program, [with(-1), with(-2)], &nothing())
}
