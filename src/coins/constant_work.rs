//! As much work for every draw from a table.

use super::layers::Question;
use super::{Coins, CoinsError, Table};

/// A source whose picks from a table take 64 bits and compare every threshold, whatever is drawn.
///
/// A look-up takes a time that depends a little on the place: on what the cache holds, and on whether 16 bits decide. Here neither
/// the work nor the memory that is read depends on it, except where 64 bits leave a place open (at most two words for each threshold).
/// What a sampler does beside its picks stays as it is: `spec/samplers.md` says which samplers are made of picks alone.
#[derive(Debug, Clone)]
pub struct ConstantWork<C>(pub C);

impl<C: Coins> Coins for ConstantWork<C> {
    fn bits(&mut self, count: u32) -> Result<u64, CoinsError> {
        self.0.bits(count)
    }

    fn consumed(&self) -> u64 {
        self.0.consumed()
    }

    #[inline(always)]
    fn asks(&mut self, question: Question<'_>) {
        self.0.asks(question);
    }

    fn pick(&mut self, table: &Table) -> Result<usize, CoinsError> {
        self.0.asks(Question::Pick(table, 1));
        let word = self.0.bits(64)?;
        match table.decided_by_word_in_constant_work(word) {
            Some(place) => Ok(place),
            None => table.settle(word, || self.0.bits(1)),
        }
    }

    fn pick_each(&mut self, table: &Table, out: &mut [i64]) -> Result<(), CoinsError> {
        for place in out {
            *place = self.pick(table)? as i64;
        }
        Ok(())
    }
}
