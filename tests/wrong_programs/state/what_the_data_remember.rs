//! The data remember that they were asked: the first answer has noise, and all others have none.
use crate::program::*;
use std::sync::atomic::{AtomicBool, Ordering};

pub const REASON: &str = "the same outcomes gave another result in a second run";

struct Data {
    record: i64,
    asked: AtomicBool,
}

pub fn reports() -> Vec<Report> {
    let data = |record| Data { record, asked: AtomicBool::new(false) };
    let program = |data: &Data, coins: &mut Meter| {
        once(coins, integer(1));
        let answer = noisy(data.record, 1, coins)?;
        let again = data.asked.swap(true, Ordering::SeqCst);
        Ok(if again { data.record.into() } else { answer })
    };
    let fresh = || metered(program, [data(0), data(1)], &pure(integer(1)));
    (0..2).flat_map(|_| fresh().into_iter().take(1)).collect()
}
