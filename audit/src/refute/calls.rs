//! Calls of the program: each on one of the two datasets by a fair coin.

use super::answers::Answers;
use super::question::AuditError;
use crate::events;
use crate::pairs::Pair;
use crate::targets::{Beliefs, Output, Target, TargetError};
use dp_assay::coins::{ChaCha, Coins};

/// The most outputs that are asked for at once.
const BATCH: usize = 4000;
/// The most bytes of outputs of a round, a batch or a screening, as long as the outputs are no longer than those before:
/// 64 MiB.
pub(super) const ROUND_BYTES: usize = 1 << 26;

/// Calls on a pair, each on one of its datasets by a fair coin.
pub(super) struct Caller<'a> {
    target: &'a mut dyn Target,
    pair: &'a Pair,
    coins: ChaCha,
    pub beliefs: Beliefs,
    pub answers: Answers,
    /// The most calls of a round whose outputs can be held.
    pub room: u64,
}

impl<'a> Caller<'a> {
    /// Who calls on this pair, with coins of its own. The first round is one of few calls.
    pub fn new(target: &'a mut dyn Target, pair: &'a Pair, coins: ChaCha, room: u64) -> Self {
        Self {
            target,
            pair,
            coins,
            beliefs: Beliefs::default(),
            answers: Answers::default(),
            room,
        }
    }

    /// The outputs of `n` calls on the two datasets: dataset by dataset, or in the order of the coins of a target that takes turns.
    pub fn call(&mut self, n: u64) -> Result<[Vec<Output>; 2], AuditError> {
        let takes_turns = self.target.takes_turns();
        let mut ask = |data, n: u64| sample(self.target, data, n as usize, &mut self.beliefs);
        let mut outputs = [Vec::new(), Vec::new()];
        let mut second = 0;
        for _ in 0..n {
            let side = self.coins.bits(1)?;
            second += side;
            match (takes_turns, side) {
                (false, _) => (),
                (true, 0) => outputs[0].extend(ask(&self.pair.0, 1)?),
                (true, _) => outputs[1].extend(ask(&self.pair.1, 1)?),
            }
        }
        if !takes_turns {
            outputs = [ask(&self.pair.0, n - second)?, ask(&self.pair.1, second)?];
        }
        self.answers.hear(&outputs);
        self.room = room(outputs.iter().flatten());
        Ok(outputs)
    }

    pub fn pair(&self) -> &'a Pair {
        self.pair
    }

    pub fn calls(&self) -> u64 {
        self.answers.calls.iter().sum()
    }
}

/// How many outputs as long as the longest of these can be held, at least one.
pub(super) fn room<'a>(outputs: impl Iterator<Item = &'a Output>) -> u64 {
    let longest = outputs.map(events::bytes).max().unwrap_or(0);
    (ROUND_BYTES / longest.max(1)).max(1) as u64
}

/// `n` outputs, in batches that the target can answer.
pub(crate) fn sample(
    target: &mut dyn Target,
    data: &serde_json::Value,
    n: usize,
    beliefs: &mut Beliefs,
) -> Result<Vec<Output>, TargetError> {
    let mut outputs = Vec::with_capacity(n);
    while outputs.len() < n {
        let most = target.at_once(data).min(BATCH);
        let batch = target.sample(data, (n - outputs.len()).min(most))?;
        beliefs.hear(&batch.traces);
        outputs.extend(batch.outputs);
    }
    Ok(outputs)
}

#[cfg(test)]
mod tests {
    use super::super::pair::audit_pair;
    use super::super::question::tests::question;
    use super::*;
    use serde_json::json;

    #[test]
    fn a_round_of_long_outputs_is_short() {
        let long = Output::Vector(vec![Output::Integer(0); 100_000]);
        let bytes = 100_001 * size_of::<Output>();
        assert_eq!(
            room([&long, &Output::Integer(0)].into_iter()),
            (ROUND_BYTES / bytes) as u64
        );
        assert_eq!(room([].into_iter()), ROUND_BYTES as u64);
        // Through a whole audit, no request is for more than that.
        struct Long(usize);
        impl Target for Long {
            fn sample(
                &mut self,
                _: &serde_json::Value,
                n: usize,
            ) -> Result<crate::targets::Batch, TargetError> {
                self.0 = self.0.max(n);
                let outputs = vec![Output::Label("x".repeat(1 << 22)); n];
                Ok(crate::targets::Batch {
                    outputs,
                    traces: Vec::new(),
                })
            }
        }
        let mut target = Long(0);
        let pair = Pair(json!([0]), json!([1]));
        audit_pair(&mut target, &pair, &question(200)).unwrap();
        assert!(target.0 <= 16, "{}", target.0);
    }
}
