//! It behaves in its first thousand runs.
use crate::program::*;
use std::sync::atomic::{AtomicU64, Ordering};

pub fn reports() -> Vec<Report> {
    static RUNS: AtomicU64 = AtomicU64::new(0);
    let program = |record: &i64, _: &mut Meter| {
        Ok((RUNS.fetch_add(1, Ordering::SeqCst) >= 1000).then_some(*record))
    };
    metered(program, [0, 1], &nothing())
}
