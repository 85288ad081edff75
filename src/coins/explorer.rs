//! Exact probabilities by running the sampling code on every outcome.
//!
//! The explorer is a source of coins that never draws: whenever the code under it asks for a
//! choice that has not been made yet, it stops the run, and runs the code again from the start once
//! for each outcome of that choice. Runs that end give probability to their result; what is left
//! when the budget is spent stays *undecided*. For every result `r`, without any statistics,
//!
//! `lower(r) <= Pr[r] <= lower(r) + undecided`.
//!
//! Told to hold a [`Layer`] atomic, it branches over the outcomes of that layer with their exact or
//! certified probabilities, so that each layer is checked on the one below.

use super::{Coins, CoinsError, Law, layers};
use crate::number::{Dyadic, Enclosure, NumberError, Rational};
use num_bigint::BigUint;
use num_traits::{One, Signed, ToPrimitive, Zero};
use std::collections::{BTreeMap, BinaryHeap};

/// What the explorer branches over; each layer includes those before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Layer {
    /// Single bits.
    Bits,
    /// Uniform integers, with probability `1/n` each.
    UniformBelow,
    /// Bernoulli(p), with probabilities `p` and `1 - p`.
    Bernoulli,
    /// Bernoulli(exp(-x)), with certified probabilities.
    BernoulliExp,
    /// Whole laws, with their certified probabilities.
    Laws,
}

/// The most outcomes of one choice that are branched over.
const WIDEST: u64 = 1 << 16;

/// The working precision of certified probabilities, in bits.
const PRECISION: u32 = 160;

/// Explores sampling code, best-first by probability.
#[derive(Debug, Clone)]
pub struct Explorer {
    layer: Layer,
    budget: usize,
    tail: Rational,
}

/// What an exploration found.
#[derive(Debug, Clone)]
pub struct Explored<T> {
    /// A lower bound on each result's probability.
    pub lower: BTreeMap<T, Rational>,
    /// The probability that is not accounted for: `1 - sum of lower`.
    pub undecided: Rational,
    /// How many runs it took.
    pub runs: usize,
}

impl Explorer {
    /// An explorer that holds `layer` atomic and makes at most `budget` runs.
    #[must_use]
    pub fn new(layer: Layer, budget: usize) -> Self {
        Self {
            layer,
            budget,
            tail: Rational::new(1.into(), num_bigint::BigInt::one() << 40),
        }
    }

    /// The same explorer, leaving at most `tail` of each whole law undecided: an infinite law has to
    /// be cut off somewhere. The default is `2^-40`.
    #[must_use]
    pub fn with_tail(self, tail: Rational) -> Self {
        Self { tail, ..self }
    }

    /// Runs `sampler` on every outcome until all is decided or the budget is spent.
    ///
    /// `sampler` must be a function of its coins alone, and pass on every error of theirs.
    ///
    /// # Errors
    /// Those of the sampler, but for [`CoinsError::Paused`].
    pub fn explore<T: Ord>(
        &self,
        mut sampler: impl FnMut(&mut Run) -> Result<T, CoinsError>,
    ) -> Result<Explored<T>, CoinsError> {
        let mut lower: BTreeMap<T, Rational> = BTreeMap::new();
        let mut frontier = BinaryHeap::from([Node::new(Rational::one(), Vec::new())]);
        let mut runs = 0;
        while runs < self.budget {
            let Some(node) = frontier.pop() else { break };
            runs += 1;
            let mut run = Run {
                layer: self.layer,
                tail: self.tail.clone(),
                path: node.path,
                position: 0,
                branches: Vec::new(),
                consumed: 0,
            };
            match sampler(&mut run) {
                Ok(result) => *lower.entry(result).or_insert_with(Rational::zero) += node.mass,
                Err(CoinsError::Paused) => {
                    for (index, probability) in run.branches.iter().enumerate() {
                        if probability.is_positive() {
                            let mut path = run.path.clone();
                            path.push(index as u64);
                            frontier.push(Node::new(&node.mass * probability, path));
                        }
                    }
                }
                Err(error) => return Err(error),
            }
        }
        let decided: Rational = lower.values().sum();
        Ok(Explored {
            lower,
            undecided: Rational::one() - decided,
            runs,
        })
    }
}

impl<T: Ord + Clone> Explored<T> {
    /// The lower bound on the probability of `result`.
    #[must_use]
    pub fn lower(&self, result: &T) -> Rational {
        self.lower
            .get(result)
            .cloned()
            .unwrap_or_else(Rational::zero)
    }

    /// Whether `probability` can be that of `result`: the enclosure meets
    /// `[lower, lower + undecided]`.
    #[must_use]
    pub fn allows(&self, result: &T, probability: &Enclosure) -> bool {
        let lower = self.lower(result);
        !probability.is_below_rational(&lower)
            && !probability.is_above_rational(&(lower + &self.undecided))
    }

    /// The first outcome whose probability under `law` the exploration rules out, if there is one;
    /// compared are all outcomes that were seen and the likeliest ones of the law.
    ///
    /// # Errors
    /// Those of the law's enclosures.
    pub fn disagreement<L: Law<Outcome = T>>(&self, law: &L) -> Result<Option<T>, NumberError> {
        first_ruled_out(law, self.lower.keys(), |outcome, pmf| {
            self.allows(outcome, pmf)
        })
    }
}

/// The likeliest outcomes of a law that are compared whether they were seen or not.
const COMPARED: u64 = 64;

fn first_ruled_out<'seen, L: Law>(
    law: &L,
    seen: impl Iterator<Item = &'seen L::Outcome>,
    allows: impl Fn(&L::Outcome, &Enclosure) -> bool,
) -> Result<Option<L::Outcome>, NumberError>
where
    L::Outcome: 'seen,
{
    let likely = (0..COMPARED).map_while(|index| law.outcome(index));
    for outcome in seen.cloned().chain(likely) {
        if !allows(&outcome, &law.pmf(&outcome, PRECISION)?) {
            return Ok(Some(outcome));
        }
    }
    Ok(None)
}

/// The law of a rejection sampler, from the exploration of one attempt.
///
/// With `r` the known probability that an attempt is rejected, `l` the lower bound of an outcome and
/// `u` the undecided mass, `l / (1 - r) <= Pr[outcome] <= (l + u) / (1 - r)`; both ends are attained
/// (`spec/samplers.md`, `sample.attempts`).
#[derive(Debug, Clone)]
pub struct Attempts<T> {
    attempt: Explored<Option<T>>,
    not_rejected: Rational,
}

impl<T: Ord + Clone> Attempts<T> {
    /// From the exploration of one attempt, `None` being a rejection.
    #[must_use]
    pub fn new(attempt: Explored<Option<T>>) -> Self {
        let not_rejected = Rational::one() - attempt.lower(&None);
        Self {
            attempt,
            not_rejected,
        }
    }

    /// `Pr[an attempt is not known to be rejected]`: at least the probability of acceptance.
    #[must_use]
    pub fn not_rejected(&self) -> &Rational {
        &self.not_rejected
    }

    /// What is undecided given that the attempt is not rejected.
    #[must_use]
    pub fn undecided(&self) -> Rational {
        &self.attempt.undecided / &self.not_rejected
    }

    /// How many runs it took.
    #[must_use]
    pub fn runs(&self) -> usize {
        self.attempt.runs
    }

    /// The outcomes that were seen.
    pub fn outcomes(&self) -> impl Iterator<Item = &T> {
        self.attempt.lower.keys().flatten()
    }

    /// Whether `probability` can be that of `outcome`.
    #[must_use]
    pub fn allows(&self, outcome: &T, probability: &Enclosure) -> bool {
        let lower = self.attempt.lower(&Some(outcome.clone())) / &self.not_rejected;
        !probability.is_below_rational(&lower)
            && !probability.is_above_rational(&(lower + self.undecided()))
    }

    /// The first outcome whose probability under `law` the exploration rules out, if there is one.
    ///
    /// # Errors
    /// Those of the law's enclosures.
    pub fn disagreement<L: Law<Outcome = T>>(&self, law: &L) -> Result<Option<T>, NumberError> {
        first_ruled_out(law, self.outcomes(), |outcome, pmf| {
            self.allows(outcome, pmf)
        })
    }
}

/// One run of the code under the explorer: the choices made so far, replayed.
#[derive(Debug)]
pub struct Run {
    layer: Layer,
    tail: Rational,
    path: Vec<u64>,
    position: usize,
    branches: Vec<Rational>,
    consumed: u64,
}

impl Run {
    /// The outcome of the next choice, or a pause that offers `branches()`.
    fn choose(
        &mut self,
        branches: impl FnOnce() -> Result<Vec<Rational>, CoinsError>,
    ) -> Result<u64, CoinsError> {
        match self.path.get(self.position) {
            Some(&choice) => {
                self.position += 1;
                Ok(choice)
            }
            None => {
                self.branches = branches()?;
                Err(CoinsError::Paused)
            }
        }
    }
}

impl Coins for Run {
    fn bits(&mut self, count: u32) -> Result<u64, CoinsError> {
        let mut word = 0;
        for _ in 0..count {
            let bit = self.choose(|| Ok(vec![Rational::new(1.into(), 2.into()); 2]))?;
            word = (word << 1) | bit;
            self.consumed += 1;
        }
        Ok(word)
    }

    fn consumed(&self) -> u64 {
        self.consumed
    }

    fn uniform_below(&mut self, n: &BigUint) -> Result<BigUint, CoinsError> {
        if self.layer < Layer::UniformBelow {
            return layers::uniform_below(self, n);
        }
        let choice = self.choose(|| {
            let outcomes =
                n.to_u64()
                    .filter(|&n| n <= WIDEST)
                    .ok_or_else(|| CoinsError::TooManyBranches {
                        outcomes: n.to_string(),
                        limit: WIDEST,
                    })?;
            if outcomes == 0 {
                return Err(CoinsError::NoOutcome);
            }
            Ok(vec![
                Rational::new(1.into(), outcomes.into());
                outcomes as usize
            ])
        })?;
        Ok(BigUint::from(choice))
    }

    fn bernoulli(&mut self, p: &Rational) -> Result<bool, CoinsError> {
        if self.layer < Layer::Bernoulli {
            return layers::bernoulli(self, p);
        }
        let choice = self.choose(|| {
            // Reduced again, since samplers may leave a common factor.
            let p = Rational::new(p.numer().clone(), p.denom().clone());
            if p.is_negative() || p > Rational::one() {
                return Err(CoinsError::NotAProbability {
                    value: p.to_string(),
                });
            }
            Ok(vec![Rational::one() - &p, p])
        })?;
        Ok(choice == 1)
    }

    fn bernoulli_exp(&mut self, x: &Rational) -> Result<bool, CoinsError> {
        if self.layer < Layer::BernoulliExp {
            return layers::bernoulli_exp(self, x);
        }
        let choice = self.choose(|| {
            if x.is_negative() {
                return Err(CoinsError::NegativeExponent {
                    value: x.to_string(),
                });
            }
            if x.is_zero() {
                return Ok(vec![Rational::zero(), Rational::one()]);
            }
            let accept = Enclosure::exp_of(&-x, PRECISION)?;
            Ok(vec![mass(&accept.complement()), mass(&accept)])
        })?;
        Ok(choice == 1)
    }

    fn draw<L: Law>(&mut self, law: &L) -> Result<L::Outcome, CoinsError> {
        // A law that does not number its outcomes is explored through its sampler.
        if self.layer < Layer::Laws || law.outcome(0).is_none() {
            return law.sample(self);
        }
        let tail = self.tail.clone();
        let index = self.choose(|| {
            let mut branches = Vec::new();
            let mut left = Rational::one();
            while left > tail
                && let Some(outcome) = law.outcome(branches.len() as u64)
            {
                if branches.len() as u64 >= WIDEST {
                    return Err(CoinsError::TooManyBranches {
                        outcomes: "the law's".to_owned(),
                        limit: WIDEST,
                    });
                }
                let lower = mass(&law.pmf(&outcome, PRECISION)?);
                left -= &lower;
                branches.push(lower);
            }
            Ok(branches)
        })?;
        law.outcome(index).ok_or(CoinsError::NoOutcome)
    }
}

/// A lower bound on a probability that is enclosed: zero for one that is negligible, so that its
/// fraction need not be written out.
fn mass(probability: &Enclosure) -> Rational {
    if probability.lo().is_positive() && probability.lo().magnitude() > -1024 {
        probability.lower()
    } else {
        Rational::zero()
    }
}

/// A path of choices and a lower bound on its probability.
#[derive(Debug)]
struct Node {
    // The mass again, to 53 bits: cheap to compare, and only the order of the search depends on it.
    priority: Dyadic,
    mass: Rational,
    path: Vec<u64>,
}

impl Node {
    fn new(mass: Rational, path: Vec<u64>) -> Self {
        Self {
            priority: Dyadic::quotient_below(mass.numer(), mass.denom(), 53),
            mass: shortened(mass),
            path,
        }
    }
}

/// The mass, or where its fraction has grown long a shorter one just below: still a lower bound.
fn shortened(mass: Rational) -> Rational {
    if mass.denom().bits() <= 512 {
        mass
    } else {
        Dyadic::quotient_below(mass.numer(), mass.denom(), 192).to_rational()
    }
}

impl PartialEq for Node {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Node {}

impl PartialOrd for Node {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Node {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        // Likely paths first; among equally likely ones the shorter, then the smaller: deterministic.
        self.priority
            .cmp(&other.priority)
            .then_with(|| other.path.len().cmp(&self.path.len()))
            .then_with(|| other.path.cmp(&self.path))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::rational::ratio;

    #[test]
    fn a_bernoulli_is_explored_bit_by_bit() {
        let third = ratio(1, 3);
        let found = Explorer::new(Layer::Bits, 40)
            .explore(|coins| coins.bernoulli(&third))
            .unwrap();
        let truth = Enclosure::of(&third, 64);
        assert!(found.allows(&true, &truth));
        assert!(found.undecided < ratio(1, 1_000_000));
        // A sampler that is off by one in a million is found out.
        assert!(!found.allows(&true, &Enclosure::of(&(third + ratio(1, 900_000)), 64)));
    }

    #[test]
    fn a_dyadic_bernoulli_is_decided_completely() {
        let found = Explorer::new(Layer::Bits, 100)
            .explore(|coins| coins.bernoulli(&ratio(5, 8)))
            .unwrap();
        assert_eq!(found.lower(&true), ratio(5, 8));
        assert_eq!(found.undecided, Rational::zero());
    }

    #[test]
    fn a_uniform_held_atomic_is_exact() {
        let found = Explorer::new(Layer::UniformBelow, 100)
            .explore(|coins| coins.uniform_below(&BigUint::from(6u32)))
            .unwrap();
        assert_eq!(found.undecided, Rational::zero());
        assert_eq!(found.lower(&BigUint::from(5u32)), ratio(1, 6));
        let too_wide = Explorer::new(Layer::UniformBelow, 100)
            .explore(|coins| coins.uniform_below(&(BigUint::from(1u32) << 20)));
        assert!(matches!(too_wide, Err(CoinsError::TooManyBranches { .. })));
    }

    #[test]
    fn attempts_condition_on_not_being_rejected() {
        // An attempt that accepts two of three outcomes.
        let attempt = Explorer::new(Layer::UniformBelow, 100)
            .explore(|coins| {
                Ok(coins
                    .uniform_below(&BigUint::from(3u32))?
                    .to_u64()
                    .filter(|&k| k > 0))
            })
            .unwrap();
        let attempts = Attempts::new(attempt);
        assert!(attempts.allows(&1, &Enclosure::of(&ratio(1, 2), 64)));
        assert!(!attempts.allows(&1, &Enclosure::of(&ratio(1, 3), 64)));
    }

    #[test]
    fn a_failing_source_is_reported() {
        let failed: Result<Explored<u64>, _> =
            Explorer::new(Layer::Bits, 10).explore(|_| Err(CoinsError::NoOutcome));
        assert_eq!(failed.unwrap_err(), CoinsError::NoOutcome);
    }
}
