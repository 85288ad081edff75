//! Is a claim of privacy false, by scores of who was in the training data?
//!
//! Somebody trained, and has for each canary a number that is higher if it looks like a member. Nothing is run here.
//!
//! - [`Scores`]: the canaries in the order of their scores, and whether each was in;
//! - [`one_run`]: all scores are of one training, and each canary was in by a coin of its own;
//! - [`many`]: each score is of a training of its own, with the record or without it.
//!
//! `spec/auditor.md`, section 5, has the theorems, and what each takes for granted.

#[cfg(test)]
mod level_test;
pub mod many;
pub mod one_run;
mod zcdp;

use dp_assay::number::range::{above_zero, above_zero_below_one, at_least_zero, require};
use dp_assay::number::rational::integer;
use dp_assay::number::{OutOfRange, Rational};
use num_traits::Zero;

/// What is claimed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Claim {
    /// (epsilon, delta).
    Budget {
        /// Epsilon, above 0 and at most 40.
        epsilon: Rational,
        /// Delta, at least 0 and below 1.
        delta: Rational,
    },
    /// Every Renyi divergence of order `a > 1` is at most `rho a`.
    Zcdp {
        /// Rho, above 0 and at most 20.
        rho: Rational,
    },
    /// As hard to tell apart as normal laws of variance 1 at this distance.
    Gaussian {
        /// The distance, above 0 and at most 10.
        mu: Rational,
    },
}

impl Claim {
    /// Refuses what is no claim, by the options as they are typed.
    ///
    /// # Errors
    /// [`OutOfRange`].
    pub fn check(&self) -> Result<(), OutOfRange> {
        match self {
            Self::Budget { epsilon, delta } => {
                above_zero("--epsilon", epsilon)?;
                let is_small = *epsilon <= integer(40);
                require(is_small, "--epsilon", epsilon, "at most 40")?;
                at_least_zero("--delta", delta)?;
                if !delta.is_zero() {
                    above_zero_below_one("--delta", delta)?;
                }
                Ok(())
            }
            Self::Zcdp { rho } => {
                above_zero("--zcdp", rho)?;
                let is_small = *rho <= integer(zcdp::LARGEST);
                require(is_small, "--zcdp", rho, "at most 20")
            }
            Self::Gaussian { mu } => {
                above_zero("--gdp", mu)?;
                require(*mu <= integer(10), "--gdp", mu, "at most 10")
            }
        }
    }

    /// The number that a bound is compared with: epsilon, rho or mu.
    #[must_use]
    pub fn parameter(&self) -> &Rational {
        match self {
            Self::Budget { epsilon, .. } => epsilon,
            Self::Zcdp { rho } => rho,
            Self::Gaussian { mu } => mu,
        }
    }
}

/// A canary, or a training: its score, and whether it was in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scored {
    /// Its name, if it has one that was fixed before it was decided whether it is in.
    pub name: Option<String>,
    /// Its score.
    pub score: Rational,
    /// Whether it was in.
    pub is_in: bool,
}

/// Which score looks like a member.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum Higher {
    /// A higher score: the record was in
    In,
    /// A higher score, as a loss: the record was out
    Out,
}

/// Scores, with those that look most like a member first.
#[derive(Debug, Clone)]
pub struct Scores {
    /// With the sign with which a higher one means that the record was in.
    sorted: Vec<Scored>,
    higher: Higher,
}

impl Scores {
    /// Sorts them. Equal scores stand in the order of their names.
    #[must_use]
    pub fn new(mut all: Vec<Scored>, higher: Higher) -> Self {
        if higher == Higher::Out {
            for scored in &mut all {
                scored.score = -std::mem::take(&mut scored.score);
            }
        }
        all.sort_by(|a, b| b.score.cmp(&a.score).then_with(|| a.name.cmp(&b.name)));
        Self {
            sorted: all,
            higher,
        }
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.sorted.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.sorted.is_empty()
    }

    /// How many of them were in.
    #[must_use]
    pub fn members(&self) -> usize {
        self.sorted.iter().filter(|scored| scored.is_in).count()
    }

    /// How many of these guesses are right: the first half of them, from the top, that they were in, and the others, from the bottom,
    /// that they were out. Of equal scores without names the wrong guesses are taken first, so that the order in which they are given,
    /// which knows who was in, has no part in it.
    #[must_use]
    pub fn right(&self, guesses: usize) -> usize {
        let (top, bottom) = (guesses.div_ceil(2), guesses / 2);
        let from_top = self.taken(true);
        let from_bottom = self.taken(false);
        let ins = from_top.iter().take(top).filter(|is_in| **is_in).count();
        let outs = from_bottom.iter().take(bottom).filter(|is_in| !**is_in);
        ins + outs.count()
    }

    /// Whether each was in, in the order in which they are guessed to be so, or not to be.
    fn taken(&self, guess: bool) -> Vec<bool> {
        let mut order: Vec<&Scored> = self.sorted.iter().collect();
        if !guess {
            order.reverse();
        }
        let ties = |a: &&Scored, b: &&Scored| a.score == b.score && a.name == b.name;
        let mut taken = Vec::with_capacity(order.len());
        for equal in order.chunk_by(ties) {
            let right = equal.iter().filter(|scored| scored.is_in == guess).count();
            taken.resize(taken.len() + equal.len() - right, !guess);
            taken.resize(taken.len() + right, guess);
        }
        taken
    }

    /// The scores that differ, as they were given, those most like a member first; how many of those in, and of those out, are at least
    /// as much like one.
    fn thresholds(&self) -> Vec<(Rational, usize, usize)> {
        let (mut ins, mut outs) = (0, 0);
        let equal = self.sorted.chunk_by(|a, b| a.score == b.score);
        equal
            .map(|equal| {
                let members = equal.iter().filter(|scored| scored.is_in).count();
                ins += members;
                outs += equal.len() - members;
                let as_given = match self.higher {
                    Higher::In => equal[0].score.clone(),
                    Higher::Out => -&equal[0].score,
                };
                (as_given, ins, outs)
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scored(name: Option<&str>, score: i64, is_in: bool) -> Scored {
        Scored {
            name: name.map(ToOwned::to_owned),
            score: integer(score),
            is_in,
        }
    }

    #[test]
    fn guesses_come_from_both_ends() {
        let all = [(9, true), (7, true), (5, false), (3, true), (1, false)];
        let all = all.map(|(score, is_in)| scored(None, score, is_in));
        let scores = Scores::new(all.to_vec(), Higher::In);
        let right: Vec<usize> = (1..=5).map(|guesses| scores.right(guesses)).collect();
        assert_eq!(right, [1, 2, 3, 3, 3]);
        assert_eq!(scores.members(), 3);
        let scores = Scores::new(all.to_vec(), Higher::Out);
        assert_eq!(scores.right(2), 0);
    }

    #[test]
    fn the_order_of_equal_scores_knows_nothing_of_who_was_in() {
        // Members first in the file: nothing is right for that.
        let all: Vec<Scored> = (0..10).map(|i| scored(None, 0, i < 5)).collect();
        let scores = Scores::new(all, Higher::In);
        assert_eq!(
            (scores.right(2), scores.right(10), scores.right(6)),
            (0, 0, 0)
        );
        // With names they have an order that was there before.
        let all = vec![
            scored(Some("b"), 0, true),
            scored(Some("a"), 0, false),
            scored(Some("c"), 0, false),
        ];
        let scores = Scores::new(all, Higher::In);
        assert_eq!((scores.right(1), scores.right(2)), (0, 1));
    }

    #[test]
    fn every_claim_has_its_range() {
        let claim = |epsilon, delta| Claim::Budget { epsilon, delta }.check();
        assert!(claim(integer(1), integer(0)).is_ok());
        for (epsilon, delta) in [(0, 0), (41, 0), (1, 1), (1, -1)] {
            assert!(claim(integer(epsilon), integer(delta)).is_err());
        }
        assert!(Claim::Gaussian { mu: integer(11) }.check().is_err());
        assert!(Claim::Zcdp { rho: integer(21) }.check().is_err());
        assert!(Claim::Zcdp { rho: integer(0) }.check().is_err());
    }
}
