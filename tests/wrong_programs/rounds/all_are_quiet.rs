//! Two thousand noisy answers of which the law calls every one quiet, so that none counts as an update.
use crate::program::*;

pub const REASON: &str = "a law calls more than one outcome quiet";

#[derive(Debug, Clone, PartialEq)]
struct Whisper(Response);

impl Law for Whisper {
    type Outcome = bool;

    fn sample<C: Coins>(&self, coins: &mut C) -> Out<bool> {
        self.0.sample(coins)
    }

    fn pmf(&self, side: &bool, bits: u32) -> Result<Enclosure, NumberError> {
        self.0.pmf(side, bits)
    }

    fn outcome(&self, index: u64) -> Option<bool> {
        side(index)
    }

    fn is_quiet(&self, _: &bool) -> bool {
        true
    }
}

pub fn reports() -> Vec<Report> {
    let delta = ratio(1, 1_000_000);
    let whole = Promise::Approximate { epsilon: integer(1), delta: delta.clone() };
    let program = |record: &bool, coins: &mut Meter| {
        coins.stage(&Stage::rounds("answers", 1, ratio(1, 20), whole.clone()));
        let law = Whisper(Response { bit: *record, p: ratio(512, 1000) });
        (0..200).map(|_| coins.draw(&law)).collect::<Out<Vec<_>>>()
    };
    metered(program, [false, true], &approximate(integer(1), delta))
}
