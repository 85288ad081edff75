//! The exponential mechanism over finitely many outcomes.

use super::attempt::until_accepted;
use super::positive;
use crate::coins::{Coins, CoinsError};
use crate::number::{Dyadic, Enclosure, NumberError, Rational};
use num_bigint::{BigInt, BigUint};
use num_traits::{One, Zero};

/// Outcomes that share one loss.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScoreClass {
    /// The loss: minus the utility. Low is good.
    pub loss: Rational,
    /// How many outcomes have it.
    pub count: BigUint,
}

/// The exponential mechanism (McSherry, Talwar 2007): an outcome with loss `l` is drawn with
/// probability proportional to `exp(-epsilon l / (2 sensitivity))`
/// (ledger: `sample.exponential-mechanism`).
///
/// `(epsilon, 0)`-differentially private if the loss of each fixed outcome changes by at most
/// `sensitivity` between neighbouring datasets (whatever the neighbouring relation) and the outcomes
/// themselves do not depend on the data.
///
/// Outcomes with the same loss are equally likely, so that they are given as classes: first the class
/// is drawn, then the outcome's rank in it, uniformly.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExponentialMechanism {
    classes: Vec<ScoreClass>,
    // epsilon (loss - least loss) / (2 sensitivity) of each class.
    exponents: Vec<Rational>,
}

/// Beyond this exponent `exp(-x)`, below `2^-4000000`, is no longer enclosed more tightly at higher precision.
pub const LARGEST_EXPONENT: u64 = 1 << 22;

impl ExponentialMechanism {
    /// The mechanism over the outcomes of `classes`, among which empty ones are allowed.
    ///
    /// # Errors
    /// [`CoinsError::Parameter`] unless `epsilon > 0` and `sensitivity > 0`;
    /// [`CoinsError::NoOutcome`] if every class is empty.
    pub fn new(
        epsilon: Rational,
        sensitivity: Rational,
        classes: Vec<ScoreClass>,
    ) -> Result<Self, CoinsError> {
        let epsilon = positive("exponential mechanism", "epsilon", epsilon)?;
        let sensitivity = positive("exponential mechanism", "sensitivity", sensitivity)?;
        let least = classes
            .iter()
            .filter(|class| !class.count.is_zero())
            .map(|class| &class.loss)
            .min()
            .ok_or(CoinsError::NoOutcome)?
            .clone();
        // The factor 2: a neighbour moves this outcome's weight and the sum of all weights.
        let rate = epsilon / (sensitivity * BigInt::from(2));
        let exponents = classes
            .iter()
            .map(|class| (&class.loss - &least) * &rate)
            .collect();
        Ok(Self { classes, exponents })
    }

    /// `epsilon (loss - least loss) / (2 sensitivity)` of each class.
    pub(crate) fn exponents(&self) -> &[Rational] {
        &self.exponents
    }

    /// The classes, as given.
    #[must_use]
    pub fn classes(&self) -> &[ScoreClass] {
        &self.classes
    }

    /// Draws a class by inversion: a uniform number is drawn bit by bit, until certified bounds on the
    /// cumulative weights say between which two of them it lies.
    ///
    /// Ends with probability 1: after `j` bits it is undecided with probability proportional to `2^-j`, if
    /// every `epsilon (loss - least loss) / (2 sensitivity)` is at most [`LARGEST_EXPONENT`]
    /// (`spec/samplers.md`). The learners check that by public quantities.
    ///
    /// # Errors
    /// Those of the coins and of the enclosures.
    pub fn draw_class(&self, coins: &mut impl Coins) -> Result<usize, CoinsError> {
        let occupied: Vec<usize> = (0..self.classes.len())
            .filter(|&class| !self.classes[class].count.is_zero())
            .collect();
        if let [only] = occupied[..] {
            return Ok(only);
        }
        let mut precision = 128;
        let mut cumulative = self.cumulative(&occupied, precision)?;
        // The uniform number is in [drawn / 2^digits, (drawn + 1) / 2^digits).
        let mut drawn = BigInt::zero();
        let mut digits: u32 = 0;
        loop {
            let below = Dyadic::new(drawn.clone(), -i64::from(digits));
            let above = Dyadic::new(&drawn + 1, -i64::from(digits));
            // 1. The first class whose cumulative probability is not certainly below the interval.
            let place = cumulative.partition_point(|bound| bound.hi() <= &below);
            // 2. Decided if that class certainly reaches to the end of the interval.
            if let Some(bound) = cumulative.get(place)
                && *bound.lo() >= above
                && (place == 0 || *cumulative[place - 1].hi() <= below)
            {
                return Ok(occupied[place]);
            }
            // 3. Otherwise one more bit, and sharper bounds when the bits come close to them.
            drawn = (drawn << 1u32) + coins.bits(1)?;
            digits += 1;
            if digits + 32 > precision {
                precision *= 2;
                cumulative = self.cumulative(&occupied, precision)?;
            }
        }
    }

    /// Draws a class by rejection: a uniform outcome, accepted with probability
    /// `exp(-epsilon (loss - least loss) / (2 sensitivity))`. The same law as
    /// [`ExponentialMechanism::draw_class`]; slow where few outcomes are good.
    ///
    /// # Errors
    /// Those of the coins.
    pub fn draw_class_by_rejection(&self, coins: &mut impl Coins) -> Result<usize, CoinsError> {
        until_accepted(self, coins)
    }

    /// One attempt of [`ExponentialMechanism::draw_class_by_rejection`]: `None` if rejected.
    ///
    /// # Errors
    /// Those of the coins.
    pub fn attempt(&self, coins: &mut impl Coins) -> Result<Option<usize>, CoinsError> {
        let total: BigUint = self.classes.iter().map(|class| &class.count).sum();
        // 1. A uniform outcome among all, and its class.
        let mut rank = coins.uniform_below(&total)?;
        let mut chosen = 0;
        while rank >= self.classes[chosen].count {
            rank -= &self.classes[chosen].count;
            chosen += 1;
        }
        // 2. Accepted in proportion to its weight.
        Ok(coins
            .bernoulli_exp(&self.exponents[chosen])?
            .then_some(chosen))
    }

    /// Draws an outcome: its class, and its rank among the outcomes of that class, from 0.
    ///
    /// # Errors
    /// Those of the coins and of the enclosures.
    pub fn draw_outcome(&self, coins: &mut impl Coins) -> Result<(usize, BigUint), CoinsError> {
        let class = coins.draw(self)?;
        let rank = coins.uniform_below(&self.classes[class].count)?;
        Ok((class, rank))
    }

    /// The weight `count exp(-epsilon (loss - least loss) / (2 sensitivity))` of each class.
    pub(crate) fn weights(&self, bits: u32) -> Result<Vec<Enclosure>, NumberError> {
        self.classes
            .iter()
            .zip(&self.exponents)
            .map(|(class, exponent)| {
                let count = Enclosure::integer(class.count.clone(), bits);
                Ok(count * Enclosure::exp_of(&-exponent, bits)?)
            })
            .collect()
    }

    /// The most by which the exponent of a class may differ from that of another mechanism over the same outcomes, less
    /// the least; `None` if the outcomes are not the same.
    pub(crate) fn largest_change(&self, other: &Self) -> Option<Rational> {
        let counts = |mechanism: &Self| -> Vec<BigUint> {
            let classes = mechanism.classes.iter();
            classes.map(|class| class.count.clone()).collect()
        };
        if counts(self) != counts(other) {
            return None;
        }
        let occupied = |class: &usize| !self.classes[*class].count.is_zero();
        let changes = (0..self.classes.len())
            .filter(occupied)
            .map(|class| &other.exponents[class] - &self.exponents[class]);
        Some(changes.clone().max()? - changes.min()?)
    }

    /// The cumulative probabilities of the occupied classes, the last exactly one.
    fn cumulative(&self, occupied: &[usize], bits: u32) -> Result<Vec<Enclosure>, NumberError> {
        let weights = self.weights(bits)?;
        let mut sums = Vec::with_capacity(occupied.len());
        let mut sum = Enclosure::integer(0, bits);
        for &class in occupied {
            sum = sum + &weights[class];
            sums.push(sum.clone());
        }
        let mut cumulative = sums
            .iter()
            .map(|partial| partial.divided_by(&sum))
            .collect::<Result<Vec<_>, _>>()?;
        if let Some(last) = cumulative.last_mut() {
            *last = Enclosure::integer(BigInt::one(), bits);
        }
        Ok(cumulative)
    }
}
