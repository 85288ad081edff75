//! It takes as long as the record says.
use crate::program::*;

pub fn reports() -> Vec<Report> {
    let program = |record: &u64, coins: &mut Meter| {
        public(coins);
        let coin = coins.bernoulli(&ratio(1, 2))?;
        let work: u64 = (0..*record).map(std::hint::black_box).sum();
        Ok(coin || std::hint::black_box(work) == 1)
    };
    metered(program, [10, 100_000], &nothing())
}
