//! A rung of the ladder: samplers explored over the draws of the rung below, what was explored, and what was drawn.

use super::list;
use crate::claim::{Check, Trouble};
use dp_assay::coins::explorer::Run;
use dp_assay::coins::{Choice, Coins, CoinsError, Explored, Explorer, Law, Layer};
use dp_assay::number::{Rational, rational};
use dp_assay::sample::{Attempt, Rejection};
use num_bigint::{BigInt, BigUint};
use num_traits::{One, Zero};
use std::collections::BTreeSet;
use std::fmt::{Debug, Display};

/// `2^-bits`
pub(super) fn power(bits: u32) -> Rational {
    Rational::new(BigInt::one(), BigInt::one() << bits)
}

/// Over whole laws, until at most `2^-bits` is undecided.
pub(super) fn over_laws(bits: u32) -> Explorer {
    Explorer::new(Layer::Laws, 1 << 17)
        .with_tail(power(bits + 2))
        .until(power(bits))
}

/// What one row explores.
#[derive(Debug, Default)]
pub(super) struct Rung {
    /// The laws whose samplers were explored, and the choices of the layers that were.
    explored: BTreeSet<Choice>,
    /// The draws that were taken as given here: a rung below must have explored them.
    drawn: BTreeSet<Choice>,
    found: Vec<Found>,
}

/// What an exploration found.
#[derive(Debug)]
struct Found {
    instance: String,
    /// An outcome whose stated probability it rules out.
    ruled_out: Option<String>,
    undecided: Rational,
    /// The most that may stay undecided.
    tolerated: Rational,
    runs: usize,
}

/// How many attempts are rejected in a row before the loop is explored once more.
pub(super) const REJECTIONS: u32 = 1000;

/// The most that may stay undecided is `2^-30` of an attempt, `2^-14` of the loop, and `2^-8` of the loop after many
/// rejections.
const ATTEMPT: u32 = 30;
const LOOP: u32 = 14;
const LATER: u32 = 8;

impl Rung {
    /// Explores the sampler of `law`. What it draws itself is taken as given.
    pub(super) fn sampler<L: Law>(
        &mut self,
        law: &L,
        explorer: &Explorer,
        tolerated: u32,
    ) -> Result<(), Trouble> {
        let found = explorer.explore(|coins| law.sample(coins))?;
        self.explored.insert(Choice::Law(law.label()));
        self.of_law(law.label(), law, &found, tolerated)
    }

    /// Explores a sampler by rejection: one attempt; the loop, where whole attempts are taken as given; and the loop
    /// after many rejected attempts.
    pub(super) fn by_rejection<L: Rejection>(
        &mut self,
        law: &L,
        draw: impl Fn(&L, &mut AfterRejections) -> Result<L::Outcome, CoinsError>,
    ) -> Result<(), Trouble> {
        self.sampler(&Attempt(law.clone()), &over_laws(ATTEMPT), ATTEMPT)?;
        for (left, tolerated) in [(0, LOOP), (REJECTIONS, LATER)] {
            let found = over_laws(tolerated)
                .explore(|coins| draw(law, &mut AfterRejections { coins, left }))?;
            let instance = format!("{} after {left} rejections", law.label());
            self.of_law(instance, law, &found, tolerated)?;
        }
        self.explored.insert(Choice::Law(law.label()));
        Ok(())
    }

    /// Enters an exploration, which must allow this law.
    pub(super) fn of_law<L: Law>(
        &mut self,
        instance: impl Display,
        law: &L,
        found: &Explored<L::Outcome>,
        tolerated: u32,
    ) -> Result<(), Trouble> {
        let ruled_out = found.disagreement(law)?;
        self.of(instance, ruled_out, found, tolerated);
        Ok(())
    }

    /// Enters an exploration. `ruled_out` is an outcome whose stated probability it contradicts, if there is one; at
    /// most `2^-tolerated` may stay undecided.
    pub(super) fn of<T>(
        &mut self,
        instance: impl Display,
        ruled_out: Option<impl Debug>,
        found: &Explored<T>,
        tolerated: u32,
    ) {
        self.drawn.extend(found.drawn.iter().cloned());
        self.found.push(Found {
            instance: instance.to_string(),
            ruled_out: ruled_out.map(|outcome| format!("{outcome:?}")),
            undecided: found.undecided.clone(),
            tolerated: power(tolerated),
            runs: found.runs,
        });
    }

    /// Notes that this choice was explored, with its parameters.
    pub(super) fn explores(&mut self, choice: Choice) {
        self.explored.insert(choice);
    }

    /// The draws that were taken as given.
    pub(super) fn drawn(&self) -> &BTreeSet<Choice> {
        &self.drawn
    }

    /// Asserts that no exploration rules its law out, and that little stays undecided.
    #[track_caller]
    pub(super) fn report(&self, check: &mut Check) {
        let mut most = Rational::zero();
        for found in &self.found {
            let Found {
                instance,
                undecided,
                tolerated,
                ..
            } = found;
            match &found.ruled_out {
                Some(outcome) => check.holds(
                    false,
                    format_args!("{instance}: the law is ruled out at {outcome}"),
                ),
                None => check.holds(
                    undecided <= tolerated,
                    format_args!(
                        "{instance}: {} stays undecided",
                        rational::to_scientific_above(undecided, 3)
                    ),
                ),
            }
            most = most.max(undecided.clone());
        }
        let runs: usize = self.found.iter().map(|found| found.runs).sum();
        check.figure("samplers explored", self.explored.len());
        check.figure("runs explored", runs);
        check.figure(
            "largest undecided mass",
            rational::to_scientific_above(&most, 3),
        );
    }

    /// Asserts that each law drawn here was explored with its parameters, on this rung or on one of those below.
    #[track_caller]
    pub(super) fn rests_on(&self, check: &mut Check, below: &[&Self]) {
        let missing: Vec<&Choice> = self
            .drawn
            .iter()
            .filter(|choice| matches!(choice, Choice::Law(_)))
            .filter(|choice| {
                !self.explored.contains(choice)
                    && !below.iter().any(|rung| rung.explored.contains(choice))
            })
            .collect();
        check.holds(
            missing.is_empty(),
            format_args!("drawn, and explored by no row: {}", list(&missing)),
        );
    }

    /// Asserts that this rung explored every choice of this kind that the rungs above drew.
    #[track_caller]
    pub(super) fn carries(
        &self,
        check: &mut Check,
        above: &[Self],
        kind: impl Fn(&Choice) -> bool,
    ) {
        let drawn: BTreeSet<&Choice> = above.iter().flat_map(|rung| &rung.drawn).collect();
        let missing: Vec<&Choice> = drawn
            .into_iter()
            .filter(|choice| kind(choice) && !self.explored.contains(choice))
            .collect();
        check.holds(
            missing.is_empty(),
            format_args!("drawn above, and not explored: {}", list(&missing)),
        );
    }
}

/// Coins that answer the first `left` draws with the outcome 0 of the law. For an [`Attempt`] that is a rejection.
pub(super) struct AfterRejections<'a> {
    coins: &'a mut Run,
    left: u32,
}

impl Coins for AfterRejections<'_> {
    fn bits(&mut self, count: u32) -> Result<u64, CoinsError> {
        self.coins.bits(count)
    }

    fn consumed(&self) -> u64 {
        self.coins.consumed()
    }

    fn uniform_below(&mut self, n: &BigUint) -> Result<BigUint, CoinsError> {
        self.coins.uniform_below(n)
    }

    fn bernoulli(&mut self, p: &Rational) -> Result<bool, CoinsError> {
        self.coins.bernoulli(p)
    }

    fn bernoulli_exp(&mut self, x: &Rational) -> Result<bool, CoinsError> {
        self.coins.bernoulli_exp(x)
    }

    fn draw<L: Law>(&mut self, law: &L) -> Result<L::Outcome, CoinsError> {
        if self.left == 0 {
            return self.coins.draw(law);
        }
        self.left -= 1;
        law.outcome(0).ok_or(CoinsError::NoOutcome)
    }
}
