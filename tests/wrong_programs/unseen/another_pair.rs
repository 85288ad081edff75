//! It publishes the record if that is 7, and the pair has none.
use crate::program::*;

pub fn reports() -> Vec<Report> {
    let program = |record: &i64, _: &mut Meter| Ok((*record == 7).then_some(*record));
    metered(program, [0, 1], &nothing())
}
