//! The first record that the process meets is kept, and published in every run.
use crate::program::*;
use std::sync::OnceLock;

pub fn reports() -> Vec<Report> {
    static CACHE: OnceLock<i64> = OnceLock::new();
    let program = |record: &i64, _: &mut Meter| Ok(*CACHE.get_or_init(|| *record));
    metered(program, [0, 1], &nothing())
}
