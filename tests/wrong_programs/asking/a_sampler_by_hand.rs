//! The sampler of the right law, called with the coins: what the meter sees is the noise alone.
use crate::program::*;

pub const REASON: &str = "equal outcomes gave different results";

pub fn reports() -> Vec<Report> {
    let program = |record: &i64, coins: &mut Meter| {
        once(coins, integer(1));
        DiscreteLaplace::new(integer(1))?.around(*record).sample(coins)
    };
    metered(program, [0, 1], &pure(integer(1)))
}
