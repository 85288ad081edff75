//! Public coins, one for each record, published in the order of the records.
use crate::program::*;

pub const REASON: &str = "equal outcomes gave different results";

pub fn reports() -> Vec<Report> {
    let program = |records: &[u64; 3], coins: &mut Meter| {
        public(coins);
        let drawn = [0; 3].map(|_| coins.bits(20));
        let mut order = [0, 1, 2];
        order.sort_by_key(|place: &usize| records[*place]);
        order.iter().map(|place| drawn[*place].clone()).collect::<Out<Vec<_>>>()
    };
    metered(program, [[1, 2, 3], [9, 2, 3]], &nothing())
}
