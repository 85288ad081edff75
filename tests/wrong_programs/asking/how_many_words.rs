//! As many words as there are records, of which one is published.
use crate::program::*;

pub const REASON: &str = "the runs parted";

pub fn reports() -> Vec<Report> {
    let program = |data: &Vec<u8>, coins: &mut Meter| {
        public(coins);
        let mut words = vec![0; data.len()];
        coins.words(&mut words)?;
        Ok(words[0])
    };
    metered(program, [vec![0; 3], vec![0; 2]], &nothing())
}
