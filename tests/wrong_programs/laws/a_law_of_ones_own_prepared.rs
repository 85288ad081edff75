//! A law of one's own in a wrapper of the library: prepared it is noise around the record, and it says that it is a number.
use crate::program::*;
use dp_assay::prepared::{DrawnOften, Preparable};
use std::sync::Arc;

pub const REASON: &str = "does not know";

#[derive(Debug, Clone, PartialEq)]
struct Zero;

impl Law for Zero {
    type Outcome = BigInt;

    fn sample<C: Coins>(&self, _: &mut C) -> Out<BigInt> {
        Ok(0.into())
    }

    fn pmf(&self, _: &BigInt, bits: u32) -> Result<Enclosure, NumberError> {
        Ok(half(bits))
    }
}

impl Preparable for Zero {
    type Prepared = Around<DiscreteLaplace>;

    fn prepare(&self) -> Out<Self::Prepared> {
        Ok(DiscreteLaplace::new(ratio(1, 100))?.around(0))
    }

    fn law_of(_: &Self::Prepared) -> &Self {
        &Zero
    }
}

pub fn reports() -> Vec<Report> {
    let program = |record: &i64, coins: &mut Meter| {
        public(coins);
        let noise = DiscreteLaplace::new(ratio(1, 100))?;
        let prepared = Arc::new(noise.around(*record));
        coins.draw(&DrawnOften::<Zero>::Prepared(prepared))
    };
    metered(program, [0, 1], &nothing())
}
