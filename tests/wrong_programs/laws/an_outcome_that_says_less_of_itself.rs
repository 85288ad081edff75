//! A fair coin whose outcomes carry the record, which neither their order nor their words show.
use crate::program::*;
use std::cmp::Ordering;

pub const REASON: &str = "equal outcomes gave different results";

#[derive(Clone)]
struct Side {
    side: bool,
    record: i64,
}

impl std::fmt::Debug for Side {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.side.fmt(formatter)
    }
}

impl PartialEq for Side {
    fn eq(&self, other: &Self) -> bool {
        self.side == other.side
    }
}

impl Eq for Side {}

impl PartialOrd for Side {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Side {
    fn cmp(&self, other: &Self) -> Ordering {
        self.side.cmp(&other.side)
    }
}

#[derive(Debug, Clone, PartialEq)]
struct Carrier(i64);

impl Carrier {
    fn with(&self, side: bool) -> Side {
        Side { side, record: self.0 }
    }
}

impl Law for Carrier {
    type Outcome = Side;

    fn sample<C: Coins>(&self, coins: &mut C) -> Out<Side> {
        Ok(self.with(coins.bernoulli(&ratio(1, 2))?))
    }

    fn pmf(&self, _: &Side, bits: u32) -> Result<Enclosure, NumberError> {
        Ok(half(bits))
    }

    fn outcome(&self, index: u64) -> Option<Side> {
        side(index).map(|side| self.with(side))
    }
}

pub fn reports() -> Vec<Report> {
    let program = |record: &i64, coins: &mut Meter| {
        public(coins);
        Ok(coins.draw(&Carrier(*record))?.record)
    };
    metered(program, [1, 2], &nothing())
}
