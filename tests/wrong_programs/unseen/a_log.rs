//! It writes the record to a log beside its result.
use crate::program::*;
use std::sync::Mutex;

pub fn reports() -> Vec<Report> {
    static LOG: Mutex<Vec<i64>> = Mutex::new(Vec::new());
    let program = |record: &i64, coins: &mut Meter| {
        public(coins);
        let coin = coins.bernoulli(&ratio(1, 2))?;
        LOG.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push(*record);
        Ok(coin)
    };
    metered(program, [0, 1], &nothing())
}
