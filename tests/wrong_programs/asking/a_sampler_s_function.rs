//! `layers::below` with the private number of records: it asks the coins for bits only.
use crate::program::*;
use dp_assay::coins::layers;

pub const REASON: &str = "called a sampler";

pub fn reports() -> Vec<Report> {
    let program = |data: &Vec<u8>, coins: &mut Meter| {
        public(coins);
        layers::below(coins, data.len() as u64)
    };
    metered(program, [vec![0; 1000], vec![0; 999]], &nothing())
}
