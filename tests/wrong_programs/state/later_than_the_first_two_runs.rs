//! It behaves in its first two runs, and then publishes the record.
use crate::program::*;
use std::sync::atomic::{AtomicU64, Ordering};

pub const REASON: &str = "the same outcomes gave another result in a second run";

pub fn reports() -> Vec<Report> {
    let all = (0..3).flat_map(|_| {
        let runs = AtomicU64::new(0);
        let program = |record: &i64, _: &mut Meter| {
            Ok((runs.fetch_add(1, Ordering::SeqCst) > 1).then_some(*record))
        };
        metered(program, [0, 1], &nothing()).into_iter().take(1)
    });
    all.collect()
}
