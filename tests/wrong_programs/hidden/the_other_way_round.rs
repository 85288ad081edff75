//! A round that costs what is promised from the first dataset to the second, and twice that on the way back.
use crate::program::*;
use crate::threshold;

pub const REASON: &str = "from the second dataset to the first";

pub fn reports() -> Vec<Report> {
    threshold::with_rounds_of(ratio(1, 10), threshold::round)
}
