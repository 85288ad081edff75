//! Assertions on explorations: no outcome ruled out, and little undecided.

use crate::claim::{Check, Trouble};
use crate::coins::{Attempts, Explored, Law};
use crate::number::{Rational, rational};
use num_traits::Zero;
use std::fmt::{Debug, Display};

/// The explorations of one row.
pub(super) struct Explorations<'a> {
    check: &'a mut Check,
    /// The most that may stay undecided anywhere.
    tolerated: Rational,
    undecided: Rational,
    runs: usize,
}

impl<'a> Explorations<'a> {
    pub(super) fn new(check: &'a mut Check, tolerated: Rational) -> Self {
        Self {
            check,
            tolerated,
            undecided: Rational::zero(),
            runs: 0,
        }
    }

    /// The sampler that was explored may have this law.
    #[track_caller]
    pub(super) fn of_law<L: Law>(
        &mut self,
        instance: impl Display,
        law: &L,
        found: &Explored<L::Outcome>,
    ) -> Result<(), Trouble> {
        let ruled_out = found.disagreement(law)?;
        self.of(instance, ruled_out, &found.undecided, found.runs);
        Ok(())
    }

    /// The rejection sampler may have this law; one attempt of it was explored.
    #[track_caller]
    pub(super) fn of_attempts<L: Law>(
        &mut self,
        instance: impl Display,
        law: &L,
        attempt: Explored<Option<L::Outcome>>,
    ) -> Result<(), Trouble> {
        let found = Attempts::new(attempt);
        let ruled_out = found.disagreement(law)?;
        self.of(instance, ruled_out, &found.undecided(), found.runs());
        Ok(())
    }

    /// No outcome is ruled out, and at most the tolerated mass is undecided.
    #[track_caller]
    pub(super) fn of(
        &mut self,
        instance: impl Display,
        ruled_out: Option<impl Debug>,
        undecided: &Rational,
        runs: usize,
    ) {
        let shown = rational::to_scientific_above(undecided, 3);
        match ruled_out {
            Some(outcome) => self.check.holds(
                false,
                format_args!("{instance}: the law is ruled out at {outcome:?}"),
            ),
            None => self.check.holds(
                *undecided <= self.tolerated,
                format_args!("{instance}: {shown} stays undecided"),
            ),
        }
        self.undecided = self.undecided.clone().max(undecided.clone());
        self.runs += runs;
    }

    /// Another fact of an exploration.
    #[track_caller]
    pub(super) fn holds(&mut self, holds: bool, instance: impl Display) {
        self.check.holds(holds, instance);
    }

    /// Prints the figures of the row.
    pub(super) fn finish(self) {
        self.check.figure("runs explored", self.runs);
        self.check.figure(
            "largest undecided mass",
            rational::to_scientific_above(&self.undecided, 3),
        );
    }
}
