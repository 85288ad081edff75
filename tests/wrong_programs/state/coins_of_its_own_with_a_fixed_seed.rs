//! The noise is always the same.
use crate::program::*;

pub const REASON: &str = "equal outcomes gave different results";

pub fn reports() -> Vec<Report> {
    let program = |record: &i64, _: &mut Meter| {
        let noise = DiscreteLaplace::new(integer(1))?;
        ChaCha::reproducible(7, 0).draw(&noise.around(*record))
    };
    metered(program, [0, 1], &nothing())
}
