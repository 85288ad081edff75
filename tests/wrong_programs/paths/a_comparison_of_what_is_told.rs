//! An answer that is told if it is large is compared with a threshold that the record moves by one.
use crate::program::*;

pub const REASON: &str = "with another outcome of draw 1";

pub fn reports() -> Vec<Report> {
    let program = |record: &i64, coins: &mut Meter| {
        public(coins);
        let noise = DiscreteLaplace::new(integer(1_000_000))?;
        let told = coins.draw(&Censored::new(0, &noise, [-10, 10].map(BigInt::from))?)?;
        Ok(told.is_some_and(|told| told + record > BigInt::from(777)))
    };
    metered(program, [0, 1], &nothing())
}
