//! The noise comes from the operating system and not from the coins.
use crate::program::*;

pub const REASON: &str = "equal outcomes gave different results";

pub fn reports() -> Vec<Report> {
    let program = |record: &i64, _: &mut Meter| {
        let mut own = ChaCha::from_operating_system()?;
        let noise = DiscreteLaplace::new(integer(1_000_000_000))?;
        own.draw(&noise.around(*record))
    };
    metered(program, [0, 1], &nothing())
}
