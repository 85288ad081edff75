//! Sound: a float, a fraction, a list and an error, computed of what was drawn alone.
use crate::program::*;

pub fn reports() -> Vec<Report> {
    let program = |record: &i64, coins: &mut Meter| {
        once(coins, integer(1));
        let released = noisy(*record, 1, coins)?;
        let negative = released < BigInt::from(0);
        let zero = if negative { -0.0 } else { 0.0 };
        if released > BigInt::from(1000) {
            return Err(CoinsError::NoOutcome);
        }
        Ok((zero, Rational::new_raw(released.clone(), 4.into()), vec![released]))
    };
    metered(program, [0, 1], &pure(integer(1)))
}
