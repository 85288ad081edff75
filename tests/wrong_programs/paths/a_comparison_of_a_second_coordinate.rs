//! Noise is drawn around (0, 0); whether record and the second coordinate are above a threshold is published.
use crate::program::*;

pub const REASON: &str = "with another outcome of draw 1";

pub fn reports() -> Vec<Report> {
    let program = |record: &i64, coins: &mut Meter| {
        public(coins);
        let noise = DiscreteLaplace::new(integer(1_000_000))?;
        let drawn = coins.draw(&noise.around_all([0, 0]))?;
        Ok(&drawn[1] + record > BigInt::from(777))
    };
    metered(program, [0, 1], &nothing())
}
