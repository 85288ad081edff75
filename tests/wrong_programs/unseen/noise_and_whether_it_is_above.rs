//! Public noise is published, and whether it is above a number that the record moves by one.
use crate::program::*;

pub fn reports() -> Vec<Report> {
    let program = |record: &i64, coins: &mut Meter| {
        public(coins);
        let noise = noisy(0, 1_000_000, coins)?;
        let above = noise > BigInt::from(777 + record);
        Ok((noise, above))
    };
    metered(program, [0, 1], &nothing())
}
