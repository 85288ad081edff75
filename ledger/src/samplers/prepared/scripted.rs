//! Coins whose answers are written down beforehand: so a sampler is led where the check wants it, and shows what it asks.

use dp_assay::coins::{Against, Coins, CoinsError, Law, Sharp, Table};
use dp_assay::number::Rational;
use num_bigint::BigUint;
use std::collections::VecDeque;

/// How a uniform number compares with two bounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Answer {
    Below,
    NotBelow,
    /// In between: the number begins with this word.
    Word(u64),
}

/// Coins with answers for each kind of question, in order; and what was asked. Where no answer is left the sampler is told that a
/// tape has ended.
#[derive(Debug, Clone, Default)]
pub(super) struct Scripted {
    /// The places to pick, for each table of its own.
    pub(super) places: Vec<(Table, VecDeque<usize>)>,
    /// Whether a table that has no places is met: its first place is picked, and it is noted.
    pub(super) meets: bool,
    pub(super) words: VecDeque<u64>,
    pub(super) answers: VecDeque<Answer>,
    pub(super) ranks: VecDeque<u64>,
    pub(super) exponentials: VecDeque<bool>,
    /// The numbers of the outcomes of laws that are drawn whole.
    pub(super) outcomes: VecDeque<u64>,
    /// The tables that were picked from, in order.
    pub(super) picked: Vec<Table>,
    /// How many bits were asked for at a time.
    pub(super) counts: Vec<u32>,
    /// The bounds that a uniform number was compared with.
    pub(super) bounds: Vec<[u64; 2]>,
    /// The exponents of Bernoulli(exp(-x)).
    pub(super) exponents: Vec<Rational>,
    /// The labels of the laws that were drawn whole.
    pub(super) laws: Vec<String>,
    /// The numbers below which uniform integers were asked for.
    pub(super) belows: Vec<u64>,
}

fn next<T>(answers: &mut VecDeque<T>) -> Result<T, CoinsError> {
    answers
        .pop_front()
        .ok_or(CoinsError::TapeEnded { length: 0 })
}

impl Scripted {
    /// Coins that meet tables: what a sampler picks from is noted, and each pick is the first place.
    pub(super) fn meeting() -> Self {
        Self {
            meets: true,
            ..Self::default()
        }
    }

    /// Coins with places for these tables.
    pub(super) fn picking<'a>(
        tables: impl IntoIterator<Item = (&'a Table, VecDeque<usize>)>,
    ) -> Self {
        let places = tables.into_iter();
        Self {
            places: places.map(|(table, list)| (table.clone(), list)).collect(),
            ..Self::default()
        }
    }
}

impl Coins for Scripted {
    fn bits(&mut self, count: u32) -> Result<u64, CoinsError> {
        let word = next(&mut self.words)?;
        self.counts.push(count);
        match count {
            0 => Ok(0),
            count => Ok(word & (u64::MAX >> (64 - count))),
        }
    }

    fn consumed(&self) -> u64 {
        self.counts.iter().map(|&count| u64::from(count)).sum()
    }

    fn pick(&mut self, table: &Table) -> Result<usize, CoinsError> {
        self.picked.push(table.clone());
        let places = self.places.iter_mut().find(|(of, _)| of == table);
        match places {
            Some((_, places)) => next(places),
            None if self.meets => Ok(0),
            None => Err(CoinsError::TapeEnded { length: 0 }),
        }
    }

    fn pick_each(&mut self, table: &Table, out: &mut [i64]) -> Result<(), CoinsError> {
        for place in out {
            *place = self.pick(table)? as i64;
        }
        Ok(())
    }

    fn below(&mut self, n: u64) -> Result<u64, CoinsError> {
        let rank = next(&mut self.ranks)?;
        self.belows.push(n);
        Ok(rank)
    }

    fn against(
        &mut self,
        outright: u64,
        sharp: impl FnOnce() -> Sharp,
    ) -> Result<Against, CoinsError> {
        let answer = next(&mut self.answers)?;
        let sharp = sharp();
        // The bound that is tried first must not pass the sharp one, which is looked at.
        let below = if outright <= sharp.below {
            sharp.below
        } else {
            u64::MAX
        };
        self.bounds.push([below, sharp.last]);
        Ok(match answer {
            Answer::Below => Against::Below,
            Answer::NotBelow => Against::NotBelow,
            Answer::Word(place) => Against::Between {
                place,
                parts: 1 << 64,
            },
        })
    }

    fn bernoulli_exp(&mut self, x: &Rational) -> Result<bool, CoinsError> {
        let answer = next(&mut self.exponentials)?;
        let lowest = Rational::new(x.numer().clone(), x.denom().clone());
        self.exponents.push(lowest);
        Ok(answer)
    }

    fn uniform_below(&mut self, _: &BigUint) -> Result<BigUint, CoinsError> {
        next(&mut self.ranks).map(BigUint::from)
    }

    fn draw<L: Law>(&mut self, law: &L) -> Result<L::Outcome, CoinsError> {
        let index = next(&mut self.outcomes)?;
        self.laws.push(law.label());
        law.outcome(index).ok_or(CoinsError::NoOutcome)
    }
}

/// Coins that begin with this word, and go on with those of a source.
#[derive(Debug)]
pub(super) struct After<'a, C> {
    pub(super) word: u64,
    /// How many bits of the word are left.
    pub(super) left: u32,
    pub(super) coins: &'a mut C,
}

impl<C: Coins> Coins for After<'_, C> {
    fn bits(&mut self, count: u32) -> Result<u64, CoinsError> {
        if self.left == 0 {
            return self.coins.bits(count);
        }
        self.left = self
            .left
            .checked_sub(count)
            .ok_or(CoinsError::TapeEnded { length: 0 })?;
        match count {
            0 => Ok(0),
            count => Ok((self.word >> self.left) & (u64::MAX >> (64 - count))),
        }
    }

    fn consumed(&self) -> u64 {
        self.coins.consumed()
    }
}

/// Coins that have no bits.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ended;

impl Coins for Ended {
    fn bits(&mut self, count: u32) -> Result<u64, CoinsError> {
        match count {
            0 => Ok(0),
            _ => Err(CoinsError::TapeEnded { length: 0 }),
        }
    }

    fn consumed(&self) -> u64 {
        0
    }
}
