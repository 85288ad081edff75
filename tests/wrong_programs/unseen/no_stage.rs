//! It states no stage, and spends what this pair does not show: the second draw has noise for a tenth of a step.
use crate::program::*;

pub fn reports() -> Vec<Report> {
    let program = |data: &[i64; 2], coins: &mut Meter| {
        let first = noisy(data[0], 1, coins)?;
        let noise = DiscreteLaplace::new(ratio(1, 10))?;
        Ok((first, coins.draw(&noise.around(data[1]))?))
    };
    metered(program, [[0, 5], [1, 5]], &pure(integer(1)))
}
