//! A place that one record makes rare, and another almost impossible: hardly any run shows it.
use crate::program::*;

pub const REASON: &str = "a draw keeps no promise of this kind";

pub fn reports() -> Vec<Report> {
    let program = |rare: &bool, coins: &mut Meter| {
        public(coins);
        coins.pick(&table("a place", if *rare { ratio(1, 200) } else { small(40) })?)
    };
    metered(program, [false, true], &nothing())
}
