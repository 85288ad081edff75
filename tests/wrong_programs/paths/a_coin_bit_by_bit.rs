//! Coins of one's own over the meter's, which pass on what they ask of bits and nothing else: a coin with a bias that the record
//! moves in its fortieth digit.
use crate::program::*;

pub const REASON: &str = "with another outcome of draw 1";

struct Bits<'a>(&'a mut Meter);

impl Coins for Bits<'_> {
    fn bits(&mut self, count: u32) -> Out<u64> {
        self.0.bits(count)
    }

    fn consumed(&self) -> u64 {
        0
    }
}

pub fn reports() -> Vec<Report> {
    let program = |more: &bool, coins: &mut Meter| {
        public(coins);
        let more = if *more { small(40) } else { integer(0) };
        Bits(coins).bernoulli(&(ratio(1, 3) + more))
    };
    metered(program, [false, true], &nothing())
}
