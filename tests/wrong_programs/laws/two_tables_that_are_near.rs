//! Two tables of one label: a third, and 2^-1000 more.
use crate::program::*;

pub const REASON: &str = "a draw keeps no promise of this kind";

pub fn reports() -> Vec<Report> {
    let program = |more: &bool, coins: &mut Meter| {
        public(coins);
        let more = if *more { small(1000) } else { integer(0) };
        coins.draw(&table("a weight", ratio(1, 3) + more)?)
    };
    metered(program, [false, true], &nothing())
}
