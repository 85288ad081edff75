//! Sound: answers that are told if they are outside of an interval, until two were.
use crate::program::*;

pub fn reports() -> Vec<Report> {
    session(|told| told > 1, [0, 1])
}

/// Answers with noise of scale 20 until `ends` says so of how many were told; at most 40.
pub fn session(ends: impl Fn(usize) -> bool + Sync, pair: [i64; 2]) -> Vec<Report> {
    let delta = ratio(1, 100);
    let whole = Promise::Approximate { epsilon: integer(1), delta: delta.clone() };
    let program = |record: &i64, coins: &mut Meter| {
        coins.stage(&Stage::rounds("answers", 2, ratio(1, 20), whole.clone()));
        let noise = DiscreteLaplace::new(integer(20))?;
        let law = Censored::new(*record, &noise, [-20, 20].map(BigInt::from))?;
        let mut told = Vec::new();
        for _ in 0..40 {
            told.extend(coins.draw(&law)?);
            if ends(told.len()) {
                break;
            }
        }
        Ok(told)
    };
    metered(program, pair, &approximate(integer(1), delta))
}
