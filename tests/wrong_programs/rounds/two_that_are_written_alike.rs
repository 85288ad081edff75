//! Each answer has one quiet outcome, now this one and now that; both are written alike.
use crate::program::*;

pub const REASON: &str = "quiet";

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Side(bool);

impl std::fmt::Debug for Side {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("a side")
    }
}

#[derive(Debug, Clone, PartialEq)]
struct InTurn {
    answer: Response,
    quiet: bool,
}

impl Law for InTurn {
    type Outcome = Side;

    fn sample<C: Coins>(&self, coins: &mut C) -> Out<Side> {
        Ok(Side(self.answer.sample(coins)?))
    }

    fn pmf(&self, side: &Side, bits: u32) -> Result<Enclosure, NumberError> {
        self.answer.pmf(&side.0, bits)
    }

    fn outcome(&self, index: u64) -> Option<Side> {
        side(index).map(Side)
    }

    fn is_quiet(&self, side: &Side) -> bool {
        side.0 == self.quiet
    }
}

pub fn reports() -> Vec<Report> {
    let delta = ratio(1, 1_000_000);
    let whole = Promise::Approximate { epsilon: integer(10), delta: delta.clone() };
    let program = |record: &bool, coins: &mut Meter| {
        coins.stage(&Stage::rounds("answers", 100, ratio(1, 20), whole.clone()));
        let answer = Response { bit: *record, p: ratio(512, 1000) };
        let law = |round: u32| InTurn { answer: answer.clone(), quiet: round.is_multiple_of(2) };
        (0..60).map(|round| Ok(coins.draw(&law(round))?.0)).collect::<Out<Vec<_>>>()
    };
    metered(program, [false, true], &approximate(integer(10), delta))
}
