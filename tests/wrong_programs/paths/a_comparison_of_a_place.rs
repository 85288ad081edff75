//! A place of a public table of five thousand is compared with one that the record moves by one.
use crate::program::*;

pub const REASON: &str = "with another outcome of draw 1";

pub fn reports() -> Vec<Report> {
    let ends = |bits| Ok((1..=5000).map(|k| Enclosure::of(&ratio(k, 5000), bits)).collect());
    let places = Table::new("a place", ends).unwrap();
    let program = |record: &usize, coins: &mut Meter| {
        public(coins);
        Ok(coins.pick(&places)? < 2500 + record)
    };
    metered(program, [0, 1], &nothing())
}
