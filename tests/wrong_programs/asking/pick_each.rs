//! Many places at once of a table that the record makes.
use crate::program::*;

pub const REASON: &str = "a draw keeps no promise of this kind";

pub fn reports() -> Vec<Report> {
    let program = |record: &i64, coins: &mut Meter| {
        public(coins);
        let mut places = vec![0; 10];
        coins.pick_each(&table("a place", ratio(50 + record, 100))?, &mut places)?;
        Ok(places)
    };
    metered(program, [0, 1], &nothing())
}
