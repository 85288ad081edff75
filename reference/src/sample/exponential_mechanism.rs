//! The exponential mechanism over finitely many outcomes.

use crate::Error;
use crate::coins::{Coins, Law, uniform};
use crate::error::require;
use crate::number::{Enclosure, Rational};
use num_bigint::{BigInt, BigUint};
use num_traits::{Signed, Zero};

/// A class of outcomes with the same loss: how many there are. The loss is what the data decide.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScoreClass {
    /// The loss: minus the score.
    pub loss: Rational,
    /// How many outcomes have it.
    pub count: BigUint,
}

/// Exponents `epsilon loss / (2 sensitivity)` up to this have probabilities that are told from 0.
pub const LARGEST_EXPONENT: u64 = 1 << 22;

/// The exponential mechanism: an outcome of loss `l` with probability proportional to `exp(-epsilon l / (2 sensitivity))`
/// (McSherry, Talwar 2007; ledger: `sample.exponential-mechanism`). The law is that of the number of the class.
///
/// If the losses of neighbours differ by at most `sensitivity` it is `(epsilon, 0)`-private under their relation: the factor 2,
/// since a neighbour moves an outcome's weight and the sum of all weights.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExponentialMechanism {
    classes: Vec<ScoreClass>,
    epsilon: Rational,
    sensitivity: Rational,
    // epsilon (loss - least loss) / (2 sensitivity) of each class.
    exponents: Vec<Rational>,
}

impl ExponentialMechanism {
    /// The mechanism on these classes. An empty class is never drawn.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] unless `epsilon > 0`, `sensitivity > 0`, and there is an outcome.
    pub fn new(
        epsilon: Rational,
        sensitivity: Rational,
        classes: Vec<ScoreClass>,
    ) -> Result<Self, Error> {
        require(
            epsilon.is_positive(),
            "the epsilon of an exponential mechanism",
        )?;
        require(
            sensitivity.is_positive(),
            "the sensitivity of an exponential mechanism",
        )?;
        let occupied = classes.iter().filter(|class| !class.count.is_zero());
        let least = occupied.map(|class| class.loss.clone()).min();
        let least = least.ok_or(Error::OutOfRange("the number of outcomes"))?;
        let rate = &epsilon / (&sensitivity * BigInt::from(2));
        let exponent = |class: &ScoreClass| (&class.loss - &least) * &rate;
        Ok(Self {
            exponents: classes.iter().map(exponent).collect(),
            classes,
            epsilon,
            sensitivity,
        })
    }

    /// Its epsilon, the sensitivity of the losses, and the classes: their losses are what the data decide.
    #[must_use]
    pub fn parts(&self) -> (&Rational, &Rational, &[ScoreClass]) {
        (&self.epsilon, &self.sensitivity, &self.classes)
    }

    /// A class, and the number of an outcome in it: each outcome of a class is as likely as the others.
    ///
    /// # Errors
    /// Those of the coins.
    pub fn draw_outcome(&self, coins: &mut impl Coins) -> Result<(usize, BigUint), Error> {
        let class = coins.draw(self)?;
        let rank = coins.uniform_below(&self.classes[class].count)?;
        Ok((class, rank))
    }

    /// `count exp(-exponent)` of each class.
    fn weights(&self, bits: u32) -> Result<Vec<Enclosure>, Error> {
        let classes = self.classes.iter().zip(&self.exponents);
        let weight = |(class, exponent): (&ScoreClass, &Rational)| {
            if class.count.is_zero() {
                return Ok(Enclosure::integer(0, bits));
            }
            let count = Enclosure::integer(class.count.clone(), bits);
            Ok(count * Enclosure::exp_of(&-exponent, bits)?)
        };
        classes.map(weight).collect()
    }

    /// The cumulative probabilities of the classes that have an outcome, the last exactly 1.
    fn cumulative(&self, bits: u32) -> Result<Vec<Enclosure>, Error> {
        let mut sum = Enclosure::integer(0, bits);
        let mut sums = Vec::new();
        for (weight, class) in self.weights(bits)?.into_iter().zip(&self.classes) {
            if !class.count.is_zero() {
                sum = sum + weight;
                sums.push(sum.clone());
            }
        }
        let last = sums.len() - 1;
        let share = |partial: &Enclosure| partial.divided_by(&sum);
        let mut cumulative = sums.iter().map(share).collect::<Result<Vec<_>, _>>()?;
        cumulative[last] = Enclosure::integer(1, bits);
        Ok(cumulative)
    }
}

impl Law for ExponentialMechanism {
    type Outcome = usize;

    /// By inversion: the place of a uniform number among the cumulative probabilities. A class that is alone takes no coins.
    fn sample<C: Coins>(&self, coins: &mut C) -> Result<usize, Error> {
        let occupied = |class: &usize| !self.classes[*class].count.is_zero();
        let occupied: Vec<usize> = (0..self.classes.len()).filter(occupied).collect();
        if let [only] = occupied[..] {
            return Ok(only);
        }
        let place = uniform::place_among(coins, |bits| self.cumulative(bits))?;
        Ok(occupied[place])
    }

    fn pmf(&self, class: &usize, bits: u32) -> Result<Enclosure, Error> {
        let weights = self.weights(bits)?;
        let zero = Enclosure::integer(0, bits);
        let total = weights
            .iter()
            .fold(zero.clone(), |sum, weight| sum + weight);
        weights.get(*class).unwrap_or(&zero).divided_by(&total)
    }
}
