//! How long a coin took is compared with a number that the record moves by one.
use crate::program::*;
use dp_assay::sample::Geometric;

pub const REASON: &str = "with another outcome of draw 1";

pub fn reports() -> Vec<Report> {
    let program = |record: &u32, coins: &mut Meter| {
        public(coins);
        let waited = coins.draw(&Geometric::new(ratio(1, 100_000))?)?;
        Ok(waited < BigUint::from(50_000 + record))
    };
    metered(program, [0, 1], &nothing())
}
