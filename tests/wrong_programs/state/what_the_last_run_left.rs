//! It publishes the record that the run before it left.
use crate::program::*;
use std::sync::Mutex;

pub const REASON: &str = "gave";

static LAST: Mutex<i64> = Mutex::new(-1);

pub fn reports() -> Vec<Report> {
    let program = |record: &i64, _: &mut Meter| {
        let mut last = LAST.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        Ok(std::mem::replace(&mut *last, *record))
    };
    metered(program, [0, 1], &nothing())
}
