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
//! certified probabilities, so that each layer is checked on the one below; it reports what it drew
//! in this way, so that it can be checked that the layer below was explored with those parameters.
//!
//! This bounds the law of a function of coins that passes on every error of theirs, and of nothing
//! else. So the explorer remembers every choice on the way to a result, and refuses a sampler that
//! goes on after an error, leaves choices unasked, asks others, or returns another result when it is
//! run again on the same coins. What a sampler does where it is not run again it can't see.

use super::error::at_most_a_word;
use super::layers::Seal;
use super::{Coins, CoinsError, Law, Table, layers};
use crate::number::{Dyadic, Enclosure, NumberError, Rational};
use num_bigint::BigUint;
use num_traits::{One, Signed, ToPrimitive, Zero};
use std::any::Any;
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};
use std::fmt;
use std::rc::Rc;

/// What the explorer branches over; each layer includes those before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Layer {
    /// Single bits.
    Bits,
    /// Uniform integers, with probability `1/n` each.
    UniformBelow,
    /// Bernoulli(p), with probabilities `p` and `1 - p`.
    Bernoulli,
    /// Bernoulli(exp(-x)) for `x <= 1`, with certified probabilities.
    BernoulliExpUpToOne,
    /// Bernoulli(exp(-x)) for every `x`, with certified probabilities.
    BernoulliExp,
    /// Whole laws, with their certified probabilities.
    Laws,
}

/// A choice that sampling code asks for, with its parameters.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Choice {
    /// A fair bit.
    Bit,
    /// A uniform integer below this one.
    UniformBelow(BigUint),
    /// True with this probability.
    Bernoulli(Rational),
    /// True with probability `exp(-x)`, for this `x`.
    BernoulliExp(Rational),
    /// A draw from the law with this [`Law::label`].
    Law(String),
}

impl fmt::Display for Choice {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bit => formatter.write_str("bit"),
            Self::UniformBelow(n) => write!(formatter, "uniform_below({n})"),
            Self::Bernoulli(p) => write!(formatter, "bernoulli({p})"),
            Self::BernoulliExp(x) => write!(formatter, "bernoulli_exp({x})"),
            Self::Law(label) => formatter.write_str(label),
        }
    }
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
    enough: Rational,
    only_of_the_library: bool,
}

/// What an exploration found.
#[derive(Debug, Clone)]
pub struct Explored<T> {
    /// A lower bound on each result's probability.
    pub lower: BTreeMap<T, Rational>,
    /// The probability that is not accounted for: `1 - sum of lower`.
    pub undecided: Rational,
    /// What was held atomic and drawn: what the layer below answers for.
    pub drawn: BTreeSet<Choice>,
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
            enough: Rational::zero(),
            only_of_the_library: false,
        }
    }

    /// The same explorer, which holds no law atomic but the library's: what another says of itself may not be so.
    pub(super) fn of_the_library(self) -> Self {
        Self {
            only_of_the_library: true,
            ..self
        }
    }

    /// The same explorer, which stops as soon as at most `enough` is undecided.
    #[must_use]
    pub fn until(self, enough: Rational) -> Self {
        Self { enough, ..self }
    }

    /// The same explorer, leaving at most `tail` of each whole law undecided: an infinite law has to
    /// be cut off somewhere. The default is `2^-40`.
    #[must_use]
    pub fn with_tail(self, tail: Rational) -> Self {
        Self { tail, ..self }
    }

    /// Runs `sampler` on every outcome until all is decided or the budget is spent.
    ///
    /// `sampler` must be a function of its coins alone, and pass on every error of theirs. The first,
    /// second, fourth, eighth, ... run that ends is run once more.
    ///
    /// # Errors
    /// [`CoinsError::NotExplorable`] if it is seen to be no such function; [`CoinsError::NotALaw`];
    /// those of the sampler, but for [`CoinsError::Paused`].
    pub fn explore<T: Ord>(
        &self,
        mut sampler: impl FnMut(&mut Run) -> Result<T, CoinsError>,
    ) -> Result<Explored<T>, CoinsError> {
        self.explore_all(&mut sampler)
    }

    /// The same, compiled once for all samplers with such results.
    fn explore_all<T: Ord>(
        &self,
        sampler: &mut dyn FnMut(&mut Run) -> Result<T, CoinsError>,
    ) -> Result<Explored<T>, CoinsError> {
        let mut lower: BTreeMap<T, Rational> = BTreeMap::new();
        let mut drawn = BTreeSet::new();
        let known = Known::default();
        let mut frontier = BinaryHeap::from([Node::new(Rational::one(), Vec::new())]);
        let (mut runs, mut ended) = (0, 0usize);
        // What is decided, rounded down: whether that is enough.
        let goal = Rational::one() - &self.enough;
        let mut decided = Dyadic::zero();
        while runs < self.budget && decided.cmp_rational(&goal).is_lt() {
            let Some(node) = frontier.pop() else { break };
            runs += 1;
            let mut run = self.run(node.path, &known);
            let outcome = sampler(&mut run);
            run.check(outcome.as_ref().err())?;
            match outcome {
                Ok(result) => {
                    ended += 1;
                    if ended.is_power_of_two() {
                        let mut again = self.run(run.path, &known);
                        let second = sampler(&mut again);
                        again.check(second.as_ref().err())?;
                        if !second.is_ok_and(|second| second == result) {
                            return Err(not_explorable("gave another result on the same coins"));
                        }
                    }
                    let mass = Dyadic::quotient_below(node.mass.numer(), node.mass.denom(), 128);
                    decided = (&decided + &mass).round_down(128);
                    *lower.entry(result).or_insert_with(Rational::zero) += node.mass;
                }
                Err(CoinsError::Paused) => {
                    drawn.insert(branch(run, &node.mass, &mut frontier)?);
                }
                Err(error) => return Err(error),
            }
        }
        let decided: Rational = lower.values().sum();
        Ok(Explored {
            lower,
            undecided: Rational::one() - decided,
            drawn,
            runs,
        })
    }

    /// A run along a path.
    fn run(&self, path: Vec<Step>, known: &Known) -> Run {
        Run {
            known: Rc::clone(known),
            layer: self.layer,
            tail: self.tail.clone(),
            only_of_the_library: self.only_of_the_library,
            path,
            position: 0,
            offered: None,
            failed: false,
            went_on: false,
            other: None,
            consumed: 0,
            asked: Cell::new(false),
        }
    }
}

/// Puts on the frontier one node for each outcome of the choice at which the run paused, and returns the choice.
fn branch(
    run: Run,
    mass: &Rational,
    frontier: &mut BinaryHeap<Node>,
) -> Result<Choice, CoinsError> {
    let Some((choice, branches)) = run.offered else {
        return Err(not_explorable("paused by itself"));
    };
    for (index, probability) in branches.iter().enumerate() {
        if probability.is_positive() {
            let mut path = run.path.clone();
            path.push((Rc::clone(&choice), index as u64));
            frontier.push(Node::new(mass * probability, path));
        }
    }
    Ok(reduced(&choice.choice))
}

/// A choice that was made, and its outcome.
type Step = (Rc<Made>, u64);

/// The choices that were met, and the probabilities of their outcomes: laws come again and again.
type Known = Rc<RefCell<BTreeMap<Choice, Vec<(Rc<Made>, Rc<[Rational]>)>>>>;

/// A choice that was made, with the law itself where it was one.
#[derive(Debug)]
struct Made {
    choice: Choice,
    law: Option<Box<dyn Any>>,
}

impl From<Choice> for Made {
    fn from(choice: Choice) -> Self {
        Self { choice, law: None }
    }
}

fn not_explorable(reason: impl Into<String>) -> CoinsError {
    CoinsError::NotExplorable {
        reason: reason.into(),
    }
}

/// The choice with its fraction in lowest terms: samplers may leave a common factor.
fn reduced(choice: &Choice) -> Choice {
    let lowest = |x: &Rational| Rational::new(x.numer().clone(), x.denom().clone());
    match choice {
        Choice::Bernoulli(p) => Choice::Bernoulli(lowest(p)),
        Choice::BernoulliExp(x) => Choice::BernoulliExp(lowest(x)),
        other => other.clone(),
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
pub struct RejectionLaw<T> {
    attempt: Explored<Option<T>>,
    not_rejected: Rational,
}

impl<T: Ord + Clone> RejectionLaw<T> {
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
    only_of_the_library: bool,
    known: Known,
    path: Vec<Step>,
    position: usize,
    // The choice at which the run paused, and the probabilities of its outcomes.
    offered: Option<(Rc<Made>, Rc<[Rational]>)>,
    // Whether an error was handed to the sampler, whether it asked on, and what it asked for that was
    // not asked for when the path was made.
    failed: bool,
    went_on: bool,
    other: Option<Choice>,
    consumed: u64,
    // Whether it was asked how many bits were drawn: other coins give another answer.
    asked: Cell<bool>,
}

impl Run {
    /// The outcome of the next choice, or a pause that offers `branches()`. On a path it must be the
    /// choice that was made there.
    fn choose(
        &mut self,
        is: impl Fn(&Made) -> bool,
        choice: impl FnOnce() -> Made,
        branches: impl FnOnce() -> Result<Vec<Rational>, CoinsError>,
    ) -> Result<u64, CoinsError> {
        if self.failed {
            self.went_on = true;
            return Err(CoinsError::Paused);
        }
        let Some((made, outcome)) = self.path.get(self.position) else {
            self.failed = true;
            let choice = choice();
            let mut known = self.known.borrow_mut();
            let alike = known.entry(choice.choice.clone()).or_default();
            let found = match alike.iter().find(|(made, _)| is(made)) {
                Some(found) => found.clone(),
                None => {
                    alike.push((Rc::new(choice), branches()?.into()));
                    alike[alike.len() - 1].clone()
                }
            };
            drop(known);
            self.offered = Some(found);
            return Err(CoinsError::Paused);
        };
        if !is(made) {
            self.failed = true;
            self.other = Some(choice().choice);
            return Err(CoinsError::Paused);
        }
        self.position += 1;
        Ok(*outcome)
    }

    /// Whether the run shows that the sampler is a function of its coins that passes on their errors;
    /// `error` is what it returned, if it did.
    fn check(&self, error: Option<&CoinsError>) -> Result<(), CoinsError> {
        let before = self.path.get(self.position);
        if let (Some(other), Some((made, _))) = (&self.other, before) {
            return Err(not_explorable(format!(
                "asked for {}, and for {other} when it was run again",
                made.choice
            )));
        }
        if self.only_of_the_library && self.asked.get() {
            return Err(not_explorable("asked how many bits were drawn"));
        }
        if self.went_on || (self.failed && error.is_none()) {
            return Err(not_explorable("went on after an error of its coins"));
        }
        match before {
            Some((made, _)) if matches!(error, None | Some(CoinsError::Paused)) => {
                Err(not_explorable(format!(
                    "asked for {}, and no more when it was run again",
                    made.choice
                )))
            }
            _ => Ok(()),
        }
    }
}

impl Coins for Run {
    fn bits(&mut self, count: u32) -> Result<u64, CoinsError> {
        at_most_a_word(count)?;
        let mut word = 0;
        for _ in 0..count {
            let half = || Ok(vec![Rational::new(1.into(), 2.into()); 2]);
            let bit = self.choose(
                |made| made.choice == Choice::Bit,
                || Choice::Bit.into(),
                half,
            )?;
            word = (word << 1) + bit;
            self.consumed += 1;
        }
        Ok(word)
    }

    fn consumed(&self) -> u64 {
        self.asked.set(true);
        self.consumed
    }

    fn uniform_below(&mut self, n: &BigUint) -> Result<BigUint, CoinsError> {
        if self.layer < Layer::UniformBelow {
            return layers::uniform_below(self, n);
        }
        let branches = || {
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
        };
        let choice = self.choose(
            |made| matches!(&made.choice, Choice::UniformBelow(m) if m == n),
            || Choice::UniformBelow(n.clone()).into(),
            branches,
        )?;
        Ok(BigUint::from(choice))
    }

    fn bernoulli(&mut self, p: &Rational) -> Result<bool, CoinsError> {
        if self.layer < Layer::Bernoulli {
            return layers::bernoulli(self, p);
        }
        layers::require_probability(p)?;
        let branches = || {
            // Reduced again, since samplers may leave a common factor.
            let p = Rational::new(p.numer().clone(), p.denom().clone());
            Ok(vec![Rational::one() - &p, p])
        };
        let choice = self.choose(
            |made| matches!(&made.choice, Choice::Bernoulli(q) if q == p),
            || Choice::Bernoulli(p.clone()).into(),
            branches,
        )?;
        Ok(choice == 1)
    }

    fn bernoulli_exp(&mut self, x: &Rational) -> Result<bool, CoinsError> {
        let held = match self.layer {
            Layer::BernoulliExpUpToOne => x.numer() <= x.denom(),
            layer => layer >= Layer::BernoulliExp,
        };
        if !held {
            return layers::bernoulli_exp(self, x);
        }
        layers::require_exponent(x)?;
        let branches = || {
            if x.is_zero() {
                return Ok(vec![Rational::zero(), Rational::one()]);
            }
            let accept = Enclosure::exp_of(&-x, PRECISION)?;
            Ok(vec![mass(&accept.complement()), mass(&accept)])
        };
        let choice = self.choose(
            |made| matches!(&made.choice, Choice::BernoulliExp(y) if y == x),
            || Choice::BernoulliExp(x.clone()).into(),
            branches,
        )?;
        Ok(choice == 1)
    }

    fn pick(&mut self, table: &Table) -> Result<usize, CoinsError> {
        match self.layer {
            Layer::Laws => self.draw(table),
            _ => layers::pick(self, table),
        }
    }

    fn draw<L: Law>(&mut self, law: &L) -> Result<L::Outcome, CoinsError> {
        // A law that does not number its outcomes is explored through its sampler.
        let is_trusted = !self.only_of_the_library || law.is_of_the_library(Seal);
        if self.layer < Layer::Laws || !is_trusted || law.outcome(0).is_none() {
            return law.sample(self);
        }
        let tail = self.tail.clone();
        let index = self.choose(
            |made| made.law.as_ref().and_then(|of| of.downcast_ref()) == Some(law),
            || Made {
                choice: Choice::Law(law.label()),
                law: Some(Box::new(law.clone())),
            },
            || branches_of(law, &tail),
        )?;
        law.outcome(index).ok_or(CoinsError::NoOutcome)
    }
}

/// Lower bounds on the probabilities of the likeliest outcomes, until at most `tail` is left; and of one
/// more, so that probabilities that add up to one before the last outcome are seen to exceed it.
fn branches_of<L: Law>(law: &L, tail: &Rational) -> Result<Vec<Rational>, CoinsError> {
    let mut branches = Vec::new();
    let mut left = Rational::one();
    let mut one_more = true;
    while left > *tail || std::mem::take(&mut one_more) {
        let Some(outcome) = law.outcome(branches.len() as u64) else {
            break;
        };
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
    if left.is_negative() {
        return Err(CoinsError::NotALaw { law: law.label() });
    }
    Ok(branches)
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
    path: Vec<Step>,
}

impl Node {
    fn new(mass: Rational, path: Vec<Step>) -> Self {
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

fn outcomes(path: &[Step]) -> impl Iterator<Item = u64> {
    path.iter().map(|&(_, outcome)| outcome)
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
            .then_with(|| outcomes(&other.path).cmp(outcomes(&self.path)))
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
        let attempts = RejectionLaw::new(attempt);
        assert!(attempts.allows(&1, &Enclosure::of(&ratio(1, 2), 64)));
        assert!(!attempts.allows(&1, &Enclosure::of(&ratio(1, 3), 64)));
    }

    #[test]
    fn a_failing_source_is_reported() {
        let failed: Result<Explored<u64>, _> =
            Explorer::new(Layer::Bits, 10).explore(|_| Err(CoinsError::NoOutcome));
        assert_eq!(failed.unwrap_err(), CoinsError::NoOutcome);
    }

    // What cannot be certified is refused: a sampler that is no function of its coins, or that keeps an
    // error to itself, and laws and parameters that are none.

    #[test]
    fn a_sampler_that_keeps_the_pause_to_itself_is_refused() {
        let explorer = Explorer::new(Layer::Bits, 100);
        assert!(
            explorer
                .explore(|coins| Ok(coins.bits(1).unwrap_or(0)))
                .is_err()
        );
        // Nor may it go on, and pause again.
        let goes_on = explorer.explore(|coins| {
            let first = coins.bits(1).unwrap_or(0);
            Ok(first + coins.bits(1)?)
        });
        assert!(goes_on.is_err());
        // Nor pause by itself.
        let pauses: Result<Explored<u8>, _> = explorer.explore(|_| Err(CoinsError::Paused));
        assert!(pauses.is_err());
        // A choice that is too wide is an error like any other.
        let too_wide = Explorer::new(Layer::UniformBelow, 100).explore(|coins| {
            Ok(coins
                .uniform_below(&(BigUint::from(1u32) << 20))
                .unwrap_or_default())
        });
        assert!(too_wide.is_err());
    }

    #[test]
    fn a_sampler_that_keeps_a_bit_for_the_next_run_is_refused() {
        let spare = std::cell::Cell::new(None);
        let cached = Explorer::new(Layer::Bits, 100).explore(|coins| {
            if let Some(bit) = spare.take() {
                return Ok(bit);
            }
            let two = coins.bits(2)?;
            spare.set(Some(two & 1));
            Ok(two >> 1)
        });
        assert!(cached.is_err());
        // Nor may the result depend on how many runs there were before.
        let calls = std::cell::Cell::new(0);
        let counted = Explorer::new(Layer::Bits, 100).explore(|coins| {
            calls.set(calls.get() + 1);
            Ok(coins.bits(1)? + 2 * (calls.get() / 3))
        });
        assert!(counted.is_err());
    }

    #[test]
    fn a_sampler_that_asks_another_question_when_run_again_is_refused() {
        let first = std::cell::Cell::new(true);
        let changes = Explorer::new(Layer::UniformBelow, 100).explore(|coins| {
            if first.replace(false) {
                return Ok(coins.uniform_below(&BigUint::from(6u32))?.to_u64());
            }
            Ok(Some(coins.bits(1)?))
        });
        assert!(changes.is_err());
        // Of one kind, with another parameter.
        let first = std::cell::Cell::new(true);
        let changes = Explorer::new(Layer::Bernoulli, 100).explore(|coins| {
            let p = if first.replace(false) { (1, 3) } else { (1, 2) };
            coins.bernoulli(&ratio(p.0, p.1))
        });
        assert!(changes.is_err());
    }

    /// Outcomes 0, 1, ... with the given masses.
    #[derive(Clone, PartialEq)]
    struct Masses(&'static [(i64, i64)]);

    impl Law for Masses {
        type Outcome = u64;

        fn sample<C: Coins>(&self, _: &mut C) -> Result<u64, CoinsError> {
            Ok(0)
        }

        fn pmf(&self, outcome: &u64, bits: u32) -> Result<Enclosure, NumberError> {
            let (n, d) = self.0[*outcome as usize];
            Ok(Enclosure::of(&ratio(n, d), bits))
        }

        fn outcome(&self, index: u64) -> Option<u64> {
            (index < self.0.len() as u64).then_some(index)
        }
    }

    #[test]
    fn a_law_whose_probabilities_exceed_one_is_refused() {
        for masses in [
            &[(3, 4), (3, 4)][..],
            &[(1, 2), (1, 2), (1, 2)],
            &[(1, 1), (1, 4)],
        ] {
            let found =
                Explorer::new(Layer::Laws, 100).explore(|coins| coins.draw(&Masses(masses)));
            assert!(found.is_err(), "{masses:?}");
        }
        let found = Explorer::new(Layer::Laws, 100)
            .explore(|coins| coins.draw(&Masses(&[(3, 4), (1, 4)])))
            .unwrap();
        assert_eq!(found.lower(&1), ratio(1, 4));
    }

    #[test]
    fn more_than_a_word_of_bits_is_refused() {
        let found = Explorer::new(Layer::Bits, 100).explore(|coins| coins.bits(70));
        assert!(!matches!(found, Ok(_) | Err(CoinsError::Paused)));
    }

    #[test]
    fn a_fraction_below_its_own_sign_is_refused_at_every_layer() {
        // -1/-2 is one half, 1/-2 and 0/0 are no probabilities: the bits take none of them.
        for (n, d) in [(-1, -2), (1, -2), (0, 0), (0, -1), (-1, -1)] {
            let raw = Rational::new_raw(n.into(), d.into());
            for layer in [Layer::Bits, Layer::Bernoulli] {
                let found = Explorer::new(layer, 100).explore(|coins| coins.bernoulli(&raw));
                assert!(found.is_err(), "{n}/{d} {layer:?}");
            }
            for layer in [Layer::Bits, Layer::BernoulliExp] {
                let found = Explorer::new(layer, 100).explore(|coins| coins.bernoulli_exp(&raw));
                assert!(found.is_err(), "exp of {n}/{d} {layer:?}");
            }
        }
    }

    #[test]
    fn a_choice_is_named_with_its_parameter() {
        for (choice, name) in [
            (Choice::Bit, "bit"),
            (Choice::UniformBelow(6u32.into()), "uniform_below(6)"),
            (Choice::Bernoulli(ratio(1, 3)), "bernoulli(1/3)"),
            (Choice::BernoulliExp(ratio(1, 2)), "bernoulli_exp(1/2)"),
            (Choice::Law("a die".to_owned()), "a die"),
        ] {
            assert_eq!(choice.to_string(), name);
        }
    }

    #[test]
    fn each_layer_holds_its_own_choices_and_those_of_the_layers_before() {
        use crate::coins::small_laws::{Bernoulli, FairBits};
        type Sampler<'a> = &'a dyn Fn(&mut Run) -> Result<bool, CoinsError>;
        const LAYERS: [Layer; 6] = [
            Layer::Bits,
            Layer::UniformBelow,
            Layer::Bernoulli,
            Layer::BernoulliExpUpToOne,
            Layer::BernoulliExp,
            Layer::Laws,
        ];
        // The choices that are held while the sampler runs, the one that is not of bits last.
        let held = |layer, sampler: Sampler<'_>| {
            let found = Explorer::new(layer, 60).explore(sampler).unwrap();
            let names = found.drawn.iter().map(ToString::to_string);
            names.collect::<Vec<_>>().join(" ")
        };
        // Up to which layer bits are held, and what is held from there on.
        let law = Bernoulli { p: ratio(1, 2) };
        let samplers: [(Sampler<'_>, usize, &str); 5] = [
            (&|coins| Ok(coins.bits(1)? == 1), 6, ""),
            (
                &|coins| Ok(coins.uniform_below(&4u32.into())?.is_zero()),
                1,
                "uniform_below(4)",
            ),
            (&|coins| coins.bernoulli(&ratio(1, 2)), 2, "bernoulli(1/2)"),
            (&|coins| coins.draw(&law), 5, &law.label()),
            // It does not number its outcomes.
            (&|coins| Ok(coins.draw(&FairBits { count: 1 })? == 1), 6, ""),
        ];
        for (index, (sampler, bits, name)) in samplers.into_iter().enumerate() {
            for (place, layer) in LAYERS.into_iter().enumerate() {
                let expected = if place < bits { "bit" } else { name };
                assert_eq!(held(layer, sampler), expected, "{index} {layer:?}");
            }
        }
        let exp = |x: Rational| move |coins: &mut Run| coins.bernoulli_exp(&x);
        assert_eq!(held(Layer::UniformBelow, &exp(ratio(1, 2))), "bit");
        let coins = held(Layer::Bernoulli, &exp(ratio(1, 2)));
        assert!(coins.ends_with(" bernoulli(1/4) bernoulli(1/2)"), "{coins}");
        // Up to one they are held, and above one they are built of those.
        for (x, up_to_one) in [
            (ratio(1, 2), "bernoulli_exp(1/2)"),
            (ratio(1, 1), "bernoulli_exp(1)"),
            (ratio(3, 2), "bernoulli_exp(1/2) bernoulli_exp(1)"),
        ] {
            let whole = Choice::BernoulliExp(x.clone()).to_string();
            let sampler = exp(x);
            assert_eq!(held(Layer::BernoulliExpUpToOne, &sampler), up_to_one);
            assert_eq!(held(Layer::BernoulliExp, &sampler), whole);
            assert_eq!(held(Layer::Laws, &sampler), whole);
        }
    }

    #[test]
    fn an_exploration_ends_with_its_budget_or_once_enough_is_decided() {
        let explorer = Explorer::new(Layer::Bits, 40);
        // Of 1/3 each bit decides half of what is left.
        let third = |coins: &mut Run| coins.bernoulli(&ratio(1, 3));
        assert_eq!(explorer.explore(third).unwrap().runs, 40);
        let found = explorer.until(ratio(1, 8)).explore(third).unwrap();
        assert_eq!(found.undecided, ratio(1, 8));
    }

    #[test]
    fn a_law_is_cut_off_one_outcome_after_its_tail_is_reached() {
        const MASSES: Masses = Masses(&[(1, 2), (1, 4), (1, 8), (1, 8)]);
        let found = Explorer::new(Layer::Laws, 100)
            .with_tail(ratio(1, 4))
            .explore(|coins| coins.draw(&MASSES))
            .unwrap();
        assert_eq!(found.undecided, ratio(1, 8));
    }

    #[test]
    fn two_laws_with_one_label_are_explored_apart() {
        const MASSES: [Masses; 2] = [Masses(&[(1, 2), (1, 2)]), Masses(&[(1, 4), (3, 4)])];
        assert_eq!(MASSES[0].label(), MASSES[1].label());
        let found = Explorer::new(Layer::Laws, 100)
            .explore(|coins| {
                let which = coins.bits(1)? as usize;
                Ok((which, coins.draw(&MASSES[which])?))
            })
            .unwrap();
        assert_eq!(found.lower(&(0, 0)), ratio(1, 4));
        assert_eq!(found.lower(&(1, 0)), ratio(1, 8));
    }

    #[test]
    fn bits_are_counted_along_a_run() {
        let found = Explorer::new(Layer::Bits, 100)
            .explore(|coins| {
                let word = coins.bits(3)? + coins.bits(2)?;
                Ok((word, coins.consumed()))
            })
            .unwrap();
        assert!(found.lower.keys().all(|(_, consumed)| *consumed == 5));
    }

    #[test]
    fn a_sampler_that_asks_for_less_when_run_again_is_refused() {
        let changes = |then: Result<u64, CoinsError>| {
            let first = std::cell::Cell::new(true);
            let sampler = |coins: &mut Run| match first.replace(false) {
                true => coins.bits(1),
                false => then.clone(),
            };
            Explorer::new(Layer::Bits, 100).explore(sampler)
        };
        assert!(matches!(
            changes(Ok(0)),
            Err(CoinsError::NotExplorable { .. })
        ));
        // An error of its own is reported as it is.
        let error = changes(Err(CoinsError::NoOutcome)).unwrap_err();
        assert_eq!(error, CoinsError::NoOutcome);
    }

    /// `Pr[0] >= 1/4`, with one half undecided.
    fn half_decided<T: Ord>(zero: T) -> Explored<T> {
        Explored {
            lower: BTreeMap::from([(zero, ratio(1, 4))]),
            undecided: ratio(1, 2),
            drawn: BTreeSet::new(),
            runs: 7,
        }
    }

    #[test]
    fn what_is_undecided_may_belong_to_any_result() {
        let found = half_decided(0);
        for (n, d, allowed) in [
            (1, 5, false),
            (1, 4, true),
            (1, 2, true),
            (3, 4, true),
            (4, 5, false),
        ] {
            let probability = Enclosure::of(&ratio(n, d), 64);
            assert_eq!(found.allows(&0, &probability), allowed, "{n}/{d}");
        }
        // A result that was not seen has at most what is undecided.
        assert!(found.allows(&1, &Enclosure::of(&ratio(1, 2), 64)));
        assert!(!found.allows(&1, &Enclosure::of(&ratio(2, 3), 64)));
        // The first result that is ruled out is named: one that was seen, or a likely one of the law.
        let ruled_out = |law| found.disagreement(&Masses(law)).unwrap();
        assert_eq!(ruled_out(&[(1, 2), (1, 2)]), None);
        assert_eq!(ruled_out(&[(1, 8), (7, 8)]), Some(0));
        assert_eq!(ruled_out(&[(1, 4), (3, 4)]), Some(1));
    }

    #[test]
    fn what_is_undecided_of_an_attempt_counts_more_once_rejections_are_left_out() {
        // Rejected with probability 1/4, and one eighth is undecided.
        let attempt = Explored {
            lower: BTreeMap::from([(None, ratio(1, 4)), (Some(0), ratio(5, 8))]),
            undecided: ratio(1, 8),
            drawn: BTreeSet::new(),
            runs: 7,
        };
        let law = RejectionLaw::new(attempt);
        assert_eq!(law.runs(), 7);
        assert!(law.outcomes().eq([&0]));
        assert_eq!(*law.not_rejected(), ratio(3, 4));
        assert_eq!(law.undecided(), ratio(1, 6));
        // 5/8 of 3/4 is 5/6.
        for (n, d, allowed) in [(4, 5, false), (5, 6, true), (1, 1, true), (11, 10, false)] {
            let probability = Enclosure::of(&ratio(n, d), 64);
            assert_eq!(law.allows(&0, &probability), allowed, "{n}/{d}");
        }
        assert_eq!(law.disagreement(&Masses(&[(1, 1)])).unwrap(), None);
        assert_eq!(
            law.disagreement(&Masses(&[(1, 2), (1, 2)])).unwrap(),
            Some(0)
        );
    }

    #[test]
    fn likely_paths_come_first_then_short_ones_then_small_outcomes() {
        let node = |mass, outcomes: &[u64]| {
            let step = |outcome: &u64| (Rc::new(Made::from(Choice::Bit)), *outcome);
            Node::new(mass, outcomes.iter().map(step).collect())
        };
        let in_order = [
            node(ratio(1, 2), &[1, 1]),
            node(ratio(1, 3), &[1]),
            node(ratio(1, 3), &[0, 1]),
            node(ratio(1, 3), &[1, 0]),
        ];
        for (index, before) in in_order.iter().enumerate() {
            assert!(before == before);
            for after in &in_order[index + 1..] {
                assert!(before > after && before != after, "{before:?} {after:?}");
            }
        }
    }

    #[test]
    fn a_negligible_probability_counts_as_none() {
        let power = |exponent| Enclosure::integer(1, 64).shifted(exponent);
        assert_eq!(mass(&power(-1024)), power(-1024).lower());
        assert!(mass(&power(-1024)).is_positive());
        assert!(mass(&power(-1025)).is_zero());
        assert!(mass(&-power(0)).is_zero());
    }

    #[test]
    fn a_long_fraction_is_rounded_down_and_a_short_one_kept() {
        assert_eq!(shortened(ratio(1, 3)), ratio(1, 3));
        let long = ratio(1, 3).pow(400);
        let short = shortened(long.clone());
        assert!(short < long && short > long * ratio((1 << 60) - 1, 1 << 60));
    }
}
