//! Each answer has one quiet outcome, but not always the same one: together they tell everything.
use crate::program::*;

pub const REASON: &str = "two different outcomes are quiet";

#[derive(Debug, Clone, PartialEq)]
struct InTurn {
    answer: Response,
    quiet: bool,
}

impl Law for InTurn {
    type Outcome = bool;

    fn sample<C: Coins>(&self, coins: &mut C) -> Out<bool> {
        self.answer.sample(coins)
    }

    fn pmf(&self, side: &bool, bits: u32) -> Result<Enclosure, NumberError> {
        self.answer.pmf(side, bits)
    }

    fn outcome(&self, index: u64) -> Option<bool> {
        side(index)
    }

    fn is_quiet(&self, side: &bool) -> bool {
        *side == self.quiet
    }
}

pub fn reports() -> Vec<Report> {
    let delta = ratio(1, 1_000_000);
    let whole = Promise::Approximate { epsilon: integer(10), delta: delta.clone() };
    let program = |record: &bool, coins: &mut Meter| {
        coins.stage(&Stage::rounds("answers", 100, ratio(1, 20), whole.clone()));
        let answer = Response { bit: *record, p: ratio(512, 1000) };
        let law = |round: u32| InTurn { answer: answer.clone(), quiet: round.is_multiple_of(2) };
        (0..60).map(|round| coins.draw(&law(round))).collect::<Out<Vec<_>>>()
    };
    metered(program, [false, true], &approximate(integer(10), delta))
}
