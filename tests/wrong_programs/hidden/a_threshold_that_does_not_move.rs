//! A round that is likelier to stay quiet on the first dataset, with a threshold that does not move.
use crate::program::*;
use crate::threshold;
use dp_assay::law::AboveThenAnswer;

pub const REASON: &str = "a quiet outcome is likelier on the first dataset";

pub fn reports() -> Vec<Report> {
    threshold::reports(|record, coins| {
        let noise = DiscreteLaplace::new(integer(10))?;
        let hidden = coins.draw_moved(&noise.around(0), &0.into())?;
        let excess = record - hidden;
        let test = DiscreteLaplace::new(integer(20))?;
        coins.draw(&AboveThenAnswer::new([excess, record.into()], &test, &noise))
    })
}
