//! The first record that a thread meets is kept there, and published.
use crate::program::*;
use std::cell::OnceCell;

pub const REASON: &str = "equal outcomes gave different results";

thread_local! {
    static CACHE: OnceCell<i64> = const { OnceCell::new() };
}

pub fn reports() -> Vec<Report> {
    let program = |record: &i64, _: &mut Meter| Ok(CACHE.with(|cache| *cache.get_or_init(|| *record)));
    metered(program, [0, 1], &nothing())
}
