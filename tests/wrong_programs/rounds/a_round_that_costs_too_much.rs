//! Each answer moves by two, and the noise is for one.
use super::twin;
use crate::program::*;

pub const REASON: &str = "of its promise";

pub fn reports() -> Vec<Report> {
    twin::session(|told| told > 1, [0, 2])
}
