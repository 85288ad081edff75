//! It publishes words in the order in which a hash table has them: chance that no coin gave.
use crate::program::*;
use std::collections::HashSet;

pub const REASON: &str = "equal outcomes gave different results";

pub fn reports() -> Vec<Report> {
    let program = |_: &i64, _: &mut Meter| {
        Ok(HashSet::<u32>::from_iter(0..100).into_iter().collect::<Vec<_>>())
    };
    metered(program, [0, 1], &nothing())
}
