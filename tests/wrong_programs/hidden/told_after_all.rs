//! A place is drawn hidden, and the record there is published.
use super::twin::Place;
use crate::program::*;

pub const REASON: &str = "equal outcomes gave different results";

pub fn reports() -> Vec<Report> {
    let program = |data: &Vec<i64>, coins: &mut Meter| {
        public(coins);
        Ok(data[coins.draw_hidden(&Place::of(data))?])
    };
    metered(program, [vec![0, 0], vec![1, 0]], &nothing())
}
