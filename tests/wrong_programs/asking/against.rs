//! A uniform number against a bound that the record makes.
use crate::program::*;
use dp_assay::coins::Against;

pub const REASON: &str = "which only samplers may";

pub fn reports() -> Vec<Report> {
    let program = |record: &u64, coins: &mut Meter| {
        public(coins);
        let below = (100 + record) << 56;
        let bounds = || Sharp { below, last: below - 1 };
        Ok(coins.against(below, bounds)? == Against::Below)
    };
    metered(program, [0, 100], &nothing())
}
