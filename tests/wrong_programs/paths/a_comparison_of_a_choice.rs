//! A public choice among five thousand is compared with a number that the record moves by one.
use crate::program::*;
use dp_assay::sample::ScoredChoice;

pub const REASON: &str = "with another outcome of draw 1";

pub fn reports() -> Vec<Report> {
    let program = |record: &usize, coins: &mut Meter| {
        public(coins);
        let choice = ScoredChoice::new(vec![0; 5000], &integer(1))?;
        Ok(coins.draw(&choice)? < 2500 + record)
    };
    metered(program, [0, 1], &nothing())
}
