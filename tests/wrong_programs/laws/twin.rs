//! Sound: randomised response as a law of one's own, 3 to 1, which is private with ln 3 < 11/10.
use crate::program::*;

pub fn reports() -> Vec<Report> {
    let program = |record: &bool, coins: &mut Meter| {
        once(coins, ratio(11, 10));
        coins.draw(&Response { bit: *record, p: ratio(3, 4) })
    };
    metered(program, [false, true], &pure(ratio(11, 10)))
}
