//! `layers::bernoulli` with the bias of the record, which differs in its fortieth digit.
use crate::program::*;
use dp_assay::coins::layers;

pub const REASON: &str = "called a sampler";

pub fn reports() -> Vec<Report> {
    let program = |more: &bool, coins: &mut Meter| {
        public(coins);
        let more = if *more { small(40) } else { integer(0) };
        layers::bernoulli(coins, &(ratio(1, 3) + more))
    };
    metered(program, [false, true], &nothing())
}
