//! A table of the record when it is made, and of a fair coin whenever it is asked again.
use crate::program::*;
use std::sync::atomic::{AtomicBool, Ordering};

pub const REASON: &str = "those of which it was made";

pub fn reports() -> Vec<Report> {
    let program = |record: &i64, coins: &mut Meter| {
        once(coins, ratio(1, 1_000_000));
        let (first, made) = (ratio(1 + 98 * record, 100), AtomicBool::new(false));
        let ends = move |bits| {
            let again = made.swap(true, Ordering::SeqCst);
            let end = if again { ratio(1, 2) } else { first.clone() };
            Ok(vec![Enclosure::of(&end, bits), Enclosure::integer(1, bits)])
        };
        coins.pick(&Table::new("a place", ends)?)
    };
    metered(program, [0, 1], &nothing())
}
