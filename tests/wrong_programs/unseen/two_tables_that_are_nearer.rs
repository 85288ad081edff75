//! Two tables of one label: a third, and 2^-3000 more.
use crate::program::*;

pub fn reports() -> Vec<Report> {
    let program = |more: &bool, coins: &mut Meter| {
        public(coins);
        let more = if *more { small(3000) } else { integer(0) };
        coins.draw(&table("a weight", ratio(1, 3) + more)?)
    };
    metered(program, [false, true], &nothing())
}
