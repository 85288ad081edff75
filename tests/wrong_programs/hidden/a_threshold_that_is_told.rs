//! The hidden threshold is published at the end.
use crate::program::*;
use crate::threshold;

pub const REASON: &str = "equal outcomes gave different results";

pub fn reports() -> Vec<Report> {
    threshold::reports(|_, coins| {
        let noise = DiscreteLaplace::new(integer(10))?;
        coins.draw_moved(&noise.around(0), &1.into())
    })
}
