//! The exponential mechanism over finitely many outcomes.

use super::attempt::until_accepted;
use super::positive;
use crate::coins::{Coins, CoinsError, Uniform};
use crate::number::range::{OutOfRange, above_zero, require};
use crate::number::{Enclosure, NumberError, Rational, rational};
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
#[derive(Debug, Clone)]
pub struct ExponentialMechanism {
    epsilon: Rational,
    sensitivity: Rational,
    classes: Vec<ScoreClass>,
    // epsilon (loss - least loss) / (2 sensitivity) of each class.
    exponents: Vec<Rational>,
}

/// Equal if they are the same law on the same classes: an epsilon and a sensitivity twice as large change nothing.
impl PartialEq for ExponentialMechanism {
    fn eq(&self, other: &Self) -> bool {
        (&self.classes, &self.exponents) == (&other.classes, &other.exponents)
    }
}

impl Eq for ExponentialMechanism {}

/// Beyond this exponent `exp(-x)`, below `2^-4000000`, is no longer enclosed more tightly at higher precision.
pub const LARGEST_EXPONENT: u64 = 1 << 22;

/// Checks that `epsilon > 0`, and that the exponents of the exponential mechanism stay within what its inversion is exact
/// for: each is at most `epsilon n / 2` where every record moves a loss by at most its sensitivity. All of it is public.
///
/// # Errors
/// [`OutOfRange`].
pub fn check_exponent(epsilon: &Rational, n: usize) -> Result<(), OutOfRange> {
    above_zero("epsilon", epsilon)?;
    let right = epsilon * BigInt::from(n) <= rational::integer(2 * LARGEST_EXPONENT);
    let expected = "at most 2^23 divided by the number of records";
    require(right, "epsilon", epsilon, expected)
}

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
        let rate = &epsilon / (&sensitivity * BigInt::from(2));
        let exponents = classes
            .iter()
            .map(|class| (&class.loss - &least) * &rate)
            .collect();
        Ok(Self {
            epsilon,
            sensitivity,
            classes,
            exponents,
        })
    }

    /// The privacy parameter.
    #[must_use]
    pub fn epsilon(&self) -> &Rational {
        &self.epsilon
    }

    /// By how much a neighbour may change the loss of an outcome.
    #[must_use]
    pub fn sensitivity(&self) -> &Rational {
        &self.sensitivity
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

    /// Draws a class by inversion of certified bounds on the cumulative probabilities.
    ///
    /// Ends with probability 1: after `j` bits it is undecided with probability proportional to `2^-j`, if
    /// every `epsilon (loss - least loss) / (2 sensitivity)` is at most [`LARGEST_EXPONENT`]
    /// (`spec/samplers.md`). The learners check that by public quantities.
    ///
    /// # Errors
    /// Those of the coins and of the enclosures.
    pub fn draw_class(&self, coins: &mut impl Coins) -> Result<usize, CoinsError> {
        let occupied = self.occupied();
        if let [only] = occupied[..] {
            return Ok(only);
        }
        let place = Uniform::new()
            .falls_among(|| coins.bits(1), |bits| self.cumulative_probabilities(bits))?;
        Ok(occupied[place])
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

    /// The weight `count exp(-epsilon (loss - least loss) / (2 sensitivity))` of each class; of an empty one, whose loss may
    /// be far below the least of the others, 0.
    pub fn weights(&self, bits: u32) -> Result<Vec<Enclosure>, NumberError> {
        self.classes
            .iter()
            .zip(&self.exponents)
            .map(|(class, exponent)| {
                if class.count.is_zero() {
                    return Ok(Enclosure::integer(0, bits));
                }
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

    /// The numbers of the classes that are not empty.
    fn occupied(&self) -> Vec<usize> {
        let occupied = |class: &usize| !self.classes[*class].count.is_zero();
        (0..self.classes.len()).filter(occupied).collect()
    }

    /// The cumulative probabilities of the classes that are not empty, in their order, enclosed at `bits` significant bits of
    /// working precision; the last is exactly 1. By these [`draw_class`](Self::draw_class) decides.
    ///
    /// # Errors
    /// Those of the enclosures.
    pub fn cumulative_probabilities(&self, bits: u32) -> Result<Vec<Enclosure>, NumberError> {
        let occupied = self.occupied();
        let weights = self.weights(bits)?;
        let mut sums = Vec::with_capacity(occupied.len());
        let mut sum = Enclosure::integer(0, bits);
        for class in occupied {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coins::{Divergence, Explorer, Law, Layer, Tape};
    use crate::number::rational::{integer, ratio};
    use num_traits::Signed;

    /// Exponents that are the losses, less the least of them.
    fn mechanism(classes: &[(Rational, u32)]) -> ExponentialMechanism {
        let class = |(loss, count): &(Rational, u32)| ScoreClass {
            loss: loss.clone(),
            count: (*count).into(),
        };
        let classes = classes.iter().map(class).collect();
        ExponentialMechanism::new(integer(2), integer(1), classes).unwrap()
    }

    #[test]
    fn rejection_draws_each_class_with_its_probability() {
        let law = mechanism(&[(integer(0), 2), (integer(1), 1)]);
        let found = Explorer::new(Layer::BernoulliExp, 200)
            .until(ratio(1, 1 << 20))
            .explore(|coins| law.draw_class_by_rejection(coins))
            .unwrap();
        assert!(found.undecided <= ratio(1, 1 << 20));
        assert!(found.disagreement(&law).unwrap().is_none());
        // One outcome less in the first class is told apart.
        let other = mechanism(&[(integer(0), 1), (integer(1), 1)]);
        assert!(found.disagreement(&other).unwrap().is_some());
    }

    #[test]
    fn an_empty_class_is_passed_over_however_good_it_is() {
        // e^(10^8) is beyond every enclosure.
        let good = integer(-100_000_000);
        let law = mechanism(&[(integer(0), 1), (good, 0), (integer(1), 1)]);
        assert!(law.pmf(&1, 64).unwrap().hi().is_zero());
        for (tape, class) in [("0", 0), ("11", 2)] {
            assert_eq!(law.draw_class(&mut Tape::written(tape)), Ok(class));
        }
    }

    #[test]
    fn twice_the_epsilon_for_twice_the_sensitivity_is_the_same_law() {
        let of = |epsilon: u32, sensitivity: u32| {
            let classes = mechanism(&[(integer(0), 1), (integer(3), 2)]).classes;
            ExponentialMechanism::new(integer(epsilon), integer(sensitivity), classes).unwrap()
        };
        assert!(of(1, 2) == of(2, 4) && of(1, 2) != of(1, 1));
        assert_eq!(
            (of(1, 2).epsilon(), of(1, 2).sensitivity()),
            (&integer(1), &integer(2))
        );
    }

    #[test]
    fn exponents_beyond_the_largest_are_refused() {
        assert_eq!(check_exponent(&integer(1), 1 << 23), Ok(()));
        for refused in [integer(0), integer(1) + ratio(1, 1 << 30)] {
            assert_eq!(
                check_exponent(&refused, 1 << 23).unwrap_err().parameter,
                "epsilon"
            );
        }
    }

    #[test]
    fn a_number_close_to_a_bound_is_placed_once_the_bound_is_sharp_enough() {
        // The first class has probability 1/2 + 2^-202, about: at 128 bits that is not told from 1/2.
        let tiny = Rational::new(1.into(), BigInt::from(2).pow(200));
        let law = mechanism(&[(integer(0), 1), (tiny, 1)]);
        let mut tape = Tape::written(&format!("0{}", "1".repeat(200)));
        assert_eq!(law.draw_class(&mut tape), Ok(0));
        // 32 bits before the bounds are spent they are computed again, to 256 bits.
        assert_eq!(tape.consumed(), 128 - 32 + 1);
    }

    #[test]
    fn a_change_of_the_losses_is_found_exactly() {
        let law = mechanism(&[(integer(0), 1), (integer(5), 2), (integer(7), 0)]);
        // By +1 and -1; the empty class does not count.
        let moved = mechanism(&[(integer(1), 1), (integer(4), 2), (integer(100), 0)]);
        assert_eq!(law.largest_change(&moved), Some(integer(2)));
        // All losses moved alike: no change.
        let alike = mechanism(&[(integer(3), 1), (integer(8), 2), (integer(100), 0)]);
        assert_eq!(law.largest_change(&alike), Some(integer(0)));
        let other_outcomes = mechanism(&[(integer(0), 1), (integer(5), 3), (integer(7), 0)]);
        assert_eq!(law.largest_change(&other_outcomes), None);
    }

    #[test]
    fn a_class_too_unlikely_to_be_enclosed_still_loses_no_more_than_the_losses_change() {
        let far = BigInt::from(8 * LARGEST_EXPONENT);
        let law = |more: i64| mechanism(&[(integer(0), 1), ((&far + more).into(), 1)]);
        let found = law(0).divergence(&law(1), 64).unwrap();
        assert_eq!(found, Divergence::Pure(integer(1)));
    }

    #[test]
    fn the_label_names_the_count_and_the_exponent_of_each_class() {
        let law = mechanism(&[(integer(1), 3), (ratio(3, 2), 4)]);
        assert_eq!(law.label(), "ExponentialMechanism(3 e^-(0), 4 e^-(1/2))");
    }

    #[test]
    fn losses_count_from_the_least_of_an_outcome_that_there_is() {
        let law = mechanism(&[(integer(0), 0), (integer(5), 2), (integer(3), 1)]);
        assert_eq!(law.exponents(), [integer(-3), integer(2), integer(0)]);
        let nothing = ExponentialMechanism::new(integer(1), integer(1), Vec::new());
        assert_eq!(nothing, Err(CoinsError::NoOutcome));
        // The rate is epsilon over twice the sensitivity: 3 / (2 * 4).
        let classes = mechanism(&[(integer(0), 1), (integer(16), 1)]).classes;
        let law = ExponentialMechanism::new(integer(3), integer(4), classes).unwrap();
        assert_eq!(law.exponents(), [integer(0), integer(6)]);
    }

    #[test]
    fn outcomes_of_one_class_are_equally_likely() {
        let law = mechanism(&[(integer(0), 2), (integer(1), 0), (integer(1), 3)]);
        let found = Explorer::new(Layer::Laws, 100)
            .explore(|coins| law.draw_outcome(coins))
            .unwrap();
        let drawn: Vec<_> = found
            .lower
            .keys()
            .map(|(class, rank)| (*class, rank.clone()))
            .collect();
        let ranks = [(0, 0u32), (0, 1), (2, 0), (2, 1), (2, 2)];
        assert_eq!(drawn, ranks.map(|(class, rank)| (class, rank.into())));
        for ((class, _), probability) in &found.lower {
            let of_class = law.pmf(class, 64).unwrap().upper();
            let share = of_class / &BigInt::from(law.classes()[*class].count.clone());
            assert!((probability - share).abs() < ratio(1, 1 << 40));
        }
    }

    #[test]
    fn inversion_draws_each_class_with_its_probability() {
        let law = mechanism(&[
            (integer(1), 1),
            (integer(0), 0),
            (integer(0), 2),
            (integer(3), 4),
        ]);
        let found = Explorer::new(Layer::Bits, 400)
            .explore(|coins| law.draw_class(coins))
            .unwrap();
        assert!(found.undecided < ratio(1, 1 << 20), "{}", found.undecided);
        assert_eq!(found.disagreement(&law).unwrap(), None);
    }
}
