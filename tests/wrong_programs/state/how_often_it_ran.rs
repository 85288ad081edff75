//! It counts its runs and publishes the count: who else ran it is told.
use crate::program::*;
use std::sync::atomic::{AtomicU64, Ordering};

pub const REASON: &str = "equal outcomes gave different results";

static RUNS: AtomicU64 = AtomicU64::new(0);

pub fn reports() -> Vec<Report> {
    let program = |_: &i64, _: &mut Meter| Ok(RUNS.fetch_add(1, Ordering::SeqCst));
    metered(program, [0, 1], &nothing())
}
