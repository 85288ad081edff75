//! The sampler of an exponential mechanism, called with the coins: it compares digits with bounds that the record moves by little.
use crate::program::*;
use dp_assay::sample::{ExponentialMechanism, ScoreClass};

pub const REASON: &str = "with another outcome of draw 1";

pub fn reports() -> Vec<Report> {
    let program = |record: &i64, coins: &mut Meter| {
        public(coins);
        let class = |loss: i64| ScoreClass { loss: integer(loss), count: 1u32.into() };
        let classes = vec![class(*record), class(0)];
        // A hundred times what is claimed.
        ExponentialMechanism::new(ratio(1, 10_000), integer(1), classes)?.sample(coins)
    };
    metered(program, [1, 2], &nothing())
}
