//! Noise is drawn until the answer is in range, ten times at most, and the promise is that of one draw: the answers that are
//! passed over cost too.
use crate::program::*;

pub const REASON: &str = "not as many draws as stated";

pub fn reports() -> Vec<Report> {
    let program = |record: &i64, coins: &mut Meter| {
        once(coins, integer(1));
        for _ in 0..10 {
            let answer = noisy(*record, 1, coins)?;
            if (-3..=3).map(BigInt::from).any(|fits| fits == answer) {
                return Ok(Some(answer));
            }
        }
        Ok(None)
    };
    metered(program, [0, 1], &pure(integer(10)))
}
