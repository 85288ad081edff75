//! The law of [`ScoredChoice`].

use crate::coins::{Coins, CoinsError, Divergence, Law, Loss};
use crate::number::{Enclosure, NumberError, Rational};
use crate::sample::ScoredChoice;
use num_bigint::{BigInt, BigUint};
use num_traits::{Signed, ToPrimitive, Zero};

impl Law for ScoredChoice {
    type Outcome = usize;

    fn is_of_the_library(&self, _: crate::coins::Seal) -> bool {
        true
    }

    fn sample<C: Coins>(&self, coins: &mut C) -> Result<usize, CoinsError> {
        self.draw(coins)
    }

    fn pmf(&self, place: &usize, bits: u32) -> Result<Enclosure, NumberError> {
        match self.scores().get(*place) {
            Some(&score) => self.weight(score, bits)?.divided_by(&self.total(bits)?),
            None => Ok(Enclosure::integer(0, bits)),
        }
    }

    fn outcome(&self, index: u64) -> Option<usize> {
        let place = usize::try_from(index).ok();
        place.filter(|&place| place < self.scores().len())
    }

    fn label(&self) -> String {
        let levels = self.levels().iter();
        let counts: Vec<String> = levels
            .map(|(score, count)| format!("{count} of score {score}"))
            .collect();
        format!("ScoredChoice({}, {})", self.epsilon(), counts.join(", "))
    }

    // exp(-epsilon s/2)/Z over exp(-epsilon s'/2)/Z': epsilon (s' - s)/2 + ln(Z'/Z)
    fn loss(&self, other: &Self, place: &usize, bits: u32) -> Result<Loss, NumberError> {
        let scores = (self.scores().get(*place), other.scores().get(*place));
        match scores {
            (Some(&own), Some(&others)) if self.is_comparable(other) => {
                let change = self.half_epsilon_times(i64::from(others) - i64::from(own));
                Ok(Loss::Exact(change).plus(&self.log_of_totals(other, bits)?))
            }
            _ => Loss::of_probabilities(&self.pmf(place, bits)?, &other.pmf(place, bits)?),
        }
    }

    // The loss is epsilon change / 2 + ln(Z'/Z), and largest in magnitude at the least or the largest change; and as
    // ln(Z'/Z) is between -epsilon largest / 2 and -epsilon least / 2, it is at most epsilon (largest - least) / 2.
    fn divergence(&self, other: &Self, bits: u32) -> Result<Divergence, NumberError> {
        if !self.is_comparable(other) {
            return Ok(Divergence::Unbounded(
                "the choice is not among the same outcomes",
            ));
        }
        let pairs = self.scores().iter().zip(other.scores());
        let changes = pairs.map(|(&own, &others)| i64::from(others) - i64::from(own));
        let (least, largest) = changes.fold((i64::MAX, i64::MIN), |(least, largest), change| {
            (least.min(change), largest.max(change))
        });
        let totals = self.log_of_totals(other, bits)?;
        let enclosed = [least, largest]
            .iter()
            .filter_map(|&change| {
                let change = Loss::Exact(self.half_epsilon_times(change));
                change.plus(&totals).magnitude()
            })
            .fold(Rational::zero(), Rational::max);
        let worst = enclosed.min(self.half_epsilon_times(largest - least));
        Ok(if worst.is_positive() {
            Divergence::Pure(worst)
        } else {
            Divergence::None
        })
    }

    /// An outcome of any score, whatever its weight.
    fn far_out<C: Coins>(&self, _stretch: u32, coins: &mut C) -> Result<Option<usize>, CoinsError> {
        let levels = BigUint::from(self.levels().len());
        let level = coins.uniform_below(&levels)?.to_usize().unwrap_or(0);
        let (_, count) = self.levels()[level];
        let rank = coins.uniform_below(&count.into())?;
        Ok(rank.to_u64().and_then(|rank| self.outcome_at(level, rank)))
    }
}

impl ScoredChoice {
    /// Each score that occurs, from the least, with the probability that an outcome of that score is drawn.
    ///
    /// # Errors
    /// Those of the enclosures.
    pub fn law_of_the_score(&self, bits: u32) -> Result<Vec<(u32, Enclosure)>, NumberError> {
        let total = self.total(bits)?;
        let share = |&(score, count): &(u32, u64)| -> Result<(u32, Enclosure), NumberError> {
            let weight = Enclosure::integer(count, bits) * self.weight(score, bits)?;
            Ok((score, weight.divided_by(&total)?))
        };
        self.levels().iter().map(share).collect()
    }

    /// Whether the other is a choice among as many outcomes, at the same epsilon.
    fn is_comparable(&self, other: &Self) -> bool {
        self.scores().len() == other.scores().len() && self.epsilon() == other.epsilon()
    }

    /// `epsilon change / 2`.
    fn half_epsilon_times(&self, change: i64) -> Rational {
        self.epsilon() * BigInt::from(change) / BigInt::from(2)
    }

    /// `exp(-epsilon score / 2)`.
    fn weight(&self, score: u32, bits: u32) -> Result<Enclosure, NumberError> {
        Enclosure::exp_of(&-self.half_epsilon_times(score.into()), bits)
    }

    /// The sum of the weights of all outcomes.
    fn total(&self, bits: u32) -> Result<Enclosure, NumberError> {
        let mut total = Enclosure::integer(0, bits);
        for &(score, count) in self.levels() {
            total = total + Enclosure::integer(count, bits) * self.weight(score, bits)?;
        }
        Ok(total)
    }

    /// `ln(Z' / Z)` for the sums of weights of `other` and of this law: exactly 0 where as many outcomes have each
    /// score.
    fn log_of_totals(&self, other: &Self, bits: u32) -> Result<Loss, NumberError> {
        if self.levels() == other.levels() {
            return Ok(Loss::none());
        }
        Loss::of_probabilities(&other.total(bits)?, &self.total(bits)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coins::{ChaCha, Explorer, Layer};
    use crate::number::rational::{integer, ratio};
    use std::collections::BTreeSet;

    fn choice(scores: &[u32], epsilon: Rational) -> ScoredChoice {
        ScoredChoice::new(scores.to_vec(), &epsilon).unwrap()
    }

    #[test]
    fn on_bits_each_number_is_drawn_by_its_score() {
        let law = choice(&[1, 0, 3, 1, 0], integer(2));
        let found = Explorer::new(Layer::Bits, 20_000)
            .until(ratio(1, 1 << 16))
            .explore(|coins| law.draw(coins))
            .unwrap();
        assert!(found.undecided <= ratio(1, 1 << 16));
        // Weights 1/e, 1, 1/e^3, 1/e, 1: 0.132, 0.359, 0.0179, 0.132, 0.359.
        let thousandths = |place: usize| {
            let probability = found.lower(&place) * integer(1000);
            probability.round().to_integer()
        };
        let found: Vec<BigInt> = (0..5).map(thousandths).collect();
        assert_eq!(found, [132, 359, 18, 132, 359].map(BigInt::from));
    }

    #[test]
    fn a_score_has_the_probability_of_all_outcomes_that_have_it() {
        let law = choice(&[1, 0, 3, 1, 0], integer(2));
        let of_score = law.law_of_the_score(128).unwrap();
        let scores: Vec<u32> = of_score.iter().map(|(score, _)| *score).collect();
        assert_eq!(scores, [0, 1, 3]);
        for (score, found) in of_score {
            let mut expected = Enclosure::integer(0, 128);
            for (place, own) in law.scores().iter().enumerate() {
                if *own == score {
                    expected = expected + law.pmf(&place, 128).unwrap();
                }
            }
            assert!(found.meets(&expected) && found.has_digits(30), "{score}");
        }
    }

    #[test]
    fn losses_and_their_bound_are_those_of_the_probabilities() {
        let first = choice(&[3, 1, 0, 2], ratio(3, 2));
        for second in [[4, 0, 1, 3], [3, 1, 1, 2], [4, 2, 1, 3], [2, 2, 0, 2]] {
            let second = choice(&second, ratio(3, 2));
            let mut worst = Rational::zero();
            for place in 0..4 {
                let (p, q) = (first.pmf(&place, 128), second.pmf(&place, 128));
                let quotient = p.unwrap().ln().unwrap() - q.unwrap().ln().unwrap();
                let meets = match first.loss(&second, &place, 128).unwrap() {
                    Loss::Exact(loss) => quotient.contains(&loss),
                    Loss::Enclosed(loss) => quotient.meets(&loss),
                    Loss::Infinite => false,
                };
                assert!(meets, "{place}");
                worst = worst.max(quotient.abs().upper());
            }
            let bound = match first.divergence(&second, 128).unwrap() {
                Divergence::Pure(bound) => bound,
                Divergence::None => Rational::zero(),
                other => panic!("{other:?}"),
            };
            let slack = ratio(1, 1 << 60);
            assert!(&worst - &slack <= bound && bound <= ratio(3, 2), "{bound}");
        }
    }

    #[test]
    fn scores_that_all_move_alike_lose_nothing() {
        let (first, second) = (choice(&[3, 0], integer(1)), choice(&[4, 1], integer(1)));
        assert_eq!(first.divergence(&second, 64).unwrap(), Divergence::None);
        // As many outcomes of each score as before: exactly 3 epsilon/2, either way.
        let turned = choice(&[0, 3], integer(1));
        let found = first.divergence(&turned, 64).unwrap();
        assert_eq!(found, Divergence::Pure(ratio(3, 2)));
    }

    #[test]
    fn other_outcomes_or_another_epsilon_are_not_comparable() {
        let first = choice(&[1, 2], integer(1));
        for other in [choice(&[1, 2, 2], integer(1)), choice(&[1, 2], integer(2))] {
            let found = first.divergence(&other, 64).unwrap();
            assert!(matches!(found, Divergence::Unbounded(_)));
        }
        assert!(first.pmf(&2, 64).unwrap().hi().is_zero());
        assert_eq!(first.outcome(2), None);
        assert!(ScoredChoice::new(Vec::new(), &integer(1)).is_err());
        assert!(ScoredChoice::new(vec![1], &integer(0)).is_err());
    }

    #[test]
    fn steered_outcomes_have_all_scores() {
        let law = choice(&[0, 0, 9, 0, 30], integer(9));
        let mut coins = ChaCha::reproducible(1, 0);
        let seen: BTreeSet<usize> = (0..60)
            .map(|_| law.far_out(5, &mut coins).unwrap().unwrap())
            .collect();
        assert_eq!(seen, BTreeSet::from([0, 1, 2, 3, 4]));
    }
}
