//! Sound: every question once, with public arguments; the table is made anew in each run.
use crate::program::*;

pub fn reports() -> Vec<Report> {
    let program = |_: &i64, coins: &mut Meter| {
        public(coins);
        let places = table("a place", ratio(1, 3))?;
        let (mut words, mut each) = ([0; 3], [0; 3]);
        coins.words(&mut words)?;
        coins.pick_each(&places, &mut each)?;
        let numbers = (coins.bits(7)?, coins.below(6)?, coins.uniform_below(&6u32.into())?);
        let sides = (coins.bernoulli(&ratio(1, 3))?, coins.bernoulli_exp(&integer(1))?);
        Ok((words, each, numbers, sides, coins.pick(&places)?))
    };
    metered(program, [0, 1], &nothing())
}
