//! The hidden threshold has the record as its centre.
use crate::program::*;
use crate::threshold;

pub const REASON: &str = "the law of a threshold depends on the data";

pub fn reports() -> Vec<Report> {
    threshold::reports(|record, coins| {
        let noise = DiscreteLaplace::new(integer(10))?;
        coins.draw_moved(&noise.around(record), &1.into())?;
        Ok(())
    })
}
