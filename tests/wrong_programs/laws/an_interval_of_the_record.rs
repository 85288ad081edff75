//! Which noisy values are told depends on the record; the value does not.
use crate::program::*;

pub const REASON: &str = "the quiet interval depends on the data";

pub fn reports() -> Vec<Report> {
    let program = |record: &i64, coins: &mut Meter| {
        once(coins, integer(1));
        let noise = DiscreteLaplace::new(integer(100))?;
        coins.draw(&Censored::new(0, &noise, [(-50).into(), (50 + record).into()])?)
    };
    metered(program, [0, 1], &pure(integer(1)))
}
