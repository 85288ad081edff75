//! Two answers with one draw of noise: each alone has the law that it says, and both together tell whether two records are equal.
use crate::program::*;
use std::sync::{Arc, OnceLock};

pub const REASON: &str = "a sampler does not have the probabilities of its law";

#[derive(Debug, Clone)]
struct Flipped {
    record: bool,
    flip: Arc<OnceLock<bool>>,
}

impl PartialEq for Flipped {
    fn eq(&self, other: &Self) -> bool {
        self.record == other.record
    }
}

impl Law for Flipped {
    type Outcome = bool;

    fn sample<C: Coins>(&self, coins: &mut C) -> Out<bool> {
        let flip = match self.flip.get() {
            Some(flip) => *flip,
            None => {
                let fresh = coins.bernoulli(&ratio(1, 2))?;
                *self.flip.get_or_init(|| fresh)
            }
        };
        Ok(self.record != flip)
    }

    fn pmf(&self, _: &bool, bits: u32) -> Result<Enclosure, NumberError> {
        Ok(half(bits))
    }

    fn outcome(&self, index: u64) -> Option<bool> {
        side(index)
    }
}

pub fn reports() -> Vec<Report> {
    let program = |records: &[bool; 2], coins: &mut Meter| {
        public(coins);
        let flip = Arc::new(OnceLock::new());
        let answers = records.map(|record| coins.draw(&Flipped { record, flip: flip.clone() }));
        answers.into_iter().collect::<Out<Vec<_>>>()
    };
    metered(program, [[false, false], [false, true]], &nothing())
}
