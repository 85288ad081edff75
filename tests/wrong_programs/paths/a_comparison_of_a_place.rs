//! A place of a public table of ten thousand is compared with one that the record moves by one.
use crate::program::*;

pub const REASON: &str = "with another outcome of draw 1";

pub fn reports() -> Vec<Report> {
    let program = |record: &usize, coins: &mut Meter| {
        public(coins);
        let ends = |bits| Ok((1..=10_000).map(|k| Enclosure::of(&ratio(k, 10_000), bits)).collect());
        Ok(coins.pick(&Table::new("a place", ends)?)? < 5000 + record)
    };
    metered(program, [0, 1], &nothing())
}
