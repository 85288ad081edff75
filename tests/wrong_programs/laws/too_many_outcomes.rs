//! A law of one's own on all integers, which says what it costs.
use crate::program::*;
use dp_assay::coins::Divergence;

pub const REASON: &str = "does not know";

#[derive(Debug, Clone, PartialEq)]
struct Mine(i64);

impl Mine {
    fn law(&self) -> Around<DiscreteLaplace> {
        DiscreteLaplace::new(integer(1)).unwrap().around(self.0)
    }
}

impl Law for Mine {
    type Outcome = BigInt;

    fn sample<C: Coins>(&self, coins: &mut C) -> Out<BigInt> {
        self.law().sample(coins)
    }

    fn pmf(&self, outcome: &BigInt, bits: u32) -> Result<Enclosure, NumberError> {
        self.law().pmf(outcome, bits)
    }

    fn outcome(&self, index: u64) -> Option<BigInt> {
        self.law().outcome(index)
    }

    fn divergence(&self, _: &Self, _: u32) -> Result<Divergence, NumberError> {
        Ok(Divergence::Pure(ratio(1, 1_000_000)))
    }
}

pub fn reports() -> Vec<Report> {
    let program = |record: &i64, coins: &mut Meter| {
        once(coins, ratio(1, 1_000_000));
        coins.draw(&Mine(*record))
    };
    metered(program, [0, 1], &nothing())
}
