//! It may tell something twice, and goes on after the second time.
use super::twin;
use crate::program::*;

pub const REASON: &str = "not as many draws as stated";

pub fn reports() -> Vec<Report> {
    twin::session(|told| told > 2, [0, 1])
}
